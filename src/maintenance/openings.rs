//! Replacement of the table of openings.

use super::change::{CACHE_BYTES, catch_up};
use crate::error::{Error, Result};
use crate::openings::Openings;
use crate::storage::Database;

impl Database {
    /// Names all games anew, and later games as well, by lines of [`read_openings`](crate::openings::read_openings) or
    /// by the standard table.
    ///
    /// # Errors
    /// When a line is malformed, or the database cannot be written; it is then as it was before.
    pub fn set_openings(&self, lines: Option<&str>) -> Result<()> {
        let lines = lines.unwrap_or_default();
        Openings::from_lines(lines).map_err(Error::Openings)?;

        self.write_in_steps(CACHE_BYTES, |_| {
            self.write_opening_lines(lines)?;
            catch_up(self)
        })
    }
}

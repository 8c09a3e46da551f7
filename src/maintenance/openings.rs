//! Another table of openings for a database.

use super::change::{CACHE_BYTES, catch_up};
use crate::error::{Error, Result};
use crate::openings::Openings;
use crate::storage::Database;

impl Database {
    /// Names all games anew by lines as [`read_openings`](crate::openings::read_openings) gives them, or by the
    /// standard table; later games are named by it, too.
    ///
    /// # Errors
    /// When a line is none, or the database cannot be written; it is then as it was before.
    pub fn set_openings(&self, lines: Option<&str>) -> Result<()> {
        let lines = lines.unwrap_or_default();
        Openings::from_lines(lines).map_err(Error::Openings)?;
        self.write_in_steps(CACHE_BYTES, |_| {
            self.write_opening_lines(lines)?;
            catch_up(self)
        })
    }
}

//! Changes of a database, all of which begin with a column store that has every game.

use crate::columns;
use crate::error::Result;
use crate::storage::{Commits, Database};

/// The memory for pages of a change that has no limit of its own, in bytes.
pub(super) const CACHE_BYTES: u64 = 64 << 20;

impl Database {
    /// Changes the database by `work`, with so many bytes of memory for pages; when that fails, the
    /// database is as it was before.
    pub(crate) fn change<T>(
        &self,
        cache_bytes: u64,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.change_in_steps(cache_bytes, |_| work())
    }

    /// The same for work in steps; when it fails, the database is as it was after the step before.
    pub(crate) fn change_in_steps<'d, T>(
        &'d self,
        cache_bytes: u64,
        work: impl FnOnce(&Commits<'d>) -> Result<T>,
    ) -> Result<T> {
        self.write_in_steps(cache_bytes, |steps| {
            columns::catch_up(&self.connection).map_err(|e| self.error(e))?;
            work(steps)
        })
    }
}

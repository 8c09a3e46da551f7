//! A change of the database, all of it or nothing.

use super::Database;
use crate::error::Result;

/// What SQLite may keep of the file in memory.
const CACHE_BYTES: u64 = 64 << 20;

impl Database {
    /// Changes the database by `work`; when that fails, the database is as it was before.
    pub(super) fn change<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.prepare_to_write(CACHE_BYTES)?;
        let transaction = self.write_transaction()?;
        let done =
            work().and_then(|done| transaction.commit().map(|()| done).map_err(|e| self.error(e)));
        self.finish_writing()?;
        done
    }
}

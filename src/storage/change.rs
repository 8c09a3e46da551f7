//! A change of the database, all of it or nothing.

use super::Database;
use crate::error::Result;

impl Database {
    /// Changes the database by `work`, with so many bytes of memory for pages; when that fails, the
    /// database is as it was before.
    pub(crate) fn change<T>(
        &self,
        cache_bytes: u64,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.prepare_to_write(cache_bytes)?;
        let transaction = self.write_transaction()?;
        let done =
            work().and_then(|done| transaction.commit().map(|()| done).map_err(|e| self.error(e)));
        self.finish_writing()?;
        done
    }
}

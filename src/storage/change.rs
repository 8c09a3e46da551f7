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

    /// Begins what may be taken back within a change.
    pub(crate) fn begin_attempt(&self) -> Result<()> {
        self.connection.execute_batch("SAVEPOINT attempt").map_err(|e| self.error(e))
    }

    /// Ends what was begun: it is kept, or all is as it was before.
    pub(crate) fn end_attempt(&self, keep: bool) -> Result<()> {
        let sql = match keep {
            true => "RELEASE attempt",
            false => "ROLLBACK TO attempt; RELEASE attempt",
        };
        self.connection.execute_batch(sql).map_err(|e| self.error(e))
    }
}

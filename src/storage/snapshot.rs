//! One connection for many answers, each from a snapshot of its own.

use super::Database;
use crate::error::Result;

impl Database {
    /// Ends the snapshot, so that a writer need not wait for this connection. [`Database::begin_snapshot`] begins the
    /// next one.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn end_snapshot(&self) -> Result<()> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.connection.execute_batch("ROLLBACK").map_err(|e| self.error(e))
    }

    /// Begins a snapshot of the present state.
    ///
    /// # Errors
    /// When a writer keeps the database for too long, or it cannot be read.
    pub fn begin_snapshot(&self) -> Result<()> {
        self.end_snapshot()?;
        self.connection.execute_batch("BEGIN").map_err(|e| self.error(e))?;
        // The first statement that reads takes the snapshot.
        self.data_version().map(drop)
    }

    /// A number that is another one after each change by another connection. It says nothing beside the numbers of
    /// other connections, and stays the same in a snapshot.
    ///
    /// # Errors
    /// As for [`Database::begin_snapshot`].
    pub fn data_version(&self) -> Result<i64> {
        self.ask("PRAGMA data_version")
    }

    /// Limits the memory for pages of the file, in KiB.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn limit_page_cache(&self, kib: u32) -> Result<()> {
        let set = self.connection.pragma_update(None, "cache_size", -i64::from(kib));
        set.map_err(|e| self.error(e))
    }
}

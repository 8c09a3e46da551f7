//! Changes of the database, in one transaction or in several steps.

use std::cell::RefCell;

use rusqlite::Transaction;

use super::Database;
use crate::error::Result;

/// The steps of a change: each step is atomic, and is kept when a later one fails.
pub(crate) struct Commits<'d> {
    database: &'d Database,
    open: RefCell<Option<Transaction<'d>>>,
}

impl Commits<'_> {
    /// Commits a step and begins the next.
    ///
    /// # Errors
    /// When the database cannot be written; the changes of this step are then rolled back.
    pub(crate) fn next(&self) -> Result<()> {
        self.commit()?;
        *self.open.borrow_mut() = Some(self.database.write_transaction()?);
        Ok(())
    }

    fn commit(&self) -> Result<()> {
        match self.open.borrow_mut().take() {
            Some(transaction) => transaction.commit().map_err(|e| self.database.error(e)),
            None => Ok(()),
        }
    }
}

impl Database {
    /// Writes in steps, with `cache_bytes` of memory for pages; on failure, the database is as it was after the
    /// previous step.
    pub(crate) fn write_in_steps<'d, T>(
        &'d self,
        cache_bytes: u64,
        work: impl FnOnce(&Commits<'d>) -> Result<T>,
    ) -> Result<T> {
        self.prepare_to_write(cache_bytes)?;
        let steps = Commits { database: self, open: RefCell::new(Some(self.write_transaction()?)) };
        let done = work(&steps).and_then(|done| steps.commit().map(|()| done));
        drop(steps);
        let finished = self.finish_writing();
        done.and_then(|done| finished.map(|()| done))
    }
}

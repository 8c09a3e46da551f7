//! Searches for threads that answer together, all in one state of a database.

use std::path::Path;

use super::PositionSearch;
use crate::error::Result;
use crate::storage::{Database, Readers};

/// A search that the threads of a rayon pool ask side by side.
#[derive(Debug)]
pub struct SearchPool {
    search: PositionSearch,
    readers: Readers,
}

impl SearchPool {
    /// Opens a database for each thread of the current pool, as far as they can be in one state; all answers are of that,
    /// whatever others write meanwhile.
    ///
    /// # Errors
    /// When the database cannot be opened or read.
    pub fn open(path: &Path) -> Result<SearchPool> {
        let readers = Database::open_readers(path, crate::threads::count())?;
        let first = &readers[0];
        let search = PositionSearch::new(&first.connection).map_err(|e| first.error(e))?;
        Ok(SearchPool { search, readers: Readers::new(readers) })
    }

    /// What this thread finds out.
    pub fn ask<T>(&self, ask: impl FnOnce(&Database, &PositionSearch) -> T) -> T {
        ask(&self.readers.own(), &self.search)
    }
}

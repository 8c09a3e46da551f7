//! Searches for threads that answer together, all in one state of a database.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::PositionSearch;
use crate::error::Result;
use crate::storage::Database;

/// A search that the threads of a rayon pool ask side by side.
#[derive(Debug)]
pub struct SearchPool {
    search: PositionSearch,
    /// One for each thread, or fewer.
    readers: Vec<Mutex<Database>>,
}

impl SearchPool {
    /// Opens a database for each thread of the current pool, as far as they can be in one state; all answers are of that,
    /// whatever others write meanwhile.
    ///
    /// # Errors
    /// When the database cannot be opened or read.
    pub fn open(path: &Path) -> Result<SearchPool> {
        let readers = Database::open_readers(path, rayon::current_num_threads())?;
        let first = &readers[0];
        let search = PositionSearch::new(&first.connection).map_err(|e| first.error(e))?;
        Ok(SearchPool { search, readers: readers.into_iter().map(Mutex::new).collect() })
    }

    /// What this thread finds out.
    pub fn ask<T>(&self, ask: impl FnOnce(&Database, &PositionSearch) -> T) -> T {
        let thread = rayon::current_thread_index().unwrap_or_default();
        let own = &self.readers[thread % self.readers.len()];
        ask(&own.lock().unwrap_or_else(PoisonError::into_inner), &self.search)
    }
}

//! Searches for threads that answer together, all in one state of a database.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::PositionSearch;
use crate::error::Result;
use crate::storage::Database;

/// A search for each thread of the current rayon pool.
#[derive(Debug)]
pub struct SearchPool(Vec<Mutex<(Database, PositionSearch)>>);

impl SearchPool {
    /// Opens a database for each thread; all answers are of one state, whatever others write meanwhile.
    ///
    /// # Errors
    /// When the database cannot be opened or read, or others write into it without a pause.
    pub fn open(path: &Path) -> Result<SearchPool> {
        let readers = Database::open_readers(path, rayon::current_num_threads().max(1))?;
        let searches = readers.into_iter().map(|database| {
            let search =
                PositionSearch::new(&database.connection).map_err(|e| database.error(e))?;
            Ok(Mutex::new((database, search)))
        });
        searches.collect::<Result<_>>().map(SearchPool)
    }

    /// What the search of this thread finds out.
    pub fn ask<T>(&self, ask: impl FnOnce(&Database, &PositionSearch) -> T) -> T {
        let thread = rayon::current_thread_index().unwrap_or_default();
        let own = self.0[thread % self.0.len()].lock().unwrap_or_else(PoisonError::into_inner);
        ask(&own.0, &own.1)
    }
}

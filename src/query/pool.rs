//! Searches on several threads, all in one snapshot of a database.

use std::path::Path;

use super::PositionSearch;
use crate::board::Position;
use crate::error::Result;
use crate::ordered::ordered;
use crate::storage::{Database, Readers};
use crate::threads;

/// Items in work for each thread: enough to keep all threads busy.
const ITEMS_A_THREAD: usize = 4;

/// A search that the threads of a rayon pool share.
#[derive(Debug)]
pub struct SearchPool {
    search: PositionSearch,
    readers: Readers,
}

impl SearchPool {
    /// Opens a database for each thread of the current pool, as far as they can share a snapshot; all answers are from
    /// that snapshot, whatever others write meanwhile.
    ///
    /// # Errors
    /// When the database cannot be opened or read.
    pub fn open(path: impl AsRef<Path>) -> Result<SearchPool> {
        let path = path.as_ref();
        let readers = Database::open_readers(path, threads::count())?;
        let first = &readers[0];
        let search = PositionSearch::new(&first.connection).map_err(|e| first.error(e))?;
        Ok(SearchPool { search, readers: Readers::new(readers) })
    }

    /// Calls `answer` for each item on all threads, and passes the results to `sink` in the order of the items. Items
    /// may come slowly; a few for each thread are in work or waiting.
    ///
    /// # Errors
    /// The first error of `sink`, which stops the work.
    pub fn query_in_order<T: Send, R: Send, E>(
        &self,
        items: impl Iterator<Item = T> + Send,
        answer: impl Fn(T) -> R + Sync,
        sink: impl FnMut(R) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let limit = ITEMS_A_THREAD * threads::count();
        ordered(items, limit, answer, sink)
    }

    /// The number of games that reach one of some positions.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count(&self, positions: &[Position]) -> Result<u64> {
        self.query(|database, search| {
            let count = search.count(&database.connection, positions);
            count.map_err(|e| database.error(e))
        })
    }

    /// Runs a query with this thread's connection.
    pub fn query<T>(&self, run: impl FnOnce(&Database, &PositionSearch) -> T) -> T {
        run(&self.readers.own(), &self.search)
    }
}

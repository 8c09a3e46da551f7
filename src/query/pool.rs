//! Searches for threads that answer together, all in one state of a database.

use std::path::Path;

use super::PositionSearch;
use crate::board::Position;
use crate::error::Result;
use crate::ordered::ordered;
use crate::storage::{Database, Readers};
use crate::threads;

/// Items that are under way for each thread: as many as keep all threads at work.
const ITEMS_A_THREAD: usize = 4;

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
    pub fn open(path: impl AsRef<Path>) -> Result<SearchPool> {
        let path = path.as_ref();
        let readers = Database::open_readers(path, threads::count())?;
        let first = &readers[0];
        let search = PositionSearch::new(&first.connection).map_err(|e| first.error(e))?;
        Ok(SearchPool { search, readers: Readers::new(readers) })
    }

    /// Asks something for each of some items, on all threads, and hands the answers over in the order of the items. The
    /// items may come slowly; a few for each thread are under way or waiting.
    ///
    /// # Errors
    /// The first error of `sink`; nothing more is asked then.
    pub fn ask_in_order<T: Send, R: Send, E>(
        &self,
        items: impl Iterator<Item = T> + Send,
        ask: impl Fn(T) -> R + Sync,
        sink: impl FnMut(R) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let limit = ITEMS_A_THREAD * threads::count();
        ordered(items, limit, ask, sink)
    }

    /// How many games reach one of some positions.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count(&self, positions: &[Position]) -> Result<u64> {
        self.ask(|database, search| {
            let count = search.count(&database.connection, positions);
            count.map_err(|e| database.error(e))
        })
    }

    /// What this thread finds out.
    pub fn ask<T>(&self, ask: impl FnOnce(&Database, &PositionSearch) -> T) -> T {
        ask(&self.readers.own(), &self.search)
    }
}

//! Searches on several threads, each database in one snapshot.

use std::path::Path;

use super::PositionSearch;
use crate::board::Position;
use crate::error::Result;
use crate::ordered::ordered;
use crate::storage::{Database, InDatabase, Readers, refuse_twice, shared_cache_kib};
use crate::threads;

/// The number of items in work for each thread: enough to keep all threads busy.
const ITEMS_A_THREAD: usize = 4;

/// A search of one or several databases that the threads of a rayon pool share.
#[derive(Debug)]
pub struct SearchPool(Vec<PooledDatabase>);

/// A database with a connection for each thread.
#[derive(Debug)]
struct PooledDatabase {
    search: PositionSearch,
    readers: Readers,
}

impl SearchPool {
    /// Opens databases for each thread of the current pool, provided that the threads can share a snapshot. All answers
    /// of a database are from one snapshot, whatever others write meanwhile.
    ///
    /// # Errors
    /// When a database cannot be opened or read, or is given twice.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<SearchPool> {
        let files: Vec<P> = paths.into_iter().collect();
        refuse_twice(&files)?;

        let cache_kib = shared_cache_kib(files.len());
        let mut searched = Vec::with_capacity(files.len());
        for file in &files {
            searched.push(PooledDatabase::open(file.as_ref(), cache_kib)?);
        }
        Ok(SearchPool(searched))
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

    /// The number of games of all databases that reach one of some positions.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn count(&self, positions: &[Position]) -> Result<u64> {
        let counts = self.query(|database, search| {
            let count = search.count(&database.connection, positions);
            count.in_database(database)
        })?;
        Ok(counts.into_iter().sum())
    }

    /// Queries each database with this thread's connection.
    ///
    /// # Errors
    /// The first error of `query`.
    pub fn query<T>(
        &self,
        query: impl Fn(&Database, &PositionSearch) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut answers = Vec::with_capacity(self.0.len());
        for PooledDatabase { search, readers } in &self.0 {
            let reader = readers.for_thread();
            answers.push(query(&reader, search)?);
        }
        Ok(answers)
    }
}

impl PooledDatabase {
    /// Opens a database with a connection for each thread of the current pool.
    fn open(path: &Path, cache_kib: u32) -> Result<PooledDatabase> {
        let readers = Database::open_readers(path, threads::count())?;
        for reader in &readers {
            reader.limit_page_cache(cache_kib)?;
        }

        // At least one connection was opened, or this would have failed.
        let first = &readers[0];
        let search = PositionSearch::new(&first.connection).in_database(first)?;
        Ok(PooledDatabase {
            search,
            readers: Readers::new(readers),
        })
    }
}

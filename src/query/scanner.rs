//! A pattern scan over the games of a selection, on all threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::vec::IntoIter;

use super::pattern::{Candidate, Found, PatternCursor, PositionQuery, scan, scan_parallel};
use super::{Selection, Watch};
use crate::error::Result;
use crate::storage::{Database, InDatabase, Readers};

/// From this many candidates on, each thread reads its own.
const MANY_CANDIDATES: usize = 1000;

/// The games of a settled selection in which a pattern matches, by number.
pub(super) struct Scanner<'d> {
    cursor: PatternCursor,
    scan: Scan<'d>,
}

/// How games are read and replayed.
struct Scan<'d> {
    database: &'d Database,
    readers: Readers,
    watch: Watch<'d>,
    replayed: u64,
    all: u64,
}

impl<'d> Scanner<'d> {
    pub(super) fn new(
        database: &'d Database,
        selection: &Selection<'_>,
        pattern: &PositionQuery,
        watch: Watch<'d>,
    ) -> Result<Scanner<'d>> {
        let games = selection.candidates().clone();
        let candidates = pattern.candidates(selection.column_store(), games);
        let candidates = candidates.in_database(database)?;
        let readers = match candidates.len() {
            0..MANY_CANDIDATES => Vec::new(),
            _ => database.open_reader(crate::threads::count()),
        };
        let (readers, all) = (Readers::new(readers), candidates.len() as u64);
        let cursor = PatternCursor::new(pattern.clone(), candidates);
        Ok(Scanner {
            cursor,
            scan: Scan {
                database,
                readers,
                watch,
                replayed: 0,
                all,
            },
        })
    }

    /// The next match; at most `limit` matches are sought.
    pub(super) fn next(&mut self, limit: usize) -> Result<Option<Found>> {
        let Scanner { cursor, scan } = self;
        cursor.next(|pattern, candidates| scan.run(pattern, candidates, limit))
    }

    /// All remaining matches.
    pub(super) fn into_all(self) -> Result<Vec<Found>> {
        let (pattern, candidates) = self.cursor.into_candidates();
        let mut scan = self.scan;
        scan.run(&pattern, candidates, usize::MAX)
    }
}

impl Scan<'_> {
    fn run(
        &mut self,
        pattern: &PositionQuery,
        candidates: IntoIter<Candidate>,
        limit: usize,
    ) -> Result<Vec<Found>> {
        self.watch.check()?;
        let Scan {
            database,
            readers,
            watch,
            replayed,
            all,
        } = self;
        let (before, among) = (*replayed, candidates.len() as u64);
        let is_cancelled = AtomicBool::new(false);
        let candidates = candidates.take_while(|_| !is_cancelled.load(Ordering::Relaxed));
        let progress = |games| {
            watch.report(before + games, *all);
            is_cancelled.store(watch.is_cancelled(), Ordering::Relaxed);
        };
        let found = if readers.is_empty() {
            scan(&database.connection, pattern, candidates, limit, progress)
        } else {
            scan_parallel(readers, pattern, candidates, limit, progress)
        };
        *replayed += among;
        watch.check()?;
        found.in_database(database)
    }
}

//! A pattern scan over the games of a selection, on all threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::vec::IntoIter;

use super::pattern::{Candidate, PatternCursor, PatternHit, PositionQuery, scan, scan_parallel};
use super::{Selection, Watch};
use crate::error::Result;
use crate::storage::{Database, InDatabase, Readers};

/// The minimum number of candidates for which each thread opens a connection to read games.
const MIN_PARALLEL_CANDIDATES: usize = 1000;

/// The games of a settled selection in which a pattern matches, by number.
pub(super) struct Scanner<'d> {
    cursor: PatternCursor,
    scan: Scan<'d>,
}

/// The reading and replaying of games, and its progress.
struct Scan<'d> {
    database: &'d Database,
    /// A connection for each thread; none if the calling thread reads for all.
    readers: Readers,
    watch: Watch<'d>,
    replayed: u64,
    all: u64,
}

impl<'d> Scanner<'d> {
    /// Reads the candidates of a pattern among the games of a settled selection.
    pub(super) fn new(
        database: &'d Database,
        selection: &Selection<'_>,
        pattern: &PositionQuery,
        watch: Watch<'d>,
    ) -> Result<Scanner<'d>> {
        let games = selection.candidates().clone();
        let candidates = pattern
            .candidates(selection.column_store(), games)
            .in_database(database)?;

        let readers = if candidates.len() < MIN_PARALLEL_CANDIDATES {
            Vec::new()
        } else {
            database.open_more_readers(crate::threads::count())
        };
        let scan = Scan {
            database,
            readers: Readers::new(readers),
            watch,
            replayed: 0,
            all: candidates.len() as u64,
        };
        Ok(Scanner {
            cursor: PatternCursor::new(pattern.clone(), candidates),
            scan,
        })
    }

    /// The next match. A batch of candidates is searched for at most `limit` matches.
    pub(super) fn next(&mut self, limit: usize) -> Result<Option<PatternHit>> {
        let Scanner { cursor, scan } = self;
        cursor.next(|pattern, candidates| scan.run(pattern, candidates, limit))
    }

    /// All remaining matches.
    pub(super) fn into_all(self) -> Result<Vec<PatternHit>> {
        let (pattern, candidates) = self.cursor.into_candidates();
        let mut scan = self.scan;
        scan.run(&pattern, candidates, usize::MAX)
    }
}

impl Scan<'_> {
    /// Scans candidates for up to `limit` matches.
    fn run(
        &mut self,
        pattern: &PositionQuery,
        candidates: IntoIter<Candidate>,
        limit: usize,
    ) -> Result<Vec<PatternHit>> {
        self.watch.check()?;
        let Scan {
            database,
            readers,
            watch,
            replayed,
            all,
        } = self;
        let before = *replayed;
        let count = candidates.len() as u64;

        // A scan has no way to be cancelled, so its candidates end early.
        let is_cancelled = AtomicBool::new(false);
        let until_cancelled = candidates.take_while(|_| !is_cancelled.load(Ordering::Relaxed));
        let progress = |games| {
            watch.report(before + games, *all);
            is_cancelled.store(watch.is_cancelled(), Ordering::Relaxed);
        };

        let found = if readers.is_empty() {
            let connection = &database.connection;
            scan(connection, pattern, until_cancelled, limit, progress)
        } else {
            scan_parallel(readers, pattern, until_cancelled, limit, progress)
        };
        *replayed += count;

        watch.check()?;
        found.in_database(database)
    }
}

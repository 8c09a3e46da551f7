//! Changes of a database. Each change first completes the names, the openings of games and the column store.

use crate::columns;
use crate::error::Result;
use crate::storage::{Commits, Database, InDatabase};

/// The page cache of a change for which the caller sets no limit, in bytes.
pub(super) const CACHE_BYTES: u64 = 64 << 20;

impl Database {
    /// Changes the database by `work`, with `cache_bytes` of memory for pages; on failure, the database is as it was
    /// before.
    pub(crate) fn change<T>(
        &self,
        cache_bytes: u64,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        self.write_in_steps(cache_bytes, |_| {
            catch_up(self)?;
            work()
        })
    }

    /// Like `change`, for work in steps; on failure, the database is as it was after the previous step. The first step
    /// completes unfinished names and columns of an earlier change, so that they stay complete if the work is killed.
    pub(crate) fn change_in_steps<'d, T>(
        &'d self,
        cache_bytes: u64,
        work: impl FnOnce(&Commits<'d>) -> Result<T>,
    ) -> Result<T> {
        self.write_in_steps(cache_bytes, |steps| {
            catch_up(self)?;
            steps.next()?;
            work(steps)
        })
    }
}

/// Completes names that an import has left unfinished, and describes games that have no columns yet. If games are named
/// by another table of openings or not at all, names and describes all games.
pub(super) fn catch_up(database: &Database) -> Result<()> {
    let connection = &database.connection;
    database.complete_names()?;

    // A table of openings changes with a version of the program, or by the user.
    if database.are_games_named()? {
        columns::catch_up(connection).in_database(database)
    } else {
        database.without_triggers(|| database.name_all_games())?;
        columns::rebuild(connection).in_database(database)
    }
}

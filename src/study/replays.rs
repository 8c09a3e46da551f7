//! Replays of the games of a database for sinks whose errors already name their database.

use crate::error::{Error, Result};
use crate::storage::{Database, GameSet, IndexedLines, PlayedGame, replay_stored};

/// Replays the mainlines of some games, by default of all games, in the order of their numbers.
///
/// # Errors
/// When the database cannot be read, and the first error of `sink`.
pub(super) fn replay_games<R: Send>(
    database: &Database,
    games: Option<&GameSet>,
    work: impl Fn(&[PlayedGame]) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let all_ids = (i64::MIN, i64::MAX);
    let lines = IndexedLines::Mainline;
    let sink = |result: R| sink(result).map_err(ReplayError::Sink);

    let replayed = replay_stored(&database.connection, all_ids, games, lines, work, sink);
    replayed.map_err(|error| match error {
        ReplayError::Sink(error) => error,
        ReplayError::Read(error) => database.error(error),
    })
}

/// The error that ended a replay: an error of the sink, which already names its database, or an error of reading.
enum ReplayError {
    Sink(Error),
    Read(rusqlite::Error),
}

impl From<rusqlite::Error> for ReplayError {
    fn from(error: rusqlite::Error) -> ReplayError {
        ReplayError::Read(error)
    }
}

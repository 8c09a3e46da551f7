//! Why stored games could not be played through again.

use super::Database;
use crate::error::Error;

/// What ends work on stored games.
#[derive(Debug)]
pub(crate) enum ReplayError {
    /// The database cannot be read or written.
    Sqlite(rusqlite::Error),
    /// The stored moves of the game with this number are none; somebody has changed them.
    Unplayable(i64),
}

impl From<rusqlite::Error> for ReplayError {
    fn from(error: rusqlite::Error) -> ReplayError {
        ReplayError::Sqlite(error)
    }
}

impl Database {
    /// What has ended work on this database's games.
    pub(crate) fn replay_error(&self, error: ReplayError) -> Error {
        match error {
            ReplayError::Sqlite(error) => self.error(error),
            ReplayError::Unplayable(game) => {
                self.damaged(format!("the moves of game {game} cannot be replayed"))
            }
        }
    }
}

//! Deletion of games from the database.

use super::change::{CACHE_BYTES, catch_up};
use crate::error::{Error, Result};
use crate::storage::{Database, GameSet, InDatabase, delete_games, remove_unused_names};

impl Database {
    /// Deletes the games that `choose` returns, and names that become unused; returns the number of games. On failure,
    /// nothing is deleted.
    ///
    /// `choose` runs in the same transaction, so that no other program can write in between.
    ///
    /// # Errors
    /// Any error of `choose`, or when the database cannot be written; it is then as it was before.
    pub fn delete_games<E: From<Error>>(
        &self,
        choose: impl FnOnce() -> Result<GameSet, E>,
    ) -> Result<u64, E> {
        self.write_in_steps(CACHE_BYTES, |_| {
            catch_up(self)?;

            let games = choose()?;
            let deleted = delete_games(&self.connection, &games).in_database(self)?;
            // The search for unused names scans all games.
            if deleted > 0 {
                remove_unused_names(&self.connection).in_database(self)?;
            }
            Ok(deleted)
        })
    }
}

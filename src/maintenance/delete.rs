//! Deletion of games from the database.

use super::change::CACHE_BYTES;
use crate::error::Result;
use crate::storage::{Database, GameSet, delete_games, remove_unused_names};

impl Database {
    /// Deletes the games that `choose` returns, all of them or none, and names that become unused; returns the number
    /// of games.
    ///
    /// `choose` runs in the same transaction, so that no other program can write in between.
    ///
    /// # Errors
    /// Any error of `choose`, or when the database cannot be written; it is then as it was before.
    pub fn delete_games(&self, choose: impl FnOnce() -> Result<GameSet>) -> Result<u64> {
        self.change(CACHE_BYTES, || {
            let games = choose()?;
            let fail = |e| self.error(e);
            let deleted = delete_games(&self.connection, &games).map_err(fail)?;
            if deleted > 0 {
                remove_unused_names(&self.connection).map_err(fail)?;
            }
            Ok(deleted)
        })
    }
}

//! Games out of the database.

use super::change::CACHE_BYTES;
use crate::error::Result;
use crate::storage::{Database, GameSet, delete_games, remove_unused_names};

impl Database {
    /// Deletes the games that `choose` names, all of them or none, and the names that no game has afterwards; says how many
    /// games there were.
    ///
    /// They are chosen in the state from which they are deleted, whatever other programs write meanwhile.
    ///
    /// # Errors
    /// Whatever `choose` returns, or when the database cannot be written; it is then as it was before.
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

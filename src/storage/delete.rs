//! Games out of the database.

use rusqlite::Connection;

use super::{CHANGE_CACHE_BYTES, Database, GameSet};
use crate::error::Result;

impl Database {
    /// Deletes the games that `choose` names, all of them or none, and the names that no game has afterwards; says how many
    /// games there were.
    ///
    /// They are chosen in the state from which they are deleted, whatever other programs write meanwhile.
    ///
    /// # Errors
    /// Whatever `choose` returns, or when the database cannot be written; it is then as it was before.
    pub fn delete_games(&self, choose: impl FnOnce() -> Result<GameSet>) -> Result<u64> {
        self.change(CHANGE_CACHE_BYTES, || {
            let games = choose()?;
            let deleted = delete(&self.connection, &games).map_err(|e| self.error(e))?;
            if deleted > 0 {
                self.remove_unused_names()?;
            }
            Ok(deleted)
        })
    }

    /// Whether there is a game with a number from `first` to `last`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_game_between(&self, first: i64, last: i64) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM game WHERE id BETWEEN ?1 AND ?2)";
        let exists = self.connection.query_row(sql, [first, last], |row| row.get(0));
        exists.map_err(|e| self.error(e))
    }
}

fn delete(connection: &Connection, games: &GameSet) -> rusqlite::Result<u64> {
    let mut delete = connection.prepare("DELETE FROM game WHERE id = ?1")?;
    let mut deleted = 0;
    for game in games.iter() {
        deleted += delete.execute([game])? as u64;
    }
    Ok(deleted)
}

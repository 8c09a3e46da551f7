//! Deletion of games.

use rusqlite::Connection;

use super::{Database, GameId, GameSet, InDatabase};
use crate::error::Result;

/// Deletes games and returns their number. A trigger notes for each game that its positions are gone.
pub(crate) fn delete_games(connection: &Connection, games: &GameSet) -> rusqlite::Result<u64> {
    let mut delete = connection.prepare("DELETE FROM game WHERE id = ?1")?;
    let mut deleted = 0;
    for game in games.iter() {
        deleted += delete.execute([game])? as u64;
    }
    Ok(deleted)
}

impl Database {
    /// `true` if there is a game from `first` to `last`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_game_between(&self, first: GameId, last: GameId) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM game WHERE id BETWEEN ?1 AND ?2)";
        let exists = self
            .connection
            .query_row(sql, [first, last], |row| row.get(0));
        exists.in_database(self)
    }
}

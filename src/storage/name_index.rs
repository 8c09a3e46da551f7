//! SQL indexes from names and addresses to games: built in bulk after the first import, and maintained from then on.

use rusqlite::Connection;

use super::Database;
use crate::error::Result;

/// The indexes of `game`, each with its columns and condition.
const GAME_INDEXES: [(&str, &str); 4] = [
    ("game_white", "(white_id)"),
    ("game_black", "(black_id)"),
    ("game_event", "(event_id)"),
    ("game_address", "(address) WHERE address IS NOT NULL"),
];

/// Builds missing indexes of `game`.
pub(super) fn build_game_indexes(connection: &Connection) -> rusqlite::Result<()> {
    GAME_INDEXES.into_iter().try_for_each(|(name, columns)| {
        connection.execute_batch(&format!("CREATE INDEX IF NOT EXISTS {name} ON game{columns}"))
    })
}

impl Database {
    /// Drops the indexes while the database has no game, since building them at the end is faster.
    pub(crate) fn put_off_name_indexes(&self) -> Result<()> {
        if self.count_games()? > 0 {
            return Ok(());
        }
        let drop = |(name, _)| format!("DROP INDEX IF EXISTS {name}");
        let sql: Vec<String> = GAME_INDEXES.into_iter().map(drop).collect();
        self.connection.execute_batch(&sql.join(";")).map_err(|e| self.error(e))
    }

    /// Builds missing indexes.
    pub(crate) fn build_name_indexes(&self) -> Result<()> {
        build_game_indexes(&self.connection).map_err(|e| self.error(e))
    }
}

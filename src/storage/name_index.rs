//! SQL indexes from names and addresses to games: built in bulk after the first import, and maintained from then on.

use rusqlite::Connection;

use super::Database;
use super::name_words::index_all_words;
use crate::error::Result;

/// The indexes of `game`, each with its columns and condition.
const GAME_INDEXES: [(&str, &str); 4] = [
    ("game_white", "(white_id)"),
    ("game_black", "(black_id)"),
    ("game_event", "(event_id)"),
    ("game_address", "(address) WHERE address IS NOT NULL"),
];

/// The index that keeps the names of players unique, and finds them.
const UNIQUE_INDEX: &str = "CREATE UNIQUE INDEX IF NOT EXISTS player_unique ON player(name)";

/// Builds the index of players' names, if it is missing.
pub(super) fn build_unique_index(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(UNIQUE_INDEX)
}

/// Builds missing indexes of `game`.
pub(super) fn build_game_indexes(connection: &Connection) -> rusqlite::Result<()> {
    (0..GAME_INDEXES.len()).try_for_each(|index| build_game_index(connection, index))
}

fn build_game_index(connection: &Connection, index: usize) -> rusqlite::Result<()> {
    let (name, columns) = GAME_INDEXES[index];
    connection.execute_batch(&format!("CREATE INDEX IF NOT EXISTS {name} ON game{columns}"))
}

/// The number of indexes from names and addresses.
pub(crate) const NAME_INDEXES: usize = 1 + GAME_INDEXES.len();

/// Builds one of the [`NAME_INDEXES`], if it is missing.
pub(crate) fn build_name_index(connection: &Connection, index: usize) -> rusqlite::Result<()> {
    match index.checked_sub(1) {
        None => build_unique_index(connection),
        Some(index) => build_game_index(connection, index),
    }
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

    /// Drops the index of players' names while there are none; a trigger keeps them unique meanwhile.
    pub(crate) fn put_off_unique_names(&self) -> Result<()> {
        if self.ask("SELECT EXISTS (SELECT 1 FROM player)")? != 0 {
            return Ok(());
        }
        let dropped = self.connection.execute_batch("DROP INDEX IF EXISTS player_unique");
        dropped.map_err(|e| self.error(e))
    }

    /// Builds missing indexes.
    pub(crate) fn build_name_indexes(&self) -> Result<()> {
        (0..NAME_INDEXES)
            .try_for_each(|index| build_name_index(&self.connection, index))
            .map_err(|e| self.error(e))
    }

    /// Completes the names that an import has left without their index or their words.
    pub(crate) fn complete_names(&self) -> Result<()> {
        build_unique_index(&self.connection)
            .and_then(|()| index_all_words(&self.connection))
            .map_err(|e| self.error(e))
    }
}

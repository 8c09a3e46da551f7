//! SQL indexes from names and addresses to games: built in bulk at the end of a large import, and maintained by small
//! ones.

use rusqlite::Connection;

use super::name_words::index_all_words;
use super::{Database, InDatabase};
use crate::error::Result;

/// The indexes of `game`, each with its columns and condition.
const GAME_INDEXES: [(&str, &str); 4] = [
    ("game_white", "(white_id)"),
    ("game_black", "(black_id)"),
    ("game_event", "(event_id)"),
    ("game_address", "(address) WHERE address IS NOT NULL"),
];

/// Adding one game to large indexes takes the time of sorting this number of games into new ones. Its names and its
/// address belong to different pages, which are read, logged and written.
const GAMES_BUILT_PER_ADDED: u64 = 24;

/// The index that keeps the names of players unique, and finds them.
const UNIQUE_INDEX: &str = "CREATE UNIQUE INDEX IF NOT EXISTS player_unique ON player(name)";

/// The page cache while an index is built, in KiB. SQLite sorts as much at once as the cache holds, and a list that
/// stays in the processor's cache is sorted twice as fast as one of 64 MiB.
const SORT_CACHE_KIB: i64 = 2048;

/// Builds the index of players' names, if it is missing.
pub(super) fn build_unique_index(connection: &Connection) -> rusqlite::Result<()> {
    sort_into_index(connection, UNIQUE_INDEX)
}

/// Runs a statement that builds an index.
fn sort_into_index(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    let cache: i64 = connection.pragma_query_value(None, "cache_size", |row| row.get(0))?;

    // A negative number means KiB.
    connection.pragma_update(None, "cache_size", -SORT_CACHE_KIB)?;
    let built = connection.execute_batch(sql);
    connection.pragma_update(None, "cache_size", cache)?;
    built
}

/// Builds the index of `game` with a place in [`GAME_INDEXES`], if it is missing.
fn build_game_index(connection: &Connection, index: usize) -> rusqlite::Result<()> {
    let (name, columns) = GAME_INDEXES[index];
    let sql = format!("CREATE INDEX IF NOT EXISTS {name} ON game{columns}");
    sort_into_index(connection, &sql)
}

/// `true` if an SQL text in SQLite's schema, reduced to words with single spaces, is an index of `game` of this
/// version.
pub(super) fn is_own_index(sql: &str) -> bool {
    GAME_INDEXES.iter().any(|(name, columns)| {
        // The schema has a space before the columns or none, and it lacks `IF NOT EXISTS`.
        let built = format!("CREATE INDEX {name} ON game{columns}");
        let spaced = format!("CREATE INDEX {name} ON game {columns}");
        sql == built || sql == spaced
    })
}

/// The names of the [`NAME_INDEXES`] that are missing, because an import was killed.
pub(super) fn missing_indexes(connection: &Connection) -> rusqlite::Result<Vec<&'static str>> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?1";
    let mut select = connection.prepare(sql)?;

    let game_indexes = GAME_INDEXES.map(|(name, _)| name);
    let names = ["player_unique"].into_iter().chain(game_indexes);

    let mut missing = Vec::new();
    for name in names {
        if !select.exists([name])? {
            missing.push(name);
        }
    }
    Ok(missing)
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
    /// Drops the indexes of `game` if building them again is faster than adding games to them. About `games` are in the
    /// database, and `added` are about to be added. Returns `true` if the indexes have been dropped.
    pub(crate) fn put_off_name_indexes(&self, games: u64, added: u64) -> Result<bool> {
        if added.saturating_mul(GAMES_BUILT_PER_ADDED) < games {
            return Ok(false);
        }

        for (name, _) in GAME_INDEXES {
            let sql = format!("DROP INDEX IF EXISTS {name}");
            self.connection.execute_batch(&sql).in_database(self)?;
        }
        Ok(true)
    }

    /// Drops the index of players' names if there are no names yet; a trigger keeps them unique meanwhile.
    pub(crate) fn put_off_unique_names(&self) -> Result<()> {
        if self.ask("SELECT EXISTS (SELECT 1 FROM player)")? != 0 {
            return Ok(());
        }

        let dropped = self
            .connection
            .execute_batch("DROP INDEX IF EXISTS player_unique");
        dropped.in_database(self)
    }

    /// Builds missing indexes.
    pub(crate) fn build_name_indexes(&self) -> Result<()> {
        for index in 0..NAME_INDEXES {
            build_name_index(&self.connection, index).in_database(self)?;
        }
        Ok(())
    }

    /// Completes the names that an import has left without their index or their words.
    pub(crate) fn complete_names(&self) -> Result<()> {
        build_unique_index(&self.connection).in_database(self)?;
        index_all_words(&self.connection).in_database(self)
    }
}

//! Schema versions: migrations, and recognition of files that have lost their version.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

/// The `application_id` of a Stamma database: `Stma` as a big-endian number.
pub(super) const APPLICATION_ID: i64 = 0x5374_6d61;

/// The `application_id` of databases before the first release, `Stam`. They have versions from 1 to 13. A released
/// version with one of these numbers has other tables.
pub(super) const UNRELEASED_ID: i64 = 0x5374_616d;

/// The page size of new databases. Compared with 4096 bytes, half as much room is unused behind rows of moves, and the
/// system is asked to write half as often. Larger pages make small changes of large indexes slow.
const PAGE_BYTES: u32 = 8192;

/// The SQL that makes an empty file a Stamma database, still without tables.
pub(super) fn set_up_new() -> String {
    format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA application_id = {APPLICATION_ID}")
}

/// The newest schema version, which is stored in `user_version`.
pub(crate) const VERSION: i64 = 1;

/// The migrations from each version to the next. Databases of every released version must open, so a released migration
/// is never changed: a new version adds a migration.
pub(super) static SCHEMA: LazyLock<Migrations<'_>> =
    LazyLock::new(|| Migrations::new(vec![M::up(TABLES)]));

/// The tables, views and triggers of version 1.
const TABLES: &str = include_str!("../../migrations/0001_games.sql");

/// The view `games` as a subquery. Statements with it do not depend on the view of the file, which any program may have
/// changed.
pub(crate) static GAMES: LazyLock<String> = LazyLock::new(|| {
    let (_, select) = TABLES
        .split_once("CREATE VIEW games AS")
        .unwrap_or_default();
    format!("({}) AS games", select.trim_end().trim_end_matches(';'))
});

/// The tables, views and triggers of a schema by type and name, each with the words of its SQL text.
pub(super) type Objects = BTreeMap<(String, String), String>;

/// Reads the schema of a connection, without indexes, which come and go, and without SQLite's own objects.
pub(super) fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let sql = "SELECT type, name, sql FROM main.sqlite_schema
        WHERE type IN ('table', 'view', 'trigger') AND sql IS NOT NULL AND name NOT IN
        (SELECT shadow.name FROM pragma_table_list AS shadow WHERE shadow.type = 'shadow')";

    let mut select = connection.prepare(sql)?;
    let rows = select.query_map([], |row| {
        let kind: String = row.get(0)?;
        let name: String = row.get(1)?;
        let sql: String = row.get(2)?;
        Ok(((kind, name), words(&sql)))
    })?;
    rows.collect()
}

/// The words of an SQL text with single spaces between them.
pub(super) fn words(sql: &str) -> String {
    let words: Vec<&str> = sql.split_whitespace().collect();
    words.join(" ")
}

/// The schema of this version.
pub(super) fn expected() -> &'static Objects {
    static EXPECTED: LazyLock<Objects> =
        LazyLock::new(|| objects_of(VERSION).expect("every step runs on an empty database"));
    &EXPECTED
}

/// The schema of a version.
pub(super) fn objects_of(version: i64) -> rusqlite_migration::Result<Objects> {
    let mut connection = Connection::open_in_memory()?;
    SCHEMA.to_version(&mut connection, version as usize)?;
    Ok(objects(&connection)?)
}

/// The version that the schema of a file has, whatever number it stores; `None` if it is not a Stamma schema.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn recognize(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let found = objects(connection)?;
    if !found.contains_key(&table("movetext")) {
        return Ok(None);
    }

    // The newest version comes first, since a file may also have all objects of an older one.
    for version in (1..=VERSION).rev() {
        if let Ok(expected) = objects_of(version)
            && has_all(&found, &expected)
        {
            return Ok(Some(version));
        }
    }
    Ok(None)
}

/// `true` if a schema has all objects of another, word for word. Other programs may have added their own.
fn has_all(found: &Objects, expected: &Objects) -> bool {
    expected
        .iter()
        .all(|(object, sql)| found.get(object) == Some(sql))
}

/// `true` if a file has the tables of a database before the first release, whatever numbers it stores.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn is_unreleased(connection: &Connection) -> rusqlite::Result<bool> {
    let found = objects(connection)?;
    let has_games = found.contains_key(&table("movetext"));
    let has_positions = found.contains_key(&table("position_block"));
    // Only released versions have this table.
    let is_released = found.contains_key(&table("duplicate_search"));

    Ok(has_games && has_positions && !is_released)
}

/// The key of a table in [`Objects`].
fn table(name: &str) -> (String, String) {
    ("table".to_owned(), name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        SCHEMA
            .validate()
            .expect("every step runs on an empty database");
    }

    #[test]
    fn the_view_is_the_last_of_the_tables() {
        let mut connection = Connection::open_in_memory().expect("a database");
        SCHEMA.to_latest(&mut connection).expect("the tables");
        let columns = |sql: &str| {
            let select = connection.prepare(sql).expect("SQL");
            select.column_names().join(" ")
        };

        let of_subquery = columns(&format!("SELECT * FROM {}", *GAMES));
        let of_view = columns("SELECT * FROM games");
        assert_eq!(of_subquery, of_view);
    }

    #[test]
    fn every_version_is_recognized() {
        for version in 1..=VERSION {
            let mut connection = Connection::open_in_memory().expect("a database");
            SCHEMA
                .to_version(&mut connection, version as usize)
                .expect("a version");
            connection
                .execute_batch("CREATE TABLE own (id)")
                .expect("SQL");
            assert_eq!(recognize(&connection), Ok(Some(version)));
        }
    }
}

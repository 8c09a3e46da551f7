//! Schema versions: migrations, and recognition of files that have lost their version.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

/// The `application_id` of a Stamma database: `Stma` as a big-endian number.
pub(super) const APPLICATION_ID: i64 = 0x5374_6d61;

/// The `application_id` of databases before the first release, `Stam`. Their versions, 1 to 13, have other tables than
/// released versions with the same numbers.
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
        let sql: String = row.get(2)?;
        Ok(((row.get(0)?, row.get(1)?), words(&sql)))
    });
    rows?.collect()
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

    let is_found = |(object, sql): (&(String, String), &String)| {
        found.get(object).is_some_and(|found| found == sql)
    };
    let has_all = |expected: Objects| expected.iter().all(is_found);

    let newest = (1..=VERSION)
        .rev()
        .find(|&version| objects_of(version).is_ok_and(has_all));
    Ok(newest)
}

/// `true` if a file has the tables of a database before the first release, whatever numbers it stores.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn is_unreleased(connection: &Connection) -> rusqlite::Result<bool> {
    let found = objects(connection)?;
    let has = |name: &str| found.contains_key(&table(name));
    // All versions have the first two tables, and released ones the third.
    Ok(has("movetext") && has("position_block") && !has("duplicate_search"))
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
        assert_eq!(
            columns(&format!("SELECT * FROM {}", *GAMES)),
            columns("SELECT * FROM games")
        );
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

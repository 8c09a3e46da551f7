//! Schema versions: migrations, and recognition of files that have lost their version.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rusqlite::{Connection, Transaction};
use rusqlite_migration::{HookResult, M, Migrations};

use super::address_upgrade::divide_addresses;
use super::checksum;
use super::name_index::build_game_indexes;

/// The `application_id` of a Stamma database: `Stam` as a big-endian number.
pub(super) const APPLICATION_ID: i64 = 0x5374_616d;

/// The page size of new databases: half as much room is unused behind rows of moves as in pages of 4096 bytes, and the
/// system is asked to write half as often; larger ones make small changes of large indexes slow.
const PAGE_BYTES: u32 = 8192;

/// The SQL that makes an empty file a Stamma database, still without tables.
pub(super) fn set_up_new() -> String {
    format!("PRAGMA page_size = {PAGE_BYTES}; PRAGMA application_id = {APPLICATION_ID}")
}

/// The newest schema version, which is stored in `user_version`.
pub(crate) const VERSION: i64 = 13;

/// The migrations from each version to the next.
pub(super) static SCHEMA: LazyLock<Migrations<'_>> = LazyLock::new(|| {
    Migrations::new(vec![
        M::up(include_str!("../../migrations/0001_games_and_positions.sql")),
        M::up(include_str!("../../migrations/0002_stale_games.sql")),
        M::up(include_str!("../../migrations/0003_readings.sql")),
        M::up(include_str!("../../migrations/0004_encodings.sql")),
        M::up(include_str!("../../migrations/0005_source_text.sql")),
        M::up(include_str!("../../migrations/0006_variations.sql")),
        M::up(include_str!("../../migrations/0007_known_sources.sql")),
        M::up(include_str!("../../migrations/0008_catalog.sql")),
        M::up(include_str!("../../migrations/0009_checksums.sql")),
        M::up(include_str!("../../migrations/0010_openings.sql")),
        M::up(include_str!("../../migrations/0011_twins.sql")),
        M::up(include_str!("../../migrations/0012_names.sql")),
        M::up_with_hook(include_str!("../../migrations/0013_addresses_and_rows.sql"), upgrade_rows),
    ])
});

/// Computes what SQL cannot: the addresses of version 13, and the checksums of version 9 where it has been passed over.
/// A column store that does not match is built on the next change.
fn upgrade_rows(transaction: &Transaction<'_>) -> HookResult {
    let has_checksums = transaction.prepare("SELECT 1 FROM row_checksum")?.exists([])?;
    if !has_checksums {
        checksum::take_all(transaction)?;
    }
    divide_addresses(transaction)?;
    build_game_indexes(transaction)?;
    restore_objects_of_users(transaction)?;
    Ok(())
}

/// Makes the indexes and triggers again that went with tables made anew, apart from those that are there.
fn restore_objects_of_users(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let sql = "SELECT sql FROM temp.object_of_user AS own
        WHERE NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = own.name)";
    let mut select = transaction.prepare(sql)?;
    let objects = select.query_map([], |row| row.get(0))?;
    for object in objects.collect::<rusqlite::Result<Vec<String>>>()? {
        transaction.execute_batch(&object)?;
    }
    drop(select);
    transaction.execute_batch("DROP TABLE temp.object_of_user")
}

/// The tables, views and triggers of a schema by type and name, each with the words of its SQL text.
pub(super) type Objects = BTreeMap<(String, String), String>;

/// Reads the schema of a connection, without indexes, which come and go, and without SQLite's own objects.
pub(super) fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let sql = "SELECT type, name, sql FROM main.sqlite_schema
        WHERE type IN ('table', 'view', 'trigger') AND sql IS NOT NULL AND name NOT IN
        (SELECT shadow.name FROM pragma_table_list AS shadow WHERE shadow.type = 'shadow')";
    let mut select = connection.prepare(sql)?;
    let rows = select.query_map([], |row| {
        let words: String = row.get(2)?;
        let words: Vec<&str> = words.split_whitespace().collect();
        Ok(((row.get(0)?, row.get(1)?), words.join(" ")))
    });
    rows?.collect()
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
    let has_all = |expected: Objects| {
        expected.iter().all(|(object, sql)| found.get(object).is_some_and(|found| found == sql))
    };
    if !found.contains_key(&("table".to_owned(), "movetext".to_owned())) {
        return Ok(None);
    }
    Ok((1..=VERSION).rev().find(|&version| objects_of(version).is_ok_and(has_all)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        SCHEMA.validate().expect("every step runs on an empty database");
    }

    #[test]
    fn every_version_is_recognized() {
        for version in 1..=VERSION {
            let mut connection = Connection::open_in_memory().expect("a database");
            SCHEMA.to_version(&mut connection, version as usize).expect("a version");
            connection.execute_batch("CREATE TABLE own (id)").expect("SQL");
            assert_eq!(recognize(&connection), Ok(Some(version)));
        }
    }
}

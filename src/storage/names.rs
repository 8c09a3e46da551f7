//! Interned names: a row number for each distinct text.

use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::checksum::{CheckedTable, ChecksumWriter};
use super::known_names::{KnownNames, NameHash};
use super::name_index::build_unique_index;
use super::name_words::UnindexedWords;

/// A table of names, with the row numbers of many of them in memory.
pub(super) struct Names<'c> {
    connection: &'c Connection,
    known: KnownNames,
    /// The last name and its number: many consecutive games have one event.
    last: (String, i64),
    table: CheckedTable,
    next_id: i64,
    select: Statement<'c>,
    /// `true` if `known` has all names of the table, so that no look-up is needed.
    knows_all: bool,
    insert: Statement<'c>,
    /// The full-text index, if the table has one.
    words: Option<UnindexedWords>,
}

impl<'c> Names<'c> {
    /// Prepares to look up and add names in a table with the columns `id` and `column`. Known names take up to
    /// `max_bytes` of memory; `has_words` is `true` if the table has a full-text index.
    pub(super) fn new(
        connection: &'c Connection,
        table: &'static str,
        column: &str,
        max_bytes: usize,
        has_words: bool,
    ) -> rusqlite::Result<Names<'c>> {
        let last = format!("SELECT coalesce(max(id), 0) FROM {table}");
        let select = format!("SELECT id FROM {table} WHERE {column} = ?1");
        let insert = format!("INSERT INTO {table} (id, {column}) VALUES (?1, ?2)");
        let last_id: i64 = connection.query_row(&last, [], |row| row.get(0))?;

        Ok(Names {
            connection,
            known: KnownNames::within(max_bytes),
            last: Default::default(),
            table: CheckedTable::of_names(table),
            // Behind the last number of 64 bits, SQLite refuses the next row.
            next_id: last_id.saturating_add(1),
            select: connection.prepare(&select)?,
            knows_all: last_id == 0,
            insert: connection.prepare(&insert)?,
            words: has_words.then(|| UnindexedWords::after(table, last_id)),
        })
    }

    /// The row number of a name, which is added if it is new.
    fn id(&mut self, name: &str, checksums: &mut ChecksumWriter<'_>) -> rusqlite::Result<i64> {
        let (last_name, last_id) = &self.last;
        if last_name == name && *last_id > 0 {
            return Ok(*last_id);
        }

        let hash = self.known.hash(name);
        let id = match self.known.get(hash) {
            Some(id) => id,
            None => self.stored_id(name, hash, checksums)?,
        };

        // The buffer of the last name is reused.
        let (last_name, last_id) = &mut self.last;
        last_name.clear();
        last_name.push_str(name);
        *last_id = id;
        Ok(id)
    }

    /// The row number of a name that is not in memory.
    fn stored_id(
        &mut self,
        name: &str,
        hash: NameHash,
        checksums: &mut ChecksumWriter<'_>,
    ) -> rusqlite::Result<i64> {
        let mut found = None;
        if !self.knows_all {
            found = self.select.query_row([name], |row| row.get(0)).optional()?;
        }
        let id = match found {
            Some(id) => id,
            None => self.insert_name(name, checksums)?,
        };

        let is_known = self.known.insert(hash, id);
        if !is_known && self.knows_all {
            // From here on, names are looked up in the table.
            if self.table == CheckedTable::Player {
                build_unique_index(self.connection)?;
            }
            self.knows_all = false;
        }
        Ok(id)
    }

    /// Inserts a name, and returns its row number.
    fn insert_name(
        &mut self,
        name: &str,
        checksums: &mut ChecksumWriter<'_>,
    ) -> rusqlite::Result<i64> {
        let id = self.next_id;
        self.insert.execute(params![id, name])?;
        checksums.add(self.table, id, |row| {
            row.text(name);
        })?;
        self.next_id = id.saturating_add(1);
        Ok(id)
    }

    /// The memory for known names.
    pub(super) fn bytes(&self) -> usize {
        self.known.bytes()
    }

    /// Notes that the words of new names are not indexed yet; must be called before each commit.
    pub(super) fn note_words(&mut self) -> rusqlite::Result<()> {
        let last = self.next_id - 1;
        if let Some(words) = &mut self.words {
            words.note(self.connection, last)?;
        }
        Ok(())
    }

    /// Indexes the words of all new names.
    pub(super) fn index_words(&mut self) -> rusqlite::Result<()> {
        let last = self.next_id - 1;
        if let Some(words) = &mut self.words {
            words.index(self.connection, last)?;
        }
        Ok(())
    }

    /// The row number of an optional name; a new one is added, with its checksum.
    pub(super) fn id_of(
        &mut self,
        name: Option<&str>,
        checksums: &mut ChecksumWriter<'_>,
    ) -> rusqlite::Result<Option<i64>> {
        let Some(name) = name else { return Ok(None) };
        self.id(name, checksums).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::storage::schema::SCHEMA;

    /// The numbers that players get, with little memory or much, and with the index or without.
    fn numbers(names: &[String], max_bytes: usize, has_index: bool) -> (Vec<i64>, i64) {
        let mut connection = Connection::open_in_memory().expect("a database");
        SCHEMA.to_latest(&mut connection).expect("the schema");
        if !has_index {
            connection
                .execute_batch("DROP INDEX player_unique")
                .expect("SQL");
        }

        let no_rows = [0; CheckedTable::COUNT];
        let mut checksums = ChecksumWriter::new(&connection, no_rows).expect("statements");
        let mut table = Names::new(&connection, "player", "name", max_bytes, true).expect("SQL");
        let number = |name: &String| {
            table
                .id_of(Some(name), &mut checksums)
                .expect("SQL")
                .expect("a name")
        };
        let found = names.iter().map(number).collect();

        let rows = connection.query_row("SELECT count(DISTINCT name) FROM player", [], |row| {
            row.get(0)
        });
        (found, rows.expect("a number"))
    }

    #[test]
    fn names_have_the_same_numbers_with_any_memory() {
        let names: Vec<String> = (0_u64..20_000)
            .map(|i| format!("player{}", i * i % 7919 % (i + 1)))
            .collect();

        let mut known: HashMap<&str, i64> = HashMap::new();
        let mut expected = Vec::new();
        for name in &names {
            let next = known.len() as i64 + 1;
            expected.push(*known.entry(name).or_insert(next));
        }

        for max_bytes in [0, 1 << 10, 1 << 14, 1 << 24] {
            for has_index in [true, false] {
                let (found, rows) = numbers(&names, max_bytes, has_index);
                assert!(found == expected, "{max_bytes} {has_index}");
                assert_eq!(rows, known.len() as i64);
            }
        }
    }
}

//! Interned names: a row number for each distinct text.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use rusqlite::{Connection, OptionalExtension, Statement, params};

use super::checksum::{CheckedTable, ChecksumWriter};

/// A table of names, with a cache of row numbers.
pub(super) struct Names<'c> {
    known: HashMap<Box<str>, i64, RandomState>,
    /// The memory used by `known`, and its limit.
    bytes: usize,
    most_bytes: usize,
    table: CheckedTable,
    next_id: i64,
    select: Statement<'c>,
    /// `true` if `known` has all names of the table, so that no look-up is needed.
    knows_all: bool,
    insert: Statement<'c>,
    /// The statement that indexes the words of new names, for tables with a full-text index.
    index: Option<Statement<'c>>,
    /// The last name whose words are indexed.
    indexed: i64,
}

/// The SQL statement that indexes the words of the names after a number.
pub(super) fn add_words(table: &str) -> String {
    format!(
        "INSERT INTO {table}_text (rowid, name) SELECT id, name FROM {table} WHERE id > ?1 ORDER BY id"
    )
}

/// The approximate memory of an entry of `known`, apart from the text.
const ENTRY_BYTES: usize = 64;

impl<'c> Names<'c> {
    /// Prepares to look up and add names in a table with the columns `id` and `column`, with `bytes` of memory for the
    /// cache; `has_words` tells whether the table has a full-text index.
    pub(super) fn new(
        connection: &'c Connection,
        table: &str,
        column: &str,
        most_bytes: usize,
        has_words: bool,
    ) -> rusqlite::Result<Names<'c>> {
        let last = format!("SELECT coalesce(max(id), 0) FROM {table}");
        let select = format!("SELECT id FROM {table} WHERE {column} = ?1");
        let insert = format!("INSERT INTO {table} (id, {column}) VALUES (?1, ?2)");
        let last_id: i64 = connection.query_row(&last, [], |row| row.get(0))?;
        Ok(Names {
            known: HashMap::default(),
            bytes: 0,
            most_bytes,
            table: CheckedTable::of_names(table),
            next_id: last_id + 1,
            select: connection.prepare(&select)?,
            knows_all: last_id == 0,
            insert: connection.prepare(&insert)?,
            index: has_words.then(|| connection.prepare(&add_words(table))).transpose()?,
            indexed: last_id,
        })
    }

    /// The row number of a name, which is added if it is new.
    fn id(&mut self, name: &str, checksums: &mut ChecksumWriter<'_>) -> rusqlite::Result<i64> {
        if let Some(&id) = self.known.get(name) {
            return Ok(id);
        }
        let found = match self.knows_all {
            true => None,
            false => self.select.query_row([name], |row| row.get(0)).optional()?,
        };
        let id = match found {
            Some(id) => id,
            None => self.add(name, checksums)?,
        };
        self.remember(name, id);
        Ok(id)
    }

    fn remember(&mut self, name: &str, id: i64) {
        self.bytes += name.len() + ENTRY_BYTES;
        if self.bytes > self.most_bytes {
            self.known.clear();
            self.bytes = name.len() + ENTRY_BYTES;
            self.knows_all = false;
        }
        self.known.insert(name.into(), id);
    }

    fn add(&mut self, name: &str, checksums: &mut ChecksumWriter<'_>) -> rusqlite::Result<i64> {
        let id = self.next_id;
        self.insert.execute(params![id, name])?;
        checksums.take(self.table, id, |row| {
            row.text(name);
        })?;
        self.next_id += 1;
        Ok(id)
    }

    /// Indexes the words of the names added since the last call.
    pub(super) fn index(&mut self) -> rusqlite::Result<()> {
        if let Some(index) = self.index.as_mut().filter(|_| self.next_id > self.indexed + 1) {
            index.execute([self.indexed])?;
            self.indexed = self.next_id - 1;
        }
        Ok(())
    }

    /// The row number of an optional name; a new one is added, with its checksum.
    pub(super) fn id_of(
        &mut self,
        name: Option<&str>,
        checksums: &mut ChecksumWriter<'_>,
    ) -> rusqlite::Result<Option<i64>> {
        name.map(|name| self.id(name, checksums)).transpose()
    }
}

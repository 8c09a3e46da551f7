//! Names that are kept once each: text to row number.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Statement, params};

/// One of the tables of names, with the row numbers met so far.
pub(super) struct Names<'c> {
    known: HashMap<Box<str>, i64>,
    next_id: i64,
    /// Finds names that were there before; nothing when there were none.
    select: Option<Statement<'c>>,
    insert: Statement<'c>,
}

impl<'c> Names<'c> {
    /// Prepares to look up and add names in a table with the columns `id` and `column`.
    pub(super) fn new(
        connection: &'c Connection,
        table: &str,
        column: &str,
    ) -> rusqlite::Result<Names<'c>> {
        let last = format!("SELECT coalesce(max(id), 0) FROM {table}");
        let select = format!("SELECT id FROM {table} WHERE {column} = ?1");
        let insert = format!("INSERT INTO {table} (id, {column}) VALUES (?1, ?2)");
        let last_id: i64 = connection.query_row(&last, [], |row| row.get(0))?;
        Ok(Names {
            known: HashMap::new(),
            next_id: last_id + 1,
            select: (last_id > 0).then(|| connection.prepare(&select)).transpose()?,
            insert: connection.prepare(&insert)?,
        })
    }

    /// The row number of a name, which is added when it is new.
    pub(super) fn id(&mut self, name: &str) -> rusqlite::Result<i64> {
        if let Some(&id) = self.known.get(name) {
            return Ok(id);
        }
        let found = match &mut self.select {
            Some(select) => select.query_row([name], |row| row.get(0)).optional()?,
            None => None,
        };
        let id = match found {
            Some(id) => id,
            None => self.add(name)?,
        };
        self.known.insert(name.into(), id);
        Ok(id)
    }

    fn add(&mut self, name: &str) -> rusqlite::Result<i64> {
        let id = self.next_id;
        self.insert.execute(params![id, name])?;
        self.next_id += 1;
        Ok(id)
    }

    /// The row number of a name that may be missing.
    pub(super) fn id_of(&mut self, name: Option<&str>) -> rusqlite::Result<Option<i64>> {
        name.map(|name| self.id(name)).transpose()
    }
}

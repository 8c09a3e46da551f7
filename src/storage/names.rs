//! Names that are kept once each: text to row number.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Statement};

/// One of the tables of names, with the row numbers met so far.
pub(super) struct Names<'c> {
    known: HashMap<Box<str>, i64>,
    select: Statement<'c>,
    insert: Statement<'c>,
}

impl<'c> Names<'c> {
    /// Prepares to look up and add names in a table with the columns `id` and `column`.
    pub(super) fn new(
        connection: &'c Connection,
        table: &str,
        column: &str,
    ) -> rusqlite::Result<Names<'c>> {
        let select = format!("SELECT id FROM {table} WHERE {column} = ?1");
        let insert = format!("INSERT INTO {table} ({column}) VALUES (?1) RETURNING id");
        Ok(Names {
            known: HashMap::new(),
            select: connection.prepare(&select)?,
            insert: connection.prepare(&insert)?,
        })
    }

    /// The row number of a name, which is added when it is new.
    pub(super) fn id(&mut self, name: &str) -> rusqlite::Result<i64> {
        if let Some(&id) = self.known.get(name) {
            return Ok(id);
        }
        let id = match self.select.query_row([name], |row| row.get(0)).optional()? {
            Some(id) => id,
            None => self.insert.query_row([name], |row| row.get(0))?,
        };
        self.known.insert(name.into(), id);
        Ok(id)
    }

    /// The row number of a name that may be missing.
    pub(super) fn id_of(&mut self, name: Option<&str>) -> rusqlite::Result<Option<i64>> {
        name.map(|name| self.id(name)).transpose()
    }
}

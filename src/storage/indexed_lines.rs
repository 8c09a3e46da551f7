//! The lines of games that a database indexes.

use rusqlite::Connection;

use super::{Database, InDatabase};
use crate::error::{Error, Result};

/// The lines of games whose positions are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IndexedLines {
    /// The mainline only.
    #[default]
    Mainline,
    /// The mainline and all variations.
    All,
}

impl IndexedLines {
    /// The setting of a database.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<IndexedLines> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM counter WHERE name = 'index_variations' AND value = 1)";
        let all = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        Ok(if all { IndexedLines::All } else { IndexedLines::Mainline })
    }
}

impl Database {
    /// The lines that are indexed.
    pub(crate) fn indexed_lines(&self) -> Result<IndexedLines> {
        IndexedLines::of(&self.connection).in_database(self)
    }

    /// Indexes all lines of games from now on.
    ///
    /// # Errors
    /// When there are games of which only the mainline is indexed.
    pub(crate) fn index_variations(&self) -> Result<()> {
        if self.indexed_lines()? == IndexedLines::All {
            return Ok(());
        }
        if self.ask("SELECT EXISTS (SELECT 1 FROM game)")? != 0 {
            return Err(Error::MainlinesIndexed(self.path.clone()));
        }
        let sql = "INSERT OR REPLACE INTO counter VALUES ('index_variations', 1)";
        self.connection.execute(sql, []).map(drop).in_database(self)
    }
}

//! The full-text index of names: built at once at the end of an import, which is faster than step by step.
//!
//! Until then, and after an import that was killed, the counter `player_text` (or `event_text`, `site_text`) has the
//! last name whose words are indexed. Look-ups read the names after it one by one (`columns/names.rs`), and the next
//! change of the database indexes them.

use rusqlite::{Connection, OptionalExtension};

/// The tables of names with a full-text index.
const TABLES: [&str; 3] = ["player", "event", "site"];

/// The names that an import has added to a table and whose words are not indexed yet.
pub(super) struct UnindexedWords {
    table: &'static str,
    /// The last name whose words are indexed.
    indexed: i64,
    /// `true` if the table has its counter.
    is_noted: bool,
}

impl UnindexedWords {
    /// No names after the last name of the table.
    pub(super) fn after(table: &'static str, indexed: i64) -> UnindexedWords {
        UnindexedWords {
            table,
            indexed,
            is_noted: false,
        }
    }

    /// Writes the counter if names up to `last` have been added.
    pub(super) fn note(&mut self, connection: &Connection, last: i64) -> rusqlite::Result<()> {
        if self.is_noted || last <= self.indexed {
            return Ok(());
        }

        let table = self.table;
        let sql = format!("INSERT OR IGNORE INTO counter VALUES ('{table}_text', ?1)");
        connection.execute(&sql, [self.indexed])?;
        self.is_noted = true;
        Ok(())
    }

    /// Indexes the words of all names up to `last`.
    pub(super) fn index(&mut self, connection: &Connection, last: i64) -> rusqlite::Result<()> {
        // With more new names than old ones, indexing everything at once is faster.
        let new = last - self.indexed;
        if new > self.indexed {
            rebuild(connection, self.table)?;
        } else if new > 0 {
            connection.execute(&add_words_sql(self.table), [self.indexed])?;
        }
        self.indexed = last;

        if std::mem::take(&mut self.is_noted) {
            connection.execute(&forget_sql(self.table), [])?;
        }
        Ok(())
    }
}

/// The SQL statement that indexes the words of the names after a number.
pub(super) fn add_words_sql(table: &str) -> String {
    format!(
        "INSERT INTO {table}_text (rowid, name) SELECT id, name FROM {table} WHERE id > ?1 ORDER BY id"
    )
}

/// The SQL statement that removes the counter of a table.
fn forget_sql(table: &str) -> String {
    format!("DELETE FROM counter WHERE name = '{table}_text'")
}

/// Indexes the words of all names of a table again.
fn rebuild(connection: &Connection, table: &str) -> rusqlite::Result<()> {
    let sql = format!("INSERT INTO {table}_text ({table}_text) VALUES ('rebuild')");
    connection.execute(&sql, [])?;
    Ok(())
}

/// The last name of a table whose words are indexed; `None` if all are.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn indexed_words(connection: &Connection, table: &str) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT value FROM counter WHERE name = ?1 || '_text'";
    connection
        .prepare_cached(sql)?
        .query_row([table], |row| row.get(0))
        .optional()
}

/// Completes the full-text indexes that an import has left unfinished.
pub(super) fn index_all_words(connection: &Connection) -> rusqlite::Result<()> {
    for table in TABLES {
        if indexed_words(connection, table)?.is_some() {
            // Triggers may have added or removed words of some names.
            rebuild(connection, table)?;
            connection.execute(&forget_sql(table), [])?;
        }
    }
    Ok(())
}

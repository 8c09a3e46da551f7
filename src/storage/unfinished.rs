//! The mark of a database that is being written through a write-ahead log.
//!
//! Until the last checkpoint, committed steps may be in the log alone, and a copy of the file without its log is an
//! older state that is sound by itself. So a writer commits a mark into the file before its log begins, and removes it
//! as its last step: a copy that is made meanwhile keeps the mark for good. The file of a killed writer is whole again
//! as soon as SQLite has read its log, so the mark is a number that distinguishes the file from its copies.

use rusqlite::OptionalExtension;

use super::{Database, FileIdentity, InDatabase};
use crate::error::Result;

/// The mark of a file for which the system has no number that distinguishes it from copies.
const UNKNOWN_FILE: i64 = 0;

impl Database {
    /// Commits the mark; to be called before the write-ahead log begins, so that it is in the file itself.
    pub(super) fn mark_unfinished(&self) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO counter VALUES ('writing', ?1)";
        let marked = self.connection.execute(sql, [self.file_identity()]);
        marked.in_database(self)?;
        Ok(())
    }

    /// Removes the mark; to be called when nothing is left to be written, and the log is in the file as far as readers
    /// allow.
    pub(super) fn remove_unfinished_mark(&self) -> Result<()> {
        let removed = self
            .connection
            .execute("DELETE FROM counter WHERE name = 'writing'", []);
        removed.in_database(self)?;
        Ok(())
    }

    /// `true` if the file is a copy that was made while a command wrote to the original, so that it may lack games that
    /// were in the log beside it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_copy_without_log(&self) -> Result<bool> {
        let sql = "SELECT value FROM counter WHERE name = 'writing'";
        let mark: Option<i64> = self
            .connection
            .query_row(sql, [], |row| row.get(0))
            .optional()
            .in_database(self)?;
        let Some(mark) = mark else {
            return Ok(false);
        };

        let is_original = mark != UNKNOWN_FILE && mark == self.file_identity();
        Ok(!is_original)
    }

    /// A number that a copy of the file does not have.
    fn file_identity(&self) -> i64 {
        let file = FileIdentity::of(&self.path);
        let number = file.and_then(|file| file.lasting_number());
        number.unwrap_or(UNKNOWN_FILE)
    }
}

//! Changes of the database, in one transaction or in several steps.

use std::cell::RefCell;

use rusqlite::Transaction;

use super::{Database, InDatabase, WAIT_FOR_WRITERS};
use crate::error::{Error, Result};

/// The steps of a change: each step is atomic, and stays committed when a later one fails.
pub(crate) struct Commits<'d> {
    database: &'d Database,
    open: RefCell<Option<Transaction<'d>>>,
}

impl Commits<'_> {
    /// Commits a step and begins the next.
    ///
    /// # Errors
    /// When the database cannot be written; the changes of this step are then rolled back.
    pub(crate) fn next(&self) -> Result<()> {
        self.commit()?;
        *self.open.borrow_mut() = Some(self.database.write_transaction()?);
        Ok(())
    }

    /// Commits the open step, if there is one.
    fn commit(&self) -> Result<()> {
        match self.open.borrow_mut().take() {
            Some(transaction) => transaction.commit().in_database(self.database),
            None => Ok(()),
        }
    }
}

impl Database {
    /// Writes in steps, with `cache_bytes` of memory for pages; on failure, the database is as it was after the
    /// previous step.
    pub(crate) fn write_in_steps<'d, T, E: From<Error>>(
        &'d self,
        cache_bytes: u64,
        work: impl FnOnce(&Commits<'d>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.prepare_to_write(cache_bytes)?;
        let steps = Commits {
            database: self,
            open: RefCell::new(Some(self.write_transaction()?)),
        };

        let work_and_commit = || -> Result<T, E> {
            let value = work(&steps)?;
            steps.commit()?;
            Ok(value)
        };
        let outcome = work_and_commit();
        // Rolls back the step that has failed.
        drop(steps);

        // The error of the work comes first, but the log is merged in any case.
        let finished = self.finish_writing(WAIT_FOR_WRITERS);
        let value = outcome?;
        finished?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;

    const COUNTED: &str = "SELECT value FROM counter WHERE name = 'next_game'";

    fn count(database: &Database) {
        let sql = "UPDATE counter SET value = value + 1 WHERE name = 'next_game'";
        database.connection.execute(sql, []).expect("a change");
    }

    /// The value in a copy of the database file alone.
    fn copied(database: &Database) -> i64 {
        let copy = database.path.with_extension("copy");
        fs::copy(&database.path, &copy).expect("a copy");
        let copied = Database::open(&copy).expect("a database");
        copied.ask(COUNTED).expect("a number")
    }

    #[test]
    fn the_file_is_whole_beside_an_idle_connection() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        let writer = Database::open_or_create(&path).expect("a new database");
        let before = writer.ask(COUNTED).expect("a number");
        writer.log_changes().expect("a log");
        count(&writer);

        let idle = Database::open(&path).expect("a reader");
        idle.ask(COUNTED).expect("a number");
        idle.end_snapshot().expect("the end of its snapshot");

        writer.finish_writing(Duration::ZERO).expect("a merged log");

        assert!(!writer.has_unmerged_log());
        assert_eq!(copied(&writer), before + 1);
    }

    #[test]
    fn a_log_that_a_reader_holds_is_reported() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("games.db");
        let writer = Database::open_or_create(&path).expect("a new database");
        let before = writer.ask(COUNTED).expect("a number");
        writer.log_changes().expect("a log");
        let reader = Database::open(&path).expect("a reader");
        reader.ask(COUNTED).expect("a number");
        count(&writer);

        writer
            .finish_writing(Duration::ZERO)
            .expect("an end without the reader's consent");
        assert!(writer.has_unmerged_log());
        assert_eq!(copied(&writer), before, "the change is in the log");

        drop(reader);
        writer.finish_writing(Duration::ZERO).expect("a merged log");
        assert!(!writer.has_unmerged_log());
        assert_eq!(copied(&writer), before + 1);

        let mode: String = writer
            .connection
            .pragma_query_value(None, "journal_mode", |row| row.get(0))
            .expect("a mode");
        assert_eq!(mode, "delete");
    }
}

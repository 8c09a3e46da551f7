//! One connection for many answers, with a new snapshot for each answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::OpenFlags;

use super::beside::{LOG, LOG_INDEX, beside};
use super::lock::is_held;
use super::{Database, FileIdentity, FileStamp, InDatabase, WAIT_FOR_WRITERS};
use crate::error::{Error, Result};

impl Database {
    /// Opens a database for queries like [`Database::open`], or like [`Database::open_read_only`], provided that `file`
    /// is still the file at the path. If another file is there, nothing is read of it.
    ///
    /// SQLite maps the index of the write-ahead log into memory, by the path of the database. If one process has
    /// connections to two files that had this path, they share one index, and the second connection may truncate it
    /// under the first.
    ///
    /// # Errors
    /// As for [`Database::open`], and when another file is at the path.
    pub fn open_file(path: &Path, file: FileIdentity, is_read_only: bool) -> Result<Database> {
        let connect_to_file = |flags| -> Result<Database> {
            let database = Database::connect(path, flags)?;
            if database.file != Some(file) {
                return Err(Error::Replaced(path.to_owned()));
            }
            Ok(database)
        };
        let read_only = || connect_to_file(OpenFlags::SQLITE_OPEN_READ_ONLY);

        let database = if is_read_only {
            read_only()?
        } else {
            // If a writer was killed, the first reader rolls the unfinished transaction back, which needs write access.
            match connect_to_file(OpenFlags::SQLITE_OPEN_READ_WRITE) {
                Ok(database) => database,
                Err(_) => read_only()?,
            }
        };
        database.ready_for_queries()
    }

    /// The file that was opened.
    pub fn file(&self) -> Option<FileIdentity> {
        self.file
    }

    /// `true` between [`Database::begin_snapshot`] and [`Database::end_snapshot`].
    pub fn has_snapshot(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// `true` if this connection has the write-ahead log of a writer open, and thereby a lock on the database.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn is_logged(&self) -> Result<bool> {
        self.has_log()
    }

    /// Moves the content of the write-ahead log into the file and ends the log, if no other connection has the database
    /// open. Returns `false` if another connection has it open.
    pub fn end_log(&self) -> bool {
        // SQLite would wait for the other connections, which may stay open for long.
        let mut is_ended = self.connection.busy_timeout(Duration::ZERO).is_ok();
        if is_ended {
            let changed = self
                .connection
                .pragma_update(None, "journal_mode", "delete");
            is_ended = changed.is_ok();
        }

        let is_reset = self.connection.busy_timeout(WAIT_FOR_WRITERS).is_ok();
        is_ended && is_reset
    }

    /// Ends the snapshot, so that a writer need not wait for this connection. [`Database::begin_snapshot`] begins the
    /// next one.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn end_snapshot(&self) -> Result<()> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.connection.execute_batch("ROLLBACK").in_database(self)
    }

    /// Begins a snapshot of the present state.
    ///
    /// # Errors
    /// When a writer keeps the database for too long, or it cannot be read.
    pub fn begin_snapshot(&self) -> Result<()> {
        self.end_snapshot()?;
        self.connection.execute_batch("BEGIN").in_database(self)?;
        // The first statement that reads takes the snapshot.
        self.data_version()?;
        Ok(())
    }

    /// A number that changes with each change by another connection. It cannot be compared with the numbers of other
    /// connections, and stays constant in a snapshot.
    ///
    /// # Errors
    /// As for [`Database::begin_snapshot`].
    pub fn data_version(&self) -> Result<i64> {
        self.ask("PRAGMA data_version")
    }

    /// Limits the memory for pages of the file, in KiB.
    ///
    /// # Errors
    /// When SQLite fails.
    pub fn limit_page_cache(&self, kib: u32) -> Result<()> {
        let set = self
            .connection
            .pragma_update(None, "cache_size", -i64::from(kib));
        set.in_database(self)
    }
}

/// The write-ahead log beside a database, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Log {
    /// The identity of the file of the log.
    pub identity: FileIdentity,
    /// The size of the file; 0 if all changes are in the database.
    pub bytes: u64,
}

impl Log {
    /// The log beside a database, if there is one.
    pub fn of(database: &Path) -> Option<Log> {
        let [log, _] = Log::files(database);
        let identity = FileIdentity::of(&log)?;
        let stamp = FileStamp::of(&log)?;
        Some(Log {
            identity,
            bytes: stamp.bytes(),
        })
    }

    /// `true` if the log is empty, or no writer of Stamma has the database open: it can be ended as soon as nobody
    /// reads.
    pub fn is_finished(&self, database: &Path) -> bool {
        self.bytes == 0 || !is_held(database)
    }

    /// The paths that the log of a database and the index of the log would have.
    pub fn files(database: &Path) -> [PathBuf; 2] {
        [LOG, LOG_INDEX].map(|end| beside(database, end))
    }
}

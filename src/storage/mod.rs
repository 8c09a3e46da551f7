//! The database file: opening it, its tables, and games as rows.

mod game;
mod names;
mod played;
mod row;
mod statistics;
mod tags;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::{M, Migrations};

pub use game::{GameReader, StoredGame};
pub use played::GameFacts;
pub(crate) use played::{PlayedGame, replay_stored, year};
pub(crate) use row::{GameRow, ProblemRow, RowBuilder, TextArena};
pub use statistics::{SourceSummary, Statistics};
pub(crate) use writer::{GameWriter, SourceRow};

use crate::error::{Error, Result};

/// `application_id` of a Stamma database: `Stam` as a big-endian number.
const APPLICATION_ID: i64 = 0x5374_616d;

/// What SQLite may keep of the file in memory while much is written, in KiB.
const CACHE_KIB: i64 = 64 * 1024;

/// What brings a database from one version to the next; its length is the newest version.
const STEPS: &[M<'_>] = &[M::up(include_str!("../../migrations/0001_games_and_positions.sql"))];

static MIGRATIONS: LazyLock<Migrations<'_>> = LazyLock::new(|| Migrations::from_slice(STEPS));

/// An open Stamma database.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    pub(crate) connection: Connection,
}

impl Database {
    /// Opens a database to ask it.
    ///
    /// # Errors
    /// When there is none, or when it is of another program or of a newer version.
    pub fn open(path: &Path) -> Result<Database> {
        if !path.exists() {
            return Err(Error::NoDatabase(path.to_owned()));
        }
        // A reader takes back what a killed writer left half done, and may have to write for that.
        let database = Database::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| Database::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
        let only = database.connection.pragma_update(None, "query_only", true);
        only.map_err(|e| database.error(e))?;
        match database.version()? {
            0 => Err(Error::NotADatabase(path.to_owned())),
            _ => Ok(database),
        }
    }

    /// Opens a database to write into it, and makes it when there is none.
    ///
    /// # Errors
    /// When the file is of another program or of a newer version, or cannot be written.
    pub fn open_or_create(path: &Path) -> Result<Database> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut database = Database::connect(path, flags)?;
        if database.version()? == 0 {
            let empty = database.ask("SELECT count(*) = 0 FROM sqlite_schema")?;
            if empty == 0 {
                return Err(Error::NotADatabase(path.to_owned()));
            }
            let set_up = format!("PRAGMA application_id = {APPLICATION_ID}");
            database.connection.execute_batch(&set_up).map_err(|e| database.error(e))?;
        }
        MIGRATIONS.to_latest(&mut database.connection).map_err(|error| match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => {
                Error::Database { path: path.to_owned(), source: err }
            }
            other => Error::Damaged { path: path.to_owned(), what: other.to_string() },
        })?;
        Ok(database)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Database> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        // SQLite takes names like `:memory:` and `file:x` for something else than files.
        let file = std::path::absolute(path).map_err(Error::file(path))?;
        let connection = Connection::open_with_flags(file, flags)
            .map_err(|source| Error::Database { path: path.to_owned(), source })?;
        Ok(Database { path: path.to_owned(), connection })
    }

    /// The schema's version, 0 for a file that is not ours, or is empty.
    fn version(&self) -> Result<i64> {
        let known = STEPS.len() as i64;
        let application = self.ask("PRAGMA application_id").map_err(|error| match error {
            Error::Database { source, path } if is_no_database(&source) => {
                Error::NotADatabase(path)
            }
            other => other,
        })?;
        if application != APPLICATION_ID {
            return Ok(0);
        }
        match self.ask("PRAGMA user_version")? {
            found if found > known => {
                Err(Error::NewerDatabase { path: self.path.clone(), found, known })
            }
            found => Ok(found),
        }
    }

    /// Removes the file of a database, and the journals beside it, which would be taken for those of
    /// the next file of that name.
    ///
    /// # Errors
    /// When the system does not let it go.
    pub fn remove(path: &Path) -> Result<()> {
        for suffix in ["-journal", "-wal", "-shm", ""] {
            let mut file = path.as_os_str().to_owned();
            file.push(suffix);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::file(Path::new(&file))(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets the connection up to write very many rows.
    pub(crate) fn prepare_to_write(&self) -> Result<()> {
        let set = |name: &str, value: i64| self.connection.pragma_update(None, name, value);
        set("cache_size", -CACHE_KIB)
            // Every reference that is written has just been looked up or made.
            .and_then(|()| set("foreign_keys", 0))
            .map_err(|e| self.error(e))
    }

    /// A transaction for somebody who is going to write.
    pub(crate) fn write_transaction(&self) -> Result<Transaction<'_>> {
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
            .map_err(|e| self.error(e))
    }

    /// The path that was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The one number that a query gives.
    pub(crate) fn ask(&self, sql: &str) -> Result<i64> {
        self.connection.query_row(sql, [], |row| row.get(0)).map_err(|e| self.error(e))
    }

    /// An error of SQLite in this database.
    pub(crate) fn error(&self, source: rusqlite::Error) -> Error {
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy) => Error::Busy(self.path.clone()),
            _ => Error::Database { path: self.path.clone(), source },
        }
    }

    /// Something in this database that cannot be.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { path: self.path.clone(), what: what.into() }
    }
}

fn is_no_database(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::NotADatabase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        MIGRATIONS.validate().expect("every step runs on an empty database");
    }
}

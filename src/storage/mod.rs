//! The database file: opening it, its tables, and games as rows.

mod game;
mod names;
mod row;
mod statistics;
mod tags;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

pub use game::{GameReader, StoredGame};
pub(crate) use row::{GameRow, ProblemRow, RowBuilder, TextArena};
pub use statistics::{SourceSummary, Statistics};
pub(crate) use writer::{GameWriter, SourceRow};

use crate::error::{Error, Result};

/// `application_id` of a Stamma database: `Stam` as a big-endian number.
const APPLICATION_ID: i64 = 0x5374_616d;

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
        let database = Database::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
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
        let connection = Connection::open_with_flags(path, flags)
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
        Error::Database { path: self.path.clone(), source }
    }

    /// Something in this database that cannot be.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { path: self.path.clone(), what: what.into() }
    }
}

fn is_no_database(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        MIGRATIONS.validate().expect("every step runs on an empty database");
    }
}

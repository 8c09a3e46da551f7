//! A served database: connections that wait for requests, each with a snapshot of its own while it answers one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use rusqlite::limits::Limit;

use super::budget::{Budget, STEPS_A_CLOSE_LOOK, STEPS_A_LOOK};
use super::prepared::Prepared;
use stamma::error::{Error, Result};
use stamma::storage::Database;

/// The memory of one connection for pages of the file, in KiB. What is left out is in the system's memory.
const PAGE_CACHE_KIB: u32 = 8 * 1024;

/// The most bytes of a value: more than any game has, and less than a condition in SQL can make.
const MOST_VALUE_BYTES: i32 = 64 << 20;

/// The same for what conditions of users make, since one step with a large value takes long.
const MOST_MADE_BYTES: i32 = 1 << 20;

/// How often a snapshot is begun again because something has changed meanwhile.
const ATTEMPTS: usize = 3;

/// A served database.
#[derive(Debug)]
pub(super) struct Pool {
    /// The name by which requests choose it.
    pub(super) name: String,
    path: PathBuf,
    is_read_only: bool,
    idle: Mutex<Vec<Connection>>,
    present: Mutex<Present>,
}

/// A connection to a served database.
#[derive(Debug)]
struct Connection {
    database: Database,
    /// The file that was opened, which may have been replaced since.
    file: FileIdentity,
}

/// What is known of the present state of a database.
#[derive(Debug, Default)]
struct Present {
    /// A connection without a snapshot, which notices every change.
    observer: Option<Connection>,
    /// What was prepared for a state of a file, by the number that the observer gives it.
    prepared: Option<(FileIdentity, i64, Arc<Prepared>)>,
}

/// What tells a file from another one at the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileIdentity {
    /// The numbers of the device and the file, where the system has them.
    numbers: Option<(u64, u64)>,
    created: Option<SystemTime>,
}

impl FileIdentity {
    fn of(path: &Path) -> Option<FileIdentity> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileIdentity { numbers: numbers(&metadata), created: metadata.created().ok() })
    }
}

#[cfg(unix)]
fn numbers(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// Windows does not let an open file be replaced.
#[cfg(not(unix))]
fn numbers(_metadata: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

impl Pool {
    /// A pool with one connection, which shows that the database can be served.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn open(path: &Path, name: String, is_read_only: bool) -> Result<Pool> {
        let (idle, present) = (Mutex::default(), Mutex::default());
        let pool = Pool { name, path: path.to_owned(), is_read_only, idle, present };
        let connection = pool.connect()?;
        connection.database.end_snapshot()?;
        lock(&pool.idle).push(connection);
        Ok(pool)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A connection of its own for statements of users, which can change no file.
    ///
    /// # Errors
    /// When the database cannot be opened.
    pub(super) fn open_for_sql(&self) -> Result<Database> {
        if self.is_read_only {
            Database::open_read_only(&self.path)
        } else {
            Database::open_immutable(&self.path)
        }
    }

    /// Answers a request in a snapshot of its own, at the cost of a budget.
    ///
    /// # Errors
    /// When the database cannot be read, and what `answer` returns.
    pub(super) fn with_connection<T, E: From<Error>>(
        &self,
        budget: &Arc<Budget>,
        answer: impl FnOnce(&Database, &Prepared) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let connection = self.take()?;
        connection.limit(budget)?;
        let prepared = self.begin(&connection);
        let answered =
            prepared.map_err(E::from).and_then(|prepared| answer(&connection.database, &prepared));
        if connection.rest().is_ok() {
            lock(&self.idle).push(connection);
        }
        answered
    }

    /// An idle connection to the file that is at the path now, or a new one.
    fn take(&self) -> Result<Connection> {
        let file = FileIdentity::of(&self.path);
        let mut idle = lock(&self.idle);
        idle.retain(|connection| Some(connection.file) == file);
        let found = idle.pop();
        drop(idle);
        found.map_or_else(|| self.connect(), Ok)
    }

    fn connect(&self) -> Result<Connection> {
        let missing = || Error::NoDatabase(self.path.clone());
        let file = FileIdentity::of(&self.path).ok_or_else(missing)?;
        let database = match self.is_read_only {
            true => Database::open_read_only(&self.path)?,
            false => Database::open(&self.path)?,
        };
        stamma::sql::register_in(&database)?;
        database.limit_page_cache(PAGE_CACHE_KIB)?;
        Ok(Connection { database, file })
    }

    /// Begins a snapshot, and returns what answers of this state share.
    fn begin(&self, connection: &Connection) -> Result<Arc<Prepared>> {
        for _ in 0..ATTEMPTS {
            let before = self.observe(connection.file)?;
            connection.database.begin_snapshot()?;
            // If nothing has changed meanwhile, this is the state of the snapshot.
            if before.is_some() && before == self.observe(connection.file)? {
                return self.prepared(connection, before);
            }
        }
        self.prepared(connection, None)
    }

    /// The number of the present state of a file; `None` if the file is not the observed one.
    fn observe(&self, file: FileIdentity) -> Result<Option<i64>> {
        let mut present = lock(&self.present);
        if present.observer.as_ref().is_none_or(|observer| observer.file != file) {
            let observer = self.connect()?;
            observer.database.end_snapshot()?;
            present.observer = Some(observer);
        }
        let observer = present.observer.as_ref().filter(|observer| observer.file == file);
        observer.map(|observer| observer.database.data_version()).transpose()
    }

    /// What is prepared for the snapshot of a connection, whose state may have a number.
    fn prepared(&self, connection: &Connection, state: Option<i64>) -> Result<Arc<Prepared>> {
        let is_same = |file, number| file == connection.file && Some(number) == state;
        if let Some((file, number, prepared)) = &lock(&self.present).prepared
            && is_same(*file, *number)
        {
            return Ok(Arc::clone(prepared));
        }
        let prepared = Arc::new(Prepared::new(&connection.database)?);
        if let Some(number) = state {
            let shared = Some((connection.file, number, Arc::clone(&prepared)));
            lock(&self.present).prepared = shared;
        }
        Ok(prepared)
    }
}

impl Connection {
    /// Lets a budget limit the work of this connection.
    fn limit(&self, budget: &Arc<Budget>) -> Result<()> {
        limit(&self.database, budget, STEPS_A_LOOK, MOST_VALUE_BYTES)
    }

    /// Ends the snapshot.
    fn rest(&self) -> Result<()> {
        let cleared = self.database.connection().progress_handler(0, None::<fn() -> bool>);
        cleared.map_err(|e| self.database.error(e))?;
        self.database.end_snapshot()
    }
}

/// Lets a budget limit SQL of users on a connection, as long as this request has it.
pub(super) fn limit_user_sql(database: &Database, budget: &Arc<Budget>) -> Result<()> {
    budget.limit_time();
    limit(database, budget, STEPS_A_CLOSE_LOOK, MOST_MADE_BYTES)
}

fn limit(database: &Database, budget: &Arc<Budget>, steps: i32, bytes: i32) -> Result<()> {
    let (connection, budget) = (database.connection(), Arc::clone(budget));
    let limited = connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, bytes);
    let watched =
        limited.and_then(|_| connection.progress_handler(steps, Some(move || budget.look(steps))));
    watched.map_err(|e| database.error(e))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

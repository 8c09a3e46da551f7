//! A served database: connections that wait for requests, each with a snapshot of its own while it answers one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::budget::{Budget, STEPS_A_LOOK};
use stamma::error::{Error, Result};
use stamma::query::PositionSearch;
use stamma::storage::{Database, OpeningTable};

/// The memory of one connection for pages of the file, in KiB. What is left out is in the system's memory.
const PAGE_CACHE_KIB: u32 = 8 * 1024;

/// A served database.
#[derive(Debug)]
pub(super) struct Pool {
    /// The name by which requests choose it.
    pub(super) name: String,
    path: PathBuf,
    is_read_only: bool,
    idle: Mutex<Vec<Connection>>,
}

/// A connection to a served database.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) database: Database,
    /// The file that was opened, which may have been replaced since.
    file: FileIdentity,
    /// The state of the database when what follows was prepared.
    version: i64,
    prepared: Option<Prepared>,
}

/// What answers of one state of a database share.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) search: PositionSearch,
    pub(super) openings: OpeningTable,
}

/// What tells a file from another one at the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileIdentity(u64, u64);

impl FileIdentity {
    #[cfg(unix)]
    fn of(path: &Path) -> Option<FileIdentity> {
        use std::os::unix::fs::MetadataExt;
        let metadata = fs::metadata(path).ok()?;
        Some(FileIdentity(metadata.dev(), metadata.ino()))
    }

    /// The time of its creation. Windows does not let an open file be replaced.
    #[cfg(not(unix))]
    fn of(path: &Path) -> Option<FileIdentity> {
        let created = fs::metadata(path).ok()?.created().ok();
        let since = created.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Some(since.map_or(FileIdentity(0, 0), |since| {
            FileIdentity(since.as_secs(), since.subsec_nanos().into())
        }))
    }
}

impl Pool {
    /// A pool without connections; opens the database once, to know that it can be served.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn open(path: &Path, name: String, is_read_only: bool) -> Result<Pool> {
        let pool = Pool { name, path: path.to_owned(), is_read_only, idle: Mutex::default() };
        let connection = pool.connect()?;
        connection.database.end_snapshot()?;
        pool.idle().push(connection);
        Ok(pool)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
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
        let mut connection = self.take()?;
        let answered = connection.begin(budget).map_err(E::from).and_then(|()| {
            let prepared = connection.prepared.as_ref().ok_or(Error::Interrupted)?;
            answer(&connection.database, prepared)
        });
        if connection.rest().is_ok() {
            self.idle().push(connection);
        }
        answered
    }

    /// An idle connection to the file that is at the path now, or a new one.
    fn take(&self) -> Result<Connection> {
        let file = FileIdentity::of(&self.path);
        let mut idle = self.idle();
        idle.retain(|connection| Some(connection.file) == file);
        let found = idle.pop();
        drop(idle);
        found.map_or_else(|| self.connect(), Ok)
    }

    fn connect(&self) -> Result<Connection> {
        let file =
            FileIdentity::of(&self.path).ok_or_else(|| Error::NoDatabase(self.path.clone()))?;
        let database = match self.is_read_only {
            true => Database::open_read_only(&self.path)?,
            false => Database::open(&self.path)?,
        };
        stamma::sql::register_in(&database)?;
        database.limit_page_cache(PAGE_CACHE_KIB)?;
        Ok(Connection { database, file, version: 0, prepared: None })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Begins a snapshot, whose reading a budget limits.
    fn begin(&mut self, budget: &Arc<Budget>) -> Result<()> {
        let connection = self.database.connection();
        let budget = Arc::clone(budget);
        connection
            .progress_handler(STEPS_A_LOOK, Some(move || budget.look()))
            .map_err(|e| self.database.error(e))?;
        let version = self.database.begin_snapshot()?;
        if self.prepared.is_none() || version != self.version {
            self.prepared = None;
            let search = PositionSearch::new(connection).map_err(|e| self.database.error(e))?;
            let openings = self.database.openings()?;
            (self.prepared, self.version) = (Some(Prepared { search, openings }), version);
        }
        Ok(())
    }

    /// Ends the snapshot.
    fn rest(&self) -> Result<()> {
        let connection = self.database.connection();
        let cleared = connection.progress_handler(0, None::<fn() -> bool>);
        cleared.map_err(|e| self.database.error(e))?;
        self.database.end_snapshot()
    }
}

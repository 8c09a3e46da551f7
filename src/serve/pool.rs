//! A served database: connections that wait for requests. A connection that answers a request has a snapshot of its
//! own.
//!
//! While a writer keeps a write-ahead log, every connection that has read the database has a lock on it and a map of
//! the log's index. Two things follow:
//!
//! - At its end, the writer moves the log into the file, and needs a moment without such connections. So connections
//!   are closed after each answer, and requests wait for that moment for a while ([`Pool::begin_visit`]).
//! - If another file takes the place of the database, connections to both files would share the index. A connection
//!   to the new file could truncate the index while it is mapped for the old file, which ends the process (`SIGBUS`).
//!   So connections to the old file are closed before the new file is opened.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use rusqlite::limits::Limit;

use super::bounded_functions;
use super::budget::{Budget, STEPS_PER_CHECK, STEPS_PER_CLOSE_CHECK};
use super::failure::Failure;
use super::locks::lock;
use super::prepared::Prepared;
use stamma::error::{Error, Result};
use stamma::storage::{Database, FileIdentity, FileStamp, InDatabase, Log};

/// The memory of one connection for pages of the file, in KiB. Further pages are in the cache of the system.
const PAGE_CACHE_KIB: u32 = 8 * 1024;

/// The maximum number of bytes of a value. No game has as many bytes, but a condition in SQL could make larger values.
const MAX_VALUE_BYTES: i32 = 64 << 20;

/// The maximum number of bytes of a value that SQL of users makes, since one step with a large value takes long.
const MAX_USER_VALUE_BYTES: i32 = 256 << 10;
/// The maximum number of bytes of a pattern of LIKE and GLOB, each of which may be compared with each byte of a value.
const MAX_PATTERN_BYTES: i32 = 1000;

/// The maximum number of times that a snapshot is begun: again if the database has changed meanwhile.
const MAX_SNAPSHOT_ATTEMPTS: usize = 3;

/// The maximum time that requests wait for the end of answers from a file that was replaced. Such answers may be long
/// downloads.
const MAX_WAIT_FOR_OLD_ANSWERS: Duration = Duration::from_secs(5);
/// The maximum time that requests wait so that a log can be ended.
const MAX_WAIT_FOR_LOG: Duration = Duration::from_secs(2);
/// The time after such a wait during which requests do not wait again, if the log was not ended.
const PAUSE_BETWEEN_WAITS: Duration = Duration::from_secs(30);
/// The pause between two checks of the files, while a request waits.
const FILE_CHECK_PAUSE: Duration = Duration::from_millis(20);

/// A served database.
#[derive(Debug)]
pub(super) struct Pool {
    /// The name by which requests choose it.
    pub(super) name: String,
    /// The number of the database among all databases that this server has served. No other database ever has this
    /// number.
    pub(super) number: u32,
    path: PathBuf,
    is_read_only: bool,
    traffic: Mutex<Traffic>,
    /// Notified when fewer connections may have a log.
    quieter: Condvar,
    present: Mutex<Present>,
    /// Held by the request that changes the database, so that others of this server wait for it.
    change: Mutex<()>,
}

/// The connections to a database that are open.
#[derive(Debug, Default)]
struct Traffic {
    /// The file that the connections have open.
    file: Option<FileIdentity>,
    /// The log that some of the connections had.
    log: Option<FileIdentity>,
    idle: Vec<Connection>,
    /// The number of connections that have a log open, or may have one.
    with_log: usize,
    /// The time at which requests began to wait for the end of a log.
    waiting_since: Option<Instant>,
}

/// A connection to a served database.
#[derive(Debug)]
struct Connection {
    database: Database,
    file: FileIdentity,
    /// The stamp at its last snapshot. If the file was overwritten since, the pages in the connection's cache are
    /// wrong.
    stamp: Option<FileStamp>,
}

/// A snapshot of a served database, for the time of one request.
pub(super) struct Snapshot<'p> {
    pub(super) pool: &'p Pool,
    pub(super) prepared: Arc<Prepared>,
    /// `None` only once the snapshot is being dropped.
    held: Option<(Visit<'p>, Connection)>,
}

/// A request that is counted in the traffic of a pool.
struct Visit<'p> {
    pool: &'p Pool,
    file: FileIdentity,
    /// `false` once its connection has a snapshot of the file alone.
    may_have_log: bool,
}

/// The present state of a database, if it is known.
#[derive(Debug, Default)]
struct Present {
    /// A connection without a snapshot, which notices every change.
    observer: Option<Connection>,
    /// The number of observers that there have been.
    observers: u64,
    /// The last state for which something was prepared.
    prepared: Option<(State, Arc<Prepared>)>,
}

/// The identity of a state of a database. Equal values denote one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// The number of the observer: versions of different connections cannot be compared.
    observer: u64,
    data_version: i64,
    /// A file that another program than SQLite has overwritten has a new stamp, but no new version.
    stamp: Option<FileStamp>,
}

impl Pool {
    /// A pool with one connection, which shows that the database can be served.
    ///
    /// # Errors
    /// When the database cannot be opened.
    pub(super) fn open(path: &Path, name: String, number: u32, is_read_only: bool) -> Result<Pool> {
        let pool = Pool {
            name,
            number,
            path: path.to_owned(),
            is_read_only,
            traffic: Mutex::default(),
            quieter: Condvar::new(),
            present: Mutex::default(),
            change: Mutex::default(),
        };
        let visit = pool.begin_visit()?;
        let connection = pool.connect(visit.file)?;
        visit.leave(connection);
        Ok(pool)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is served; `None` if it is missing.
    pub(super) fn file(&self) -> Option<FileIdentity> {
        FileIdentity::of(&self.path)
    }

    /// Closes the idle connections, for a time without requests.
    pub(super) fn close_idle(&self) {
        lock(&self.traffic).idle.clear();
        let mut present = lock(&self.present);
        present.observer = None;
        present.prepared = None;
    }

    /// Changes the database as any other program does, after other changes of this server.
    ///
    /// # Errors
    /// When the database cannot be written, as while another program writes to it; and the errors of `work`.
    pub(super) fn change<R>(
        &self,
        work: impl FnOnce(&mut Database) -> std::result::Result<R, Failure>,
    ) -> std::result::Result<R, Failure> {
        // Stamma's lock file makes a writer fail after some seconds, and changes of this server should wait instead.
        let _lock = lock(&self.change);
        let mut database = Database::open_to_write(&self.path)?;
        work(&mut database)
    }

    /// A new connection for statements of users, to the file that another connection has open.
    ///
    /// # Errors
    /// When the database cannot be opened, or has been replaced.
    pub(super) fn open_for_sql(&self, beside: &Database) -> Result<Database> {
        let Some(file) = beside.file() else {
            return Err(Error::Replaced(self.path.clone()));
        };
        let is_read_only = true;
        Database::open_file(&self.path, file, is_read_only)
    }

    /// A snapshot for a request, whose work is at the cost of a budget.
    ///
    /// # Errors
    /// When the database cannot be read, or is replaced meanwhile.
    pub(super) fn snapshot(
        &self,
        budget: &Arc<Budget>,
    ) -> std::result::Result<Snapshot<'_>, Failure> {
        let mut visit = self.begin_visit()?;
        let mut connection = self.idle_or_new(visit.file)?;
        connection.limit(budget)?;

        let begun = self.begin_prepared_snapshot(&mut connection);
        visit.end_without_log(&connection.database);

        match begun {
            Ok(prepared) => Ok(Snapshot {
                pool: self,
                prepared,
                held: Some((visit, connection)),
            }),
            Err(error) => {
                let failure = self.explain(&connection, error.into());
                visit.leave(connection);
                Err(failure)
            }
        }
    }

    /// The failure, or the replacement of the file if that may be its reason.
    fn explain(&self, connection: &Connection, failure: Failure) -> Failure {
        let is_other_file = self.file() != Some(connection.file);

        // Without a log, no SQLite program can write to the file during a snapshot. So a new stamp means another kind
        // of write.
        let has_log = connection.database.is_logged().unwrap_or(true);
        let is_overwritten = !has_log && FileStamp::of(&self.path) != connection.stamp;

        let is_fault = failure.status == StatusCode::INTERNAL_SERVER_ERROR;
        if is_fault && (is_other_file || is_overwritten) {
            return Error::Replaced(self.path.clone()).into();
        }
        failure
    }

    /// Waits until a connection may be opened to the file at the path.
    ///
    /// # Errors
    /// When there is no file, or when the file has replaced another one whose answers or log are still there.
    fn begin_visit(&self) -> Result<Visit<'_>> {
        let begin = Instant::now();
        let mut traffic = lock(&self.traffic);
        loop {
            let Some(file) = self.file() else {
                return Err(Error::NoDatabase(self.path.clone()));
            };
            let log = Log::of(&self.path);
            let is_replaced = traffic.file.is_some_and(|known| known != file);

            // No connection has the index of a log mapped, so connections to a new file or a new log do no harm.
            if traffic.with_log == 0 {
                traffic.waiting_since = None;
                if is_replaced {
                    self.refuse_log_of_other(&traffic, log)?;
                }
                if is_replaced || log.is_some() {
                    traffic.idle.clear();
                    lock(&self.present).observer = None;
                }
                return Ok(self.count_visit(traffic, file, log));
            }

            // While a writer still works, its log cannot be ended, and waiting would be in vain.
            let is_log_finished = log.is_some_and(|log| log.is_finished(&self.path));
            if is_replaced {
                if begin.elapsed() > MAX_WAIT_FOR_OLD_ANSWERS {
                    return Err(Error::Replaced(self.path.clone()));
                }
            } else if !is_log_finished || !traffic.waits_for_log() {
                return Ok(self.count_visit(traffic, file, log));
            }

            // Files can change without a notification, so they are checked again after a pause.
            let waited = self.quieter.wait_timeout(traffic, FILE_CHECK_PAUSE);
            traffic = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Counts a request in the traffic.
    fn count_visit(
        &self,
        mut traffic: MutexGuard<'_, Traffic>,
        file: FileIdentity,
        log: Option<Log>,
    ) -> Visit<'_> {
        traffic.file = Some(file);
        traffic.log = log.map(|log| log.identity);
        traffic.with_log += 1;
        Visit {
            pool: self,
            file,
            may_have_log: true,
        }
    }

    /// Fails if a log has changes of a file that was replaced. SQLite would apply them to the new file.
    fn refuse_log_of_other(&self, traffic: &Traffic, log: Option<Log>) -> Result<()> {
        let is_of_other = |log: Log| log.bytes > 0 && Some(log.identity) == traffic.log;
        if !log.is_some_and(is_of_other) {
            return Ok(());
        }

        let [log, index] = Log::files(&self.path);
        Err(Error::LogOfOther {
            database: self.path.clone(),
            log,
            index,
        })
    }

    /// An idle connection to a file, or a new one.
    fn idle_or_new(&self, file: FileIdentity) -> Result<Connection> {
        let stamp = FileStamp::of(&self.path);
        let mut traffic = lock(&self.traffic);
        traffic
            .idle
            .retain(|connection| connection.file == file && connection.stamp == stamp);
        let idle = traffic.idle.pop();

        // Others need not wait while a connection is opened.
        drop(traffic);
        match idle {
            Some(connection) => Ok(connection),
            None => self.connect(file),
        }
    }

    /// Opens a connection to a file, with the functions of Stamma.
    fn connect(&self, file: FileIdentity) -> Result<Connection> {
        let database = Database::open_file(&self.path, file, self.is_read_only)?;
        stamma::sql::register_in(&database)?;
        database.limit_page_cache(PAGE_CACHE_KIB)?;
        Ok(Connection {
            database,
            file,
            stamp: None,
        })
    }

    /// Begins a snapshot, and returns the values that answers of this state share.
    fn begin_prepared_snapshot(&self, connection: &mut Connection) -> Result<Arc<Prepared>> {
        for _ in 0..MAX_SNAPSHOT_ATTEMPTS {
            let before = self.observe(connection.file)?;
            self.begin_snapshot(connection)?;

            // If nothing has changed meanwhile, this is the state of the snapshot.
            if before.is_some() && before == self.observe(connection.file)? {
                return self.prepare(connection, before);
            }
        }

        // While a writer commits all the time, this snapshot is prepared for its request alone.
        self.prepare(connection, None)
    }

    fn begin_snapshot(&self, connection: &mut Connection) -> Result<()> {
        connection.database.begin_snapshot()?;
        connection.stamp = FileStamp::of(&self.path);
        Ok(())
    }

    /// The present state of a file; `None` while a writer keeps readers out.
    fn observe(&self, file: FileIdentity) -> Result<Option<State>> {
        let mut present = lock(&self.present);
        let is_observed = match &present.observer {
            Some(observer) => observer.file == file,
            None => false,
        };
        if !is_observed {
            let observer = self.connect(file)?;
            observer.database.end_snapshot()?;

            // The observer must not wait: the writer may wait for the snapshot of this very request.
            observer
                .database
                .connection()
                .busy_timeout(Duration::ZERO)
                .in_database(&observer.database)?;
            present.observer = Some(observer);
            present.observers += 1;
        }

        let number = present.observers;
        let Some(observer) = &present.observer else {
            return Ok(None);
        };
        let stamp = FileStamp::of(&self.path);
        match observer.database.data_version() {
            Ok(data_version) => Ok(Some(State {
                observer: number,
                data_version,
                stamp,
            })),
            Err(Error::Busy(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The values that answers share for the snapshot of a connection. They are remembered if the state is known.
    fn prepare(&self, connection: &Connection, state: Option<State>) -> Result<Arc<Prepared>> {
        if let Some((known, prepared)) = &lock(&self.present).prepared
            && Some(*known) == state
        {
            return Ok(Arc::clone(prepared));
        }

        // The lock is not held meanwhile, so that requests for another state need not wait.
        let prepared = Arc::new(Prepared::new(&connection.database)?);
        if let Some(state) = state {
            lock(&self.present).prepared = Some((state, Arc::clone(&prepared)));
        }
        Ok(prepared)
    }
}

impl Snapshot<'_> {
    pub(super) fn database(&self) -> &Database {
        &self.connection().database
    }

    pub(super) fn database_mut(&mut self) -> &mut Database {
        let Some((_, connection)) = &mut self.held else {
            unreachable!("a connection is held until the snapshot is dropped")
        };
        &mut connection.database
    }

    /// The failure, or the replacement of the file if that may be its reason.
    pub(super) fn explain(&self, failure: Failure) -> Failure {
        self.pool.explain(self.connection(), failure)
    }

    fn connection(&self) -> &Connection {
        let Some((_, connection)) = &self.held else {
            unreachable!("a connection is held until the snapshot is dropped")
        };
        connection
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // A connection in whose work there was a panic is closed.
        if let Some((visit, connection)) = self.held.take()
            && !std::thread::panicking()
        {
            visit.leave(connection);
        }
    }
}

impl Traffic {
    /// `true` while requests wait so that a log can be ended. After [`MAX_WAIT_FOR_LOG`], requests do not wait again
    /// before a pause.
    fn waits_for_log(&mut self) -> bool {
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        let waited = since.elapsed();

        // The next request begins to wait again.
        if waited > MAX_WAIT_FOR_LOG + PAUSE_BETWEEN_WAITS {
            self.waiting_since = None;
        }
        waited < MAX_WAIT_FOR_LOG
    }
}

impl Visit<'_> {
    /// Ends the visit early if the snapshot is of the file alone, without a log. Such a snapshot does not hinder a
    /// writer.
    fn end_without_log(&mut self, database: &Database) {
        if database.has_snapshot() && !database.is_logged().unwrap_or(true) {
            self.end(&mut lock(&self.pool.traffic));
        }
    }

    /// Ends the visit. A connection with a log is closed; the last of them ends the log.
    fn leave(mut self, connection: Connection) {
        let is_reusable = connection.end_snapshot().is_ok();
        let mut traffic = lock(&self.pool.traffic);

        // In doubt, the connection is closed.
        let has_log = connection.database.is_logged().unwrap_or(true);

        if !has_log {
            // Another file may have replaced this file meanwhile.
            if is_reusable && traffic.file == Some(connection.file) {
                traffic.idle.push(connection);
            }
        } else if traffic.with_log == 1 {
            self.pool.end_log(&mut traffic, connection);
        } else {
            drop(connection);
        }
        self.end(&mut traffic);
    }

    /// Ends the visit in the traffic, unless it has ended early.
    fn end(&mut self, traffic: &mut Traffic) {
        if !std::mem::take(&mut self.may_have_log) {
            return;
        }

        // The visit was counted when it began, and the flag is reset above, so it is subtracted once.
        traffic.with_log -= 1;
        if traffic.with_log == 0 {
            // Nobody observes now, so this lock is free.
            let mut present = lock(&self.pool.present);
            present
                .observer
                .take_if(|observer| observer.database.is_logged().unwrap_or(true));
        }

        // Requests that wait for a new file or for the end of a log check the files again.
        self.pool.quieter.notify_all();
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        if self.may_have_log {
            self.end(&mut lock(&self.pool.traffic));
        }
    }
}

impl Pool {
    /// Closes the last connection that has a log, and ends the log unless its writer is there.
    fn end_log(&self, traffic: &mut Traffic, connection: Connection) {
        traffic.idle.clear();
        lock(&self.present).observer = None;

        // The log of a file that was replaced must not be moved into the new one.
        let may_write = !self.is_read_only && self.file() == Some(connection.file);
        if may_write && !connection.database.is_being_written() && connection.database.end_log() {
            traffic.idle.push(connection);
        }
    }
}

impl Connection {
    /// Lets a budget limit the work of this connection.
    fn limit(&self, budget: &Arc<Budget>) -> Result<()> {
        limit_work(&self.database, budget, STEPS_PER_CHECK, MAX_VALUE_BYTES)
    }

    /// Ends the snapshot, and the limit by the budget of its request.
    fn end_snapshot(&self) -> Result<()> {
        let no_handler = None::<fn() -> bool>;
        self.database
            .connection()
            .progress_handler(0, no_handler)
            .in_database(&self.database)?;
        self.database.end_snapshot()
    }
}

/// Lets a budget limit SQL of users on a connection, as long as this request has it.
pub(super) fn limit_user_sql(database: &Database, budget: &Arc<Budget>) -> Result<()> {
    // One step of SQL of users may take long, so a limit of steps alone is not enough.
    budget.limit_time();

    let connection = database.connection();
    connection
        .set_limit(Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN_BYTES)
        .in_database(database)?;
    bounded_functions::register(connection).in_database(database)?;

    limit_work(
        database,
        budget,
        STEPS_PER_CLOSE_CHECK,
        MAX_USER_VALUE_BYTES,
    )
}

/// Limits the bytes of a value, and checks the budget after every `steps` steps of SQLite.
fn limit_work(database: &Database, budget: &Arc<Budget>, steps: i32, bytes: i32) -> Result<()> {
    let connection = database.connection();
    connection
        .set_limit(Limit::SQLITE_LIMIT_LENGTH, bytes)
        .in_database(database)?;

    let own_budget = Arc::clone(budget);
    connection
        .progress_handler(steps, Some(move || own_budget.spend(steps)))
        .in_database(database)
}

//! A query of several databases: one thread for each database, which keeps its results while the query lasts.
//!
//! A thread works only while it holds a permit. There is a permit for each thread of the pool. A query with a pattern
//! has a single permit, since it replays games on the whole pool. Of the waiting threads, the thread of the first
//! database gets the next permit. A thread that waits to send results holds no permit.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::super::{Query, Results, Watch};
use crate::error::{Error, Result};
use crate::storage::Database;
use crate::threads;

/// The interval of a wait after which progress is reported and cancellation is noticed.
const WAIT: Duration = Duration::from_millis(50);
/// The interval on a thread of the pool, which works for the pool between two waits.
const WAIT_OF_POOL: Duration = Duration::from_millis(1);

/// A task for the results of one database.
pub(super) type Task = Box<dyn FnOnce(&mut Results<'_>, &Turn<'_>) + Send>;

/// The threads of a query.
pub(super) struct Sessions<'w> {
    tasks: Vec<Sender<Task>>,
    shared: &'w Shared,
    watch: Watch<'w>,
}

/// Values that the threads of a query share.
struct Shared {
    permits: Mutex<Permits>,
    released: Condvar,
    /// For each database the number of games replayed, and of all games that may need a replay.
    progress: Vec<[AtomicU64; 2]>,
    is_over: AtomicBool,
}

/// The permits to work, and the databases whose threads wait for one.
struct Permits {
    free: usize,
    waiting: BTreeSet<usize>,
}

/// The access of a thread to the permits.
pub(super) struct Turn<'s> {
    shared: &'s Shared,
    database: usize,
}

/// Plans a query on each database, and calls `answer` with the threads of the databases.
///
/// # Errors
/// When a database cannot be read or no thread can be started. Also any error of `answer`.
pub(super) fn with_sessions<T>(
    databases: Vec<&mut Database>,
    query: &Query,
    watch: Watch<'_>,
    answer: impl FnOnce(&Sessions<'_>) -> Result<T>,
) -> Result<T> {
    watch.check()?;

    // A pattern is replayed by the whole pool, with a connection per thread, so one database at a time.
    let permits = if query.pattern.is_some() {
        1
    } else {
        threads::count()
    };
    let shared = &Shared::new(databases.len(), permits);
    thread::scope(|scope| {
        // However this ends, the threads must end, for which the scope waits.
        let _end = SetOnDrop(&shared.is_over);

        let (planned, plans) = channel();
        let mut tasks = Vec::with_capacity(databases.len());
        for (number, database) in databases.into_iter().enumerate() {
            let (sender, receiver) = channel();
            tasks.push(sender);

            let turn = Turn {
                shared,
                database: number,
            };
            let planned = planned.clone();
            let path = database.path().to_owned();
            let work = move || run_tasks(database, query, &turn, &planned, receiver);

            let builder = thread::Builder::new().name("query".to_owned());
            let started = builder.spawn_scoped(scope, work);
            started.map_err(Error::file(&path))?;
        }

        // Only the threads may still send plans: if all of them have ended, the wait for plans ends.
        drop(planned);
        let sessions = Sessions {
            tasks,
            shared,
            watch,
        };
        sessions.collect(&plans)?;
        answer(&sessions)
    })
}

/// Plans the query on a database, and runs the tasks of this database until the query is over.
fn run_tasks(
    database: &Database,
    query: &Query,
    turn: &Turn<'_>,
    planned: &Sender<(usize, Result<()>)>,
    tasks: Receiver<Task>,
) {
    let [replayed, all] = &turn.shared.progress[turn.database];
    let progress = |games, of_games| {
        replayed.store(games, Ordering::Relaxed);
        all.store(of_games, Ordering::Relaxed);
    };
    let is_cancelled = || turn.shared.is_over.load(Ordering::Relaxed);
    let watch = Watch::new().progress(&progress).cancel_when(&is_cancelled);

    // The receiver of plans may have given up because of another database, so a failure to send is ignored.
    let mut results = match turn.with_permit(|| database.query_watched(query, watch)) {
        Ok(results) => {
            let _ = planned.send((turn.database, Ok(())));
            results
        }
        Err(error) => {
            let _ = planned.send((turn.database, Err(error)));
            return;
        }
    };

    for task in tasks {
        task(&mut results, turn);
    }
}

impl Sessions<'_> {
    /// The number of databases.
    pub(super) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Runs a task on each database, and returns the answers in the order of the databases.
    ///
    /// # Errors
    /// The error of the first database whose task fails, or when the query is cancelled.
    pub(super) fn run_on_all<R: Send + 'static>(
        &self,
        task: impl Fn(&mut Results<'_>) -> Result<R> + Clone + Send + 'static,
    ) -> Result<Vec<R>> {
        let (sender, answers) = channel();
        for database in 0..self.len() {
            let task = task.clone();
            let sender = sender.clone();
            self.start_task(database, move |results, turn| {
                let answer = turn.with_permit(|| task(results));
                // The receiver has given up if the query was cancelled.
                let _ = sender.send((database, answer));
            });
        }

        // Only the threads may still send: if one has ended by a panic, the wait for its answer ends.
        drop(sender);
        self.collect(&answers)
    }

    /// Runs a task on one database, and returns its answer.
    ///
    /// # Errors
    /// Any error of the task, or when the query is cancelled.
    pub(super) fn run_on_one<R: Send + 'static>(
        &self,
        database: usize,
        task: impl FnOnce(&mut Results<'_>) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (sender, answer) = channel();
        self.start_task(database, move |results, turn| {
            let answer = turn.with_permit(|| task(results));
            let _ = sender.send(answer);
        });

        match self.receive(&answer)? {
            Some(answer) => answer,
            None => Err(Error::Interrupted),
        }
    }

    /// Starts a task for one database, by its index, which is below [`Sessions::len`].
    pub(super) fn start_task(
        &self,
        database: usize,
        task: impl FnOnce(&mut Results<'_>, &Turn<'_>) + Send + 'static,
    ) {
        // A thread ends before the query only by a panic, which ends the query.
        let _ = self.tasks[database].send(Box::new(task));
    }

    /// The answers of all databases, in their order.
    fn collect<R>(&self, answers: &Receiver<(usize, Result<R>)>) -> Result<Vec<R>> {
        let mut unsorted: Vec<(usize, Result<R>)> = Vec::with_capacity(self.len());
        while unsorted.len() < self.len() {
            let Some(answer) = self.receive(answers)? else {
                return Err(Error::Interrupted);
            };
            unsorted.push(answer);
        }
        unsorted.sort_by_key(|(database, _)| *database);

        // All answers are awaited, so that the error of the first database does not depend on the threads.
        let mut collected = Vec::with_capacity(unsorted.len());
        for (_, answer) in unsorted {
            collected.push(answer?);
        }
        Ok(collected)
    }

    /// Waits for the next answer; `None` when all senders are gone. Reports progress meanwhile.
    ///
    /// # Errors
    /// When the query is cancelled.
    pub(super) fn receive<R>(&self, answers: &Receiver<R>) -> Result<Option<R>> {
        let is_of_pool = threads::is_one();
        let wait = if is_of_pool { WAIT_OF_POOL } else { WAIT };
        loop {
            self.watch.check()?;
            let answer = answers.recv_timeout(wait);
            self.report();

            match answer {
                Ok(answer) => return Ok(Some(answer)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // The threads of the databases may need the pool, so a thread of the pool must not sleep meanwhile.
            if is_of_pool {
                rayon::yield_now();
            }
        }
    }

    /// Reports the progress of all databases together.
    fn report(&self) {
        let mut replayed = 0;
        let mut all = 0;
        for [replayed_of_database, all_of_database] in &self.shared.progress {
            replayed += replayed_of_database.load(Ordering::Relaxed);
            all += all_of_database.load(Ordering::Relaxed);
        }

        // The two numbers are not read at one moment, so the first may be ahead.
        if all > 0 {
            self.watch.report(replayed.min(all), all);
        }
    }
}

impl Shared {
    /// Values for a number of databases, whose threads share a number of permits.
    fn new(databases: usize, permits: usize) -> Shared {
        Shared {
            permits: Mutex::new(Permits {
                free: permits,
                waiting: BTreeSet::new(),
            }),
            released: Condvar::new(),
            progress: (0..databases).map(|_| Default::default()).collect(),
            is_over: AtomicBool::new(false),
        }
    }

    /// Locks the permits. The panic of another thread leaves them valid.
    fn lock_permits(&self) -> MutexGuard<'_, Permits> {
        self.permits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// Waits for a permit, and runs `work` with it.
    pub(super) fn with_permit<R>(&self, work: impl FnOnce() -> R) -> R {
        let Turn { shared, database } = self;

        let mut permits = shared.lock_permits();
        permits.waiting.insert(*database);
        while permits.free == 0 || permits.waiting.first() != Some(database) {
            let woken = shared.released.wait(permits);
            permits = woken.unwrap_or_else(PoisonError::into_inner);
        }
        permits.free -= 1;
        permits.waiting.remove(database);
        // The lock must be free while this thread works.
        drop(permits);

        // Another permit may be free. The next thread in line could not take it before this thread had taken its own.
        shared.released.notify_all();
        let _release = Release(shared);
        work()
    }
}

/// Returns a permit on drop, so also after a panic.
struct Release<'s>(&'s Shared);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.lock_permits().free += 1;
        self.0.released.notify_all();
    }
}

/// Sets a flag on drop, so also after a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

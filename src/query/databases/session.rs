//! A query of several databases: one thread for each, which keeps its results while the query lasts.
//!
//! The threads take turns: as many work at once as there are threads in the pool, and one alone where each would use
//! the whole pool to replay games. The first databases come first. While a thread waits to pass results on, it lets
//! others work.

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

/// How often progress is reported and cancellation noticed during a wait.
const LOOK: Duration = Duration::from_millis(50);
/// The same on a thread of the pool, which works for the others meanwhile.
const SHORT_LOOK: Duration = Duration::from_millis(1);

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
    /// The number of threads that may still begin to work, and the databases that wait.
    free: Mutex<(usize, BTreeSet<usize>)>,
    released: Condvar,
    /// For each database the games replayed, and all that may need a replay.
    progress: Vec<[AtomicU64; 2]>,
    is_over: AtomicBool,
}

/// The right of a thread to work when its turn comes.
pub(super) struct Turn<'s> {
    shared: &'s Shared,
    database: usize,
}

/// Plans a query on each database, and calls `answer` with their threads.
///
/// # Errors
/// When a database cannot be read or no thread can be started, and what `answer` returns.
pub(super) fn run<T>(
    databases: Vec<&mut Database>,
    query: &Query,
    watch: Watch<'_>,
    answer: impl FnOnce(&Sessions<'_>) -> Result<T>,
) -> Result<T> {
    watch.check()?;
    let at_once = if query.pattern.is_some() {
        1
    } else {
        threads::count()
    };
    let shared = &Shared::new(databases.len(), at_once);
    thread::scope(|scope| {
        let _end = SetOnDrop(&shared.is_over);
        let (planned, plans) = channel();
        let mut tasks = Vec::with_capacity(databases.len());
        for (number, database) in databases.into_iter().enumerate() {
            let (sender, receiver) = channel();
            tasks.push(sender);
            let (turn, planned) = (
                Turn {
                    shared,
                    database: number,
                },
                planned.clone(),
            );
            let path = database.path().to_owned();
            let work = move || serve(database, query, &turn, &planned, receiver);
            let thread = thread::Builder::new().name("query".to_owned());
            thread
                .spawn_scoped(scope, work)
                .map_err(Error::file(&path))?;
        }
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

/// Plans the query, and does the tasks until the query is over.
fn serve(
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
    let plan = turn.take(|| database.query_watched(query, watch));
    let (mut results, outcome) = match plan {
        Ok(results) => (Some(results), Ok(())),
        Err(error) => (None, Err(error)),
    };
    // The receiver may have given up.
    let _ = planned.send((turn.database, outcome));
    let Some(results) = &mut results else { return };
    for task in tasks {
        task(results, turn);
    }
}

impl Sessions<'_> {
    /// The number of databases.
    pub(super) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Asks each database the same, and returns the answers in the order of the databases.
    ///
    /// # Errors
    /// That of the first database with one, or when the query is cancelled.
    pub(super) fn ask<R: Send + 'static>(
        &self,
        ask: impl Fn(&mut Results<'_>) -> Result<R> + Clone + Send + 'static,
    ) -> Result<Vec<R>> {
        let (sender, answers) = channel();
        for database in 0..self.len() {
            let (ask, sender) = (ask.clone(), sender.clone());
            self.start(database, move |results, turn| {
                let _ = sender.send((database, turn.take(|| ask(results))));
            });
        }
        drop(sender);
        self.collect(&answers)
    }

    /// Asks one database.
    ///
    /// # Errors
    /// When it cannot be read, or the query is cancelled.
    pub(super) fn ask_one<R: Send + 'static>(
        &self,
        database: usize,
        ask: impl FnOnce(&mut Results<'_>) -> Result<R> + Send + 'static,
    ) -> Result<R> {
        let (sender, answer) = channel();
        self.start(database, move |results, turn| {
            let _ = sender.send(turn.take(|| ask(results)));
        });
        self.receive(&answer)?.unwrap_or(Err(Error::Interrupted))
    }

    /// Starts a task for one database.
    pub(super) fn start(
        &self,
        database: usize,
        task: impl FnOnce(&mut Results<'_>, &Turn<'_>) + Send + 'static,
    ) {
        // A thread ends before the query only by a panic, which ends the query.
        let _ = self.tasks[database].send(Box::new(task));
    }

    fn collect<R>(&self, answers: &Receiver<(usize, Result<R>)>) -> Result<Vec<R>> {
        let mut all: Vec<(usize, Result<R>)> = Vec::with_capacity(self.len());
        while all.len() < self.len() {
            all.push(self.receive(answers)?.ok_or(Error::Interrupted)?);
        }
        all.sort_by_key(|(database, _)| *database);
        all.into_iter().map(|(_, answer)| answer).collect()
    }

    /// The next answer; `None` when there are no more.
    ///
    /// # Errors
    /// When the query is cancelled.
    pub(super) fn receive<R>(&self, answers: &Receiver<R>) -> Result<Option<R>> {
        loop {
            self.watch.check()?;
            let is_of_pool = threads::is_one();
            let answer = answers.recv_timeout(if is_of_pool { SHORT_LOOK } else { LOOK });
            self.report();
            match answer {
                Ok(answer) => return Ok(Some(answer)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if is_of_pool => drop(rayon::yield_now()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn report(&self) {
        let sum = |which: usize| {
            let values = self.shared.progress.iter().map(|values| &values[which]);
            values
                .map(|value| value.load(Ordering::Relaxed))
                .sum::<u64>()
        };
        let all = sum(1);
        if all > 0 {
            self.watch.report(sum(0).min(all), all);
        }
    }
}

impl Shared {
    fn new(databases: usize, at_once: usize) -> Shared {
        Shared {
            free: Mutex::new((at_once, BTreeSet::new())),
            released: Condvar::new(),
            progress: (0..databases).map(|_| Default::default()).collect(),
            is_over: AtomicBool::new(false),
        }
    }

    fn free(&self) -> MutexGuard<'_, (usize, BTreeSet<usize>)> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// Works when the turn of this database comes.
    pub(super) fn take<R>(&self, work: impl FnOnce() -> R) -> R {
        let Turn { shared, database } = self;
        let mut free = shared.free();
        free.1.insert(*database);
        while free.0 == 0 || free.1.first() != Some(database) {
            free = shared
                .released
                .wait(free)
                .unwrap_or_else(PoisonError::into_inner);
        }
        free.0 -= 1;
        free.1.remove(database);
        drop(free);
        // The next in line may have waited for this one alone.
        shared.released.notify_all();
        let _release = Release(shared);
        work()
    }
}

/// Ends a turn, also by a panic.
struct Release<'s>(&'s Shared);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        self.0.free().0 += 1;
        self.0.released.notify_all();
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

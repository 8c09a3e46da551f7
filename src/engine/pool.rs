//! Several engines side by side, which are restarted when they fail.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::failure::EngineFailure;
use super::search::{Search, SearchLimit};
use super::session::{Engine, EngineSettings, SearchEnd};
use crate::board::Position;

/// A position is given up after this many failures.
const MAX_TRIES: u32 = 2;
/// An engine that fails this often, with no search that succeeds between, is not started again.
const MAX_FAILURES_IN_A_ROW: u32 = 3;
/// The positions in work or waiting, for each engine.
const POSITIONS_AHEAD: usize = 2;
/// The longest time without an event.
const TICK: Duration = Duration::from_millis(100);

/// What happens while positions are searched.
#[derive(Debug)]
pub enum PoolEvent {
    /// A position was searched.
    Found(Box<(Position, Search)>),
    /// An engine has failed, and is ended; unless it has failed too often, it is started again.
    Ended(EngineFailure),
    /// A position was given up after repeated failures, of which this is the last.
    Failed(Box<(Position, EngineFailure)>),
    /// A position that the engine cannot play from.
    PassedOver(Box<Position>),
    /// An engine has failed too often, and is not started again.
    GaveUp,
    /// Nothing happened for a while.
    Nothing,
}

/// How a run of many searches ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolEnd {
    /// All positions were searched, or have failed.
    Done,
    /// It was stopped from outside.
    Stopped,
    /// No engine is left.
    NoEngine,
}

/// Searches positions by several engines. Results come in any order.
///
/// The engines in `running` are used before others are started. Engines that still run at the end are put back into
/// `running`, for the next call.
///
/// # Errors
/// The first error of `positions` or `sink`.
pub fn search_all<E>(
    running: &mut Vec<Engine>,
    settings: &EngineSettings,
    engines: usize,
    limit: SearchLimit,
    stop: &AtomicBool,
    mut positions: impl FnMut() -> Result<Option<Position>, E>,
    mut sink: impl FnMut(PoolEvent) -> Result<(), E>,
) -> Result<PoolEnd, E> {
    let engines = engines.max(1);
    let (jobs, waiting) = sync_channel::<Position>(POSITIONS_AHEAD * engines);
    let waiting = &Mutex::new(waiting);
    let (sender, events) = channel();
    // A failure here ends the searches of the others, too.
    let over = &AtomicBool::new(false);

    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(engines);
        for _ in 0..engines {
            let worker = Worker {
                running: running.pop(),
                settings,
                limit,
                stop,
                over,
                failures: 0,
                sender: sender.clone(),
            };
            workers.push(scope.spawn(move || worker.work(waiting)));
        }
        drop(sender);

        let mut feed = || -> Result<PoolEnd, E> {
            let mut living = engines;
            let mut at_work = 0;
            let mut has_more = true;
            // Positions that a worker could not search go to the next worker.
            let mut returned = Vec::new();
            loop {
                let room = POSITIONS_AHEAD * living;
                while has_more && at_work < room && !stop.load(Ordering::Relaxed) {
                    let next = match returned.pop() {
                        Some(position) => Some(position),
                        None => positions()?,
                    };
                    match next {
                        Some(position) => {
                            at_work += 1;
                            // There is a worker, and there is room.
                            let _ = jobs.send(position);
                        }
                        None => has_more = false,
                    }
                }

                if living == 0 {
                    return Ok(PoolEnd::NoEngine);
                }
                if at_work == 0 {
                    let is_stopped = stop.load(Ordering::Relaxed) && has_more;
                    return Ok(if is_stopped {
                        PoolEnd::Stopped
                    } else {
                        PoolEnd::Done
                    });
                }

                let event = match events.recv_timeout(TICK) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => Event::Pool(PoolEvent::Nothing),
                    Err(RecvTimeoutError::Disconnected) => return Ok(PoolEnd::NoEngine),
                };
                match event {
                    Event::Returned(position) => {
                        at_work -= 1;
                        returned.push(*position);
                        has_more = true;
                    }
                    Event::Pool(event) => {
                        match &event {
                            PoolEvent::Found(_)
                            | PoolEvent::Failed(_)
                            | PoolEvent::PassedOver(_) => at_work -= 1,
                            PoolEvent::GaveUp => living -= 1,
                            PoolEvent::Ended(_) | PoolEvent::Nothing => {}
                        }
                        sink(event)?;
                    }
                }
            }
        };
        let end = feed();
        over.store(true, Ordering::Relaxed);
        drop(jobs);

        for worker in workers {
            match worker.join() {
                Ok(engine) => running.extend(engine),
                Err(panic) => resume_unwind(panic),
            }
        }
        end
    })
}

/// An event of a worker.
enum Event {
    /// An event for the caller.
    Pool(PoolEvent),
    /// A position was not searched, which is no fault of its own.
    Returned(Box<Position>),
}

/// A thread with an engine.
struct Worker<'s> {
    /// `None` before the first position, and after a failure.
    running: Option<Engine>,
    settings: &'s EngineSettings,
    limit: SearchLimit,
    stop: &'s AtomicBool,
    over: &'s AtomicBool,
    /// The failures since the last search that succeeded.
    failures: u32,
    sender: Sender<Event>,
}

impl Worker<'_> {
    /// Searches the positions that wait; returns the engine if it still runs.
    fn work(mut self, waiting: &Mutex<Receiver<Position>>) -> Option<Engine> {
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(position) = next else {
                return self.running;
            };

            let event = self.searched(position);
            // Nobody listens after the end.
            let _ = self.sender.send(event);

            if self.failures >= MAX_FAILURES_IN_A_ROW {
                self.report(PoolEvent::GaveUp);
                return None;
            }
        }
    }

    /// Searches a position, with a new engine after a failure.
    fn searched(&mut self, position: Position) -> Event {
        let mut tries = 0;
        while !self.must_end() && self.failures < MAX_FAILURES_IN_A_ROW {
            let Some(mut engine) = self.engine() else {
                continue;
            };
            if !engine.can_search(&position) {
                self.running = Some(engine);
                return Event::Pool(PoolEvent::PassedOver(Box::new(position)));
            }

            let must_end = || self.must_end();
            match engine.searched(&position, self.limit, &must_end, &mut |_| {}) {
                Ok(searched) => {
                    self.running = Some(engine);
                    self.failures = 0;
                    return match searched {
                        SearchEnd::Completed(search) => {
                            Event::Pool(PoolEvent::Found(Box::new((position, search))))
                        }
                        // A search that was cut off is below the limit, and is dropped.
                        SearchEnd::Stopped(_) => Event::Returned(Box::new(position)),
                    };
                }
                Err(EngineFailure::Stopped) => {}
                Err(failure) => {
                    self.failures += 1;
                    tries += 1;
                    if tries == MAX_TRIES {
                        return Event::Pool(PoolEvent::Failed(Box::new((position, failure))));
                    }
                    self.report(PoolEvent::Ended(failure));
                }
            }
        }
        Event::Returned(Box::new(position))
    }

    /// The engine, started if it does not run; `None` if that fails.
    fn engine(&mut self) -> Option<Engine> {
        if let Some(engine) = self.running.take() {
            return Some(engine);
        }
        match Engine::start(self.settings, &|| self.must_end()) {
            Ok(engine) => Some(engine),
            Err(EngineFailure::Stopped) => None,
            Err(failure) => {
                self.failures += 1;
                self.report(PoolEvent::Ended(failure));
                None
            }
        }
    }

    fn report(&self, event: PoolEvent) {
        // Nobody listens after the end.
        let _ = self.sender.send(Event::Pool(event));
    }

    fn must_end(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }
}

//! Several engines side by side, which are restarted when they fail.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::failure::EngineFailure;
use super::search::{Search, SearchLimit};
use super::session::{Engine, EngineSettings, SearchEnd};
use crate::board::Position;

/// The number of failed searches after which a position is given up. A process that cannot start does not count as a
/// failed search.
const MAX_TRIES: u32 = 2;
/// The number of failures, without a successful search between them, after which an engine is not started again.
const MAX_FAILURES_IN_A_ROW: u32 = 3;
/// The maximum number of positions in work or waiting, for each engine.
const POSITIONS_AHEAD: usize = 2;
/// The time without another event after which [`PoolEvent::Nothing`] is emitted.
const TICK: Duration = Duration::from_millis(100);

/// An event of the searches of many positions.
#[derive(Debug)]
pub enum PoolEvent {
    /// A position was searched.
    Found(Box<(Position, Search)>),
    /// An engine has failed, and is ended. Unless it has failed too often, it is started again.
    Ended(EngineFailure),
    /// A position was given up after repeated failures; the last failure is given.
    Failed(Box<(Position, EngineFailure)>),
    /// A position that the engine cannot play from.
    PassedOver(Box<Position>),
    /// An engine has failed too often, and is not started again.
    GaveUp,
    /// Nothing happened for a while.
    Nothing,
}

/// The reason why a run of many searches ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolEnd {
    /// All positions were searched, or have failed.
    Done,
    /// The caller has stopped the run.
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
    positions: impl FnMut() -> Result<Option<Position>, E>,
    sink: impl FnMut(PoolEvent) -> Result<(), E>,
) -> Result<PoolEnd, E> {
    let engines = engines.max(1);
    let (jobs, receiver) = sync_channel::<Position>(POSITIONS_AHEAD * engines);
    let waiting = &Mutex::new(receiver);
    let (sender, events) = channel();
    // An error of `positions` or `sink` ends the searches that are still running.
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

        let mut feed = Feed {
            jobs,
            stop,
            living: engines,
            at_work: 0,
            has_more: true,
            returned: Vec::new(),
        };
        let end = feed.run(&events, positions, sink);

        // Without jobs, the workers end.
        over.store(true, Ordering::Relaxed);
        drop(feed);

        for worker in workers {
            match worker.join() {
                Ok(engine) => running.extend(engine),
                Err(panic) => resume_unwind(panic),
            }
        }
        end
    })
}

/// Passes positions to the workers, and their events to the caller.
struct Feed<'s> {
    jobs: SyncSender<Position>,
    stop: &'s AtomicBool,
    /// The number of engines that have not failed too often.
    living: usize,
    /// The number of positions in work or waiting. Each worker answers a position with exactly one event that ends it,
    /// so the subtractions cannot underflow.
    at_work: usize,
    /// `false` if the caller has no further positions, and none was returned.
    has_more: bool,
    /// Positions that a worker returned without a search. The next free worker receives them.
    returned: Vec<Position>,
}

impl Feed<'_> {
    /// Runs until all positions are done, no engine is left, or the searches are stopped.
    fn run<E>(
        &mut self,
        events: &Receiver<Event>,
        mut positions: impl FnMut() -> Result<Option<Position>, E>,
        mut sink: impl FnMut(PoolEvent) -> Result<(), E>,
    ) -> Result<PoolEnd, E> {
        loop {
            self.send_positions(&mut positions)?;
            if let Some(end) = self.end() {
                return Ok(end);
            }

            let event = match events.recv_timeout(TICK) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => Event::Pool(PoolEvent::Nothing),
                Err(RecvTimeoutError::Disconnected) => return Ok(PoolEnd::NoEngine),
            };
            match event {
                Event::Returned(position) => {
                    self.at_work -= 1;
                    self.returned.push(*position);
                    self.has_more = true;
                }
                Event::Pool(event) => {
                    self.count_done(&event);
                    sink(event)?;
                }
            }
        }
    }

    /// Sends positions to the workers while there is room.
    fn send_positions<E>(
        &mut self,
        positions: &mut impl FnMut() -> Result<Option<Position>, E>,
    ) -> Result<(), E> {
        let room = POSITIONS_AHEAD * self.living;
        while self.has_more && self.at_work < room && !self.is_stopped() {
            let next = match self.returned.pop() {
                Some(position) => Some(position),
                None => positions()?,
            };
            let Some(position) = next else {
                self.has_more = false;
                return Ok(());
            };

            self.at_work += 1;
            // A worker lives and the channel has room, so this neither fails nor waits.
            let _ = self.jobs.send(position);
        }
        Ok(())
    }

    /// The end of the run; `None` while positions are in work.
    fn end(&self) -> Option<PoolEnd> {
        if self.living == 0 {
            return Some(PoolEnd::NoEngine);
        }
        if self.at_work > 0 {
            return None;
        }

        if self.is_stopped() && self.has_more {
            Some(PoolEnd::Stopped)
        } else {
            Some(PoolEnd::Done)
        }
    }

    /// Counts the positions that are done, and the engines that are given up.
    fn count_done(&mut self, event: &PoolEvent) {
        match event {
            PoolEvent::Found(_) | PoolEvent::Failed(_) | PoolEvent::PassedOver(_) => {
                self.at_work -= 1;
            }
            PoolEvent::GaveUp => self.living -= 1,
            PoolEvent::Ended(_) | PoolEvent::Nothing => {}
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// An event of a worker.
enum Event {
    /// An event for the caller.
    Pool(PoolEvent),
    /// A position was not searched, through no fault of the position.
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

            let event = self.search(position);
            // Nobody listens after the end.
            let _ = self.sender.send(event);

            if self.failures >= MAX_FAILURES_IN_A_ROW {
                self.report(PoolEvent::GaveUp);
                return None;
            }
        }
    }

    /// Searches a position, with a new engine after a failure. The position is returned without a search if the run
    /// must end, or if the engine has failed too often.
    fn search(&mut self, position: Position) -> Event {
        let mut tries = 0;
        while !self.must_end() && self.failures < MAX_FAILURES_IN_A_ROW {
            let Some(mut engine) = self.take_or_start_engine() else {
                continue;
            };

            if !engine.can_search(&position) {
                self.running = Some(engine);
                return Event::Pool(PoolEvent::PassedOver(Box::new(position)));
            }

            let must_end = || self.must_end();
            let searched = engine.search_to_end(&position, self.limit, &must_end, &mut |_| {});
            match searched {
                Ok(end) => {
                    self.running = Some(engine);
                    self.failures = 0;
                    return event_of_end(position, end);
                }
                Err(EngineFailure::Stopped) => {}
                // The engine is dropped with its process, and the next try starts a new one.
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

    /// The running engine or a new one; `None` if a new engine cannot be started.
    fn take_or_start_engine(&mut self) -> Option<Engine> {
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

    /// Sends an event for the caller.
    fn report(&self, event: PoolEvent) {
        // Nobody listens after the end.
        let _ = self.sender.send(Event::Pool(event));
    }

    /// `true` if the caller has stopped the run, or the run is over.
    fn must_end(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }
}

/// The event for a search that has ended without a failure of the engine.
fn event_of_end(position: Position, end: SearchEnd) -> Event {
    match end {
        SearchEnd::Completed(search) => Event::Pool(PoolEvent::Found(Box::new((position, search)))),
        // A search that was cut off is below the limit, and is dropped.
        SearchEnd::Stopped(_) => Event::Returned(Box::new(position)),
    }
}

//! Several engines side by side, which are restarted when they fail.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::failure::EngineFailure;
use super::search::{Search, SearchLimit};
use super::session::{Engine, EngineSettings, Searched};
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
    /// An engine has failed; it is started again, and the position tried again.
    Restarted(EngineFailure),
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

/// Searches positions by several engines, one of which may be running already. What is found comes in any order.
///
/// # Errors
/// The first error of `positions` or `sink`.
pub fn search_all<E>(
    first: Option<Engine>,
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
        let mut running = first;
        for _ in 0..engines {
            let (running, sender) = (running.take(), sender.clone());
            let worker = Worker { running, settings, limit, stop, over, failures: 0, sender };
            scope.spawn(move || worker.work(waiting));
        }
        drop(sender);

        let mut feed = || -> Result<PoolEnd, E> {
            let (mut living, mut at_work, mut has_more) = (engines, 0, true);
            loop {
                let room = POSITIONS_AHEAD * living;
                while has_more && at_work < room && !stop.load(Ordering::Relaxed) {
                    match positions()? {
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
                    return Ok(if is_stopped { PoolEnd::Stopped } else { PoolEnd::Done });
                }

                let event = match events.recv_timeout(TICK) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => Event::Told(PoolEvent::Nothing),
                    Err(RecvTimeoutError::Disconnected) => return Ok(PoolEnd::NoEngine),
                };
                match event {
                    Event::Unsearched => {
                        at_work -= 1;
                        has_more = true;
                    }
                    Event::Told(event) => {
                        match &event {
                            PoolEvent::Found(_) | PoolEvent::Failed(_) => at_work -= 1,
                            PoolEvent::PassedOver(_) => at_work -= 1,
                            PoolEvent::GaveUp => living -= 1,
                            PoolEvent::Restarted(_) | PoolEvent::Nothing => {}
                        }
                        sink(event)?;
                    }
                }
            }
        };
        let end = feed();
        over.store(true, Ordering::Relaxed);
        drop(jobs);
        end
    })
}

/// What a worker tells.
enum Event {
    Told(PoolEvent),
    /// A position was not searched, because of the end.
    Unsearched,
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
    fn work(mut self, waiting: &Mutex<Receiver<Position>>) {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(position) = next else { return };
            let event = self.searched(position);
            // Nobody listens after the end.
            let _ = self.sender.send(event);
            if self.failures >= MAX_FAILURES_IN_A_ROW {
                let _ = self.sender.send(Event::Told(PoolEvent::GaveUp));
                return;
            }
        }
    }

    /// Searches a position, with a new engine after a failure.
    fn searched(&mut self, position: Position) -> Event {
        for attempt in 1.. {
            if self.must_end() {
                break;
            }
            let failure = match self.try_once(&position) {
                Ok(event) => return event,
                Err(failure) => failure,
            };
            self.running = None;
            self.failures += 1;
            if attempt == MAX_TRIES || self.failures >= MAX_FAILURES_IN_A_ROW {
                return Event::Told(PoolEvent::Failed(Box::new((position, failure))));
            }
            let _ = self.sender.send(Event::Told(PoolEvent::Restarted(failure)));
        }
        Event::Unsearched
    }

    fn try_once(&mut self, position: &Position) -> Result<Event, EngineFailure> {
        let mut engine = match self.running.take() {
            Some(engine) => engine,
            None => Engine::start(self.settings)?,
        };
        if !engine.can_search(position) {
            self.running = Some(engine);
            return Ok(Event::Told(PoolEvent::PassedOver(Box::new(position.clone()))));
        }

        let must_end = || self.must_end();
        let searched = engine.searched(position, self.limit, &must_end, &mut |_| {})?;
        self.running = Some(engine);
        self.failures = 0;
        Ok(match searched {
            Searched::Found(search) => {
                Event::Told(PoolEvent::Found(Box::new((position.clone(), search))))
            }
            // Half a search is not what was asked for.
            Searched::Stopped(_) => Event::Unsearched,
        })
    }

    fn must_end(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }
}

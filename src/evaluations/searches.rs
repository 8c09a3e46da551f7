//! Options, events and totals of the searches of all analyses.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::Position;
use crate::engine::{
    Engine, EngineFailure, EngineSettings, PoolEnd, PoolEvent, Search, SearchLimit,
};
use crate::error::{Error, Result};

/// Options of searching positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// The engine.
    pub engine: EngineSettings,
    /// The number of processes of the engine.
    pub processes: usize,
    /// The limit of each search.
    pub limit: SearchLimit,
    /// The number of moves of the best line to store; 0 for none.
    pub line_moves: usize,
    /// The first and the last number of half-moves after which positions of games are searched.
    pub plies: (u32, u32),
}

impl AnalysisOptions {
    /// Starts the first process of the engine.
    ///
    /// # Errors
    /// When the engine cannot be started, or the start is stopped.
    pub(super) fn start(&self, stop: &AtomicBool) -> Result<Engine> {
        let is_stopped = || stop.load(Ordering::Relaxed);
        match Engine::start(&self.engine, &is_stopped) {
            Ok(engine) => Ok(engine),
            Err(EngineFailure::Stopped) => Err(Error::Interrupted),
            Err(failure) => Err(Error::Engine {
                program: self.engine.program.clone(),
                failure,
            }),
        }
    }
}

/// An event of an analysis.
#[derive(Debug)]
pub enum AnalysisEvent<'e> {
    /// The number of positions that are done, and an estimate of all.
    Progress {
        /// The positions that are done.
        done: u64,
        /// The estimated number of all positions.
        all: u64,
    },
    /// A position was searched.
    Found(&'e Position, &'e Search),
    /// A process of the engine has failed, and is ended. Another process is started, unless processes have failed too
    /// often.
    EngineEnded(&'e EngineFailure),
    /// A position was given up.
    Failed(&'e Position, &'e EngineFailure),
    /// One of the processes has failed too often, and is not started again.
    GaveUp,
}

impl<'e> AnalysisEvent<'e> {
    /// The event of the analysis for an event of the engines; `None` for an event that only the totals count.
    pub(super) fn from_pool(event: &'e PoolEvent) -> Option<AnalysisEvent<'e>> {
        match event {
            PoolEvent::Found(found) => {
                let (position, search) = &**found;
                Some(AnalysisEvent::Found(position, search))
            }
            PoolEvent::Failed(failed) => {
                let (position, failure) = &**failed;
                Some(AnalysisEvent::Failed(position, failure))
            }
            PoolEvent::Ended(failure) => Some(AnalysisEvent::EngineEnded(failure)),
            PoolEvent::GaveUp => Some(AnalysisEvent::GaveUp),
            PoolEvent::PassedOver(_) | PoolEvent::Nothing => None,
        }
    }
}

/// The totals of many searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCounts {
    /// The number of positions that were searched.
    pub found: u64,
    /// The number of searches that were stopped because they took too long.
    pub cut_short: u64,
    /// The number of positions that were given up after failures of the engine.
    pub failed: u64,
    /// The number of positions that were skipped, since the engine does not support Chess960.
    pub passed_over: u64,
    /// The end of the searches.
    pub end: PoolEnd,
}

impl Default for SearchCounts {
    fn default() -> SearchCounts {
        SearchCounts {
            found: 0,
            cut_short: 0,
            failed: 0,
            passed_over: 0,
            end: PoolEnd::Done,
        }
    }
}

impl SearchCounts {
    /// Counts an event.
    pub(super) fn note(&mut self, event: &PoolEvent) {
        match event {
            PoolEvent::Found(found) => {
                let (_, search) = &**found;
                self.found += 1;
                if search.is_cut_short {
                    self.cut_short += 1;
                }
            }
            PoolEvent::Failed(_) => self.failed += 1,
            PoolEvent::PassedOver(_) => self.passed_over += 1,
            PoolEvent::Ended(_) | PoolEvent::GaveUp | PoolEvent::Nothing => {}
        }
    }

    /// The number of positions that are done, with or without an evaluation.
    pub(super) fn done(&self) -> u64 {
        self.found + self.failed + self.passed_over
    }
}

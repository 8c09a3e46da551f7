//! What all analyses share: how positions are searched, what happens on the way, and what came of it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::Position;
use crate::engine::{
    Engine, EngineFailure, EngineSettings, PoolEnd, PoolEvent, Search, SearchLimit,
};
use crate::error::{Error, Result};

/// How positions are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// The engine.
    pub engine: EngineSettings,
    /// The number of its processes.
    pub processes: usize,
    /// When each search ends.
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
    /// When that fails, or is stopped.
    pub(super) fn start(&self, stop: &AtomicBool) -> Result<Engine> {
        let is_stopped = || stop.load(Ordering::Relaxed);
        Engine::start(&self.engine, &is_stopped).map_err(|failure| match failure {
            EngineFailure::Stopped => Error::Interrupted,
            failure => Error::Engine {
                program: self.engine.program.clone(),
                failure,
            },
        })
    }
}

/// What happens on the way.
#[derive(Debug)]
pub enum AnalysisEvent<'e> {
    /// So many positions are done, of so many, as far as can be told.
    Progress {
        /// Those done.
        done: u64,
        /// All.
        all: u64,
    },
    /// A position was searched.
    Found(&'e Position, &'e Search),
    /// A process of the engine has failed, and is ended; unless it has failed too often, another one is started.
    EngineEnded(&'e EngineFailure),
    /// A position was given up.
    Failed(&'e Position, &'e EngineFailure),
    /// One of the processes has failed too often, and is not started again.
    GaveUp,
}

impl<'e> AnalysisEvent<'e> {
    /// What to tell of an event; `None` for nothing.
    pub(super) fn of(event: &'e PoolEvent) -> Option<AnalysisEvent<'e>> {
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

/// What a run of many searches has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCounts {
    /// How many positions were searched.
    pub found: u64,
    /// How many of these searches were stopped because they took too long.
    pub cut_short: u64,
    /// How many positions were given up after failures of the engine.
    pub failed: u64,
    /// How many positions the engine cannot play from, since it has no Chess960.
    pub passed_over: u64,
    /// How it ended.
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
                self.found += 1;
                self.cut_short += u64::from(found.1.is_cut_short);
            }
            PoolEvent::Failed(_) => self.failed += 1,
            PoolEvent::PassedOver(_) => self.passed_over += 1,
            PoolEvent::Ended(_) | PoolEvent::GaveUp | PoolEvent::Nothing => {}
        }
    }

    /// How many positions are done, with or without an evaluation.
    pub(super) fn done(&self) -> u64 {
        self.found + self.failed + self.passed_over
    }
}

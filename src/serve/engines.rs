//! The engine processes of a server: a few processes, which requests share.
//!
//! An engine is a program of the user's choice that uses a whole processor. So engines are started on request only,
//! each search has a time limit, and no more searches run at once than there are processes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::failure::Failure;
use super::locks::lock;
use stamma::board::Position;
use stamma::engine::{Engine, EngineFailure, EngineSettings, Search, SearchLimit, SearchLine};

/// The number of lines of a search, if the engine can search several.
const LINES: u32 = 3;
/// The maximum time of an engine's start, and of its answer after the end of a search.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// The options by which a server uses an engine.
#[derive(Clone, Debug)]
pub(crate) struct EngineOptions {
    /// The program.
    pub(crate) program: PathBuf,
    /// Options of the engine, with their values.
    pub(crate) options: Vec<(String, String)>,
    /// The maximum number of processes.
    pub(crate) processes: usize,
    /// The maximum time of a search.
    pub(crate) time: Duration,
    /// `true` if requests from other computers may use the engine.
    pub(crate) is_for_all: bool,
}

/// The processes of the engine, which requests share.
pub(super) struct Engines {
    settings: EngineSettings,
    /// The name that the engine reports.
    pub(super) name: String,
    /// The maximum time of a search.
    pub(super) time: Duration,
    pub(super) is_for_all: bool,
    free: Mutex<FreeEngines>,
}

/// The processes that no search uses.
struct FreeEngines {
    /// The processes that run.
    idle: Vec<Engine>,
    /// The number of further processes that may be started.
    startable: usize,
}

/// A process that one search uses. The process is returned when this value is dropped.
pub(super) struct BorrowedEngine {
    engines: Arc<Engines>,
    /// `None` while the process starts, and after it has failed.
    engine: Option<Engine>,
}

/// The engines that a request may use.
///
/// # Errors
/// When there is no engine, or none for clients on other computers.
pub(super) fn usable_engines(
    engines: Option<&Arc<Engines>>,
    is_local: bool,
) -> Result<&Arc<Engines>, Failure> {
    let Some(engines) = engines else {
        return Err(Failure::not_found(
            "there is no engine; `stamma serve --engine` starts one",
        ));
    };
    if !is_local && !engines.is_for_all {
        return Err(Failure::forbidden(
            "the engine answers this computer alone; `stamma serve --engine-for-all` lets others ask it",
        ));
    }
    Ok(engines)
}

/// The failure of a request that no engine is free for.
pub(super) fn engine_is_busy() -> Failure {
    Failure::unavailable("the engine is busy; try again")
}

impl Engines {
    /// Starts the first process, so that an unusable engine is detected at the start of the server.
    ///
    /// # Errors
    /// When the engine cannot be used.
    pub(super) fn start(options: &EngineOptions) -> Result<Engines, EngineFailure> {
        let mut settings = EngineSettings {
            options: options.options.clone(),
            lines: LINES,
            // Positions of one game follow each other.
            keeps_hash: true,
            answer_time: ANSWER_TIME,
            ..EngineSettings::new(&options.program)
        };

        let first = match Engine::start(&settings, &|| false) {
            Ok(engine) => engine,
            // An engine without this option searches one line.
            Err(EngineFailure::NoSuchOption(name)) if name == "MultiPV" => {
                settings.lines = 1;
                Engine::start(&settings, &|| false)?
            }
            Err(failure) => return Err(failure),
        };

        let name = first.name().to_owned();
        let free = FreeEngines {
            idle: vec![first],
            startable: options.processes.saturating_sub(1),
        };
        Ok(Engines {
            settings,
            name,
            time: options.time,
            is_for_all: options.is_for_all,
            free: Mutex::new(free),
        })
    }

    /// Borrows an idle engine, or starts a new one.
    ///
    /// # Errors
    /// When all engines are busy, or a new engine cannot be started.
    pub(super) fn borrow(
        self: &Arc<Engines>,
        is_given_up: &dyn Fn() -> bool,
    ) -> Result<BorrowedEngine, Failure> {
        let mut free = lock(&self.free);
        if let Some(engine) = free.idle.pop() {
            return Ok(BorrowedEngine {
                engines: Arc::clone(self),
                engine: Some(engine),
            });
        }
        if free.startable == 0 {
            return Err(engine_is_busy());
        }
        free.startable -= 1;

        // Other requests need not wait for the start of this process.
        drop(free);

        // If the process does not start, dropping this value lets another request start one.
        let mut borrowed = BorrowedEngine {
            engines: Arc::clone(self),
            engine: None,
        };
        match Engine::start(&self.settings, is_given_up) {
            Ok(engine) => borrowed.engine = Some(engine),
            Err(failure) => return Err(Failure::unavailable(failure.to_string())),
        }
        Ok(borrowed)
    }
}

impl BorrowedEngine {
    /// `true` if the engine can search a position.
    pub(super) fn can_search(&self, position: &Position) -> bool {
        match &self.engine {
            Some(engine) => engine.can_search(position),
            None => false,
        }
    }

    /// Searches a position until the time is over or `is_stopped` returns `true`. Each found line is passed to
    /// `on_line`.
    ///
    /// # Errors
    /// When the engine fails; it is not used again.
    pub(super) fn search(
        &mut self,
        position: &Position,
        is_stopped: &dyn Fn() -> bool,
        on_line: &mut dyn FnMut(&SearchLine),
    ) -> Result<Option<Search>, EngineFailure> {
        let Some(engine) = &mut self.engine else {
            return Ok(None);
        };

        let limit = SearchLimit::Time(self.engines.time);
        let searched = engine.search(position, limit, is_stopped, on_line);

        // A process that has failed is ended, and a later request starts a new one.
        if searched.is_err() {
            self.engine = None;
        }
        searched
    }
}

/// Returns the engine to the idle engines. If the engine has failed, another engine may be started.
impl Drop for BorrowedEngine {
    fn drop(&mut self) {
        let mut free = lock(&self.engines.free);
        match self.engine.take() {
            Some(engine) => free.idle.push(engine),
            None => free.startable += 1,
        }
    }
}

//! The engines of a server: few processes, which requests use in turn.
//!
//! An engine is a program of the user's choice that uses a whole processor. So engines are started on request only,
//! each search has a time limit, and no more searches run at once than there are processes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::failure::Failure;
use stamma::board::Position;
use stamma::engine::{Engine, EngineFailure, EngineSettings, Search, SearchLimit, SearchLine};

/// The lines of a search, if the engine can search several.
const LINES: u32 = 3;
/// The time for an engine to begin, and to answer beyond the time of a search.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// How a server uses an engine.
#[derive(Clone, Debug)]
pub(crate) struct EngineOptions {
    /// The program.
    pub(crate) program: PathBuf,
    /// Options of the engine, with their values.
    pub(crate) options: Vec<(String, String)>,
    /// The maximal number of processes.
    pub(crate) processes: usize,
    /// The longest time of a search.
    pub(crate) time: Duration,
    /// Whether other computers may ask it, too.
    pub(crate) is_for_all: bool,
}

/// The engines.
pub(super) struct Engines {
    settings: EngineSettings,
    /// The name that the engine gives itself.
    pub(super) name: String,
    /// The longest time of a search.
    pub(super) time: Duration,
    pub(super) is_for_all: bool,
    places: Mutex<Places>,
}

/// The processes that no search uses.
struct Places {
    /// The processes that run.
    idle: Vec<Engine>,
    /// The number of further processes that may be started.
    startable: usize,
}

/// An engine that one search uses.
pub(super) struct EngineTurn {
    engines: Arc<Engines>,
    /// `None` once it has failed.
    engine: Option<Engine>,
}

/// The engines that a request may use.
///
/// # Errors
/// When there are none, or none for other computers.
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
    /// Starts the first process, so that an engine which cannot be used is noticed at once.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(super) fn start(options: &EngineOptions) -> Result<Engines, EngineFailure> {
        let mut settings = EngineSettings {
            options: options.options.clone(),
            lines: LINES,
            // Positions of one game follow each other.
            keeps_hash: true,
            answer_time: ANSWER_TIME,
            ..EngineSettings::new(&options.program)
        };

        // An engine without this option searches one line.
        let first = match Engine::start(&settings, &|| false) {
            Err(EngineFailure::NoSuchOption(name)) if name == "MultiPV" => {
                settings.lines = 1;
                Engine::start(&settings, &|| false)?
            }
            started => started?,
        };

        Ok(Engines {
            settings,
            name: first.name().to_owned(),
            time: options.time,
            is_for_all: options.is_for_all,
            places: Mutex::new(Places {
                idle: vec![first],
                startable: options.processes.saturating_sub(1),
            }),
        })
    }

    /// Takes an engine for a request that has its place.
    ///
    /// # Errors
    /// When all are busy, or a new one cannot be started.
    pub(super) fn take(
        self: &Arc<Engines>,
        is_given_up: &dyn Fn() -> bool,
    ) -> Result<EngineTurn, Failure> {
        let mut places = self.places();
        if let Some(engine) = places.idle.pop() {
            return Ok(EngineTurn {
                engines: Arc::clone(self),
                engine: Some(engine),
            });
        }
        if places.startable == 0 {
            return Err(engine_is_busy());
        }
        places.startable -= 1;
        drop(places);

        // The place is given back if the process does not start.
        let mut turn = EngineTurn {
            engines: Arc::clone(self),
            engine: None,
        };
        match Engine::start(&self.settings, is_given_up) {
            Ok(engine) => turn.engine = Some(engine),
            Err(failure) => return Err(Failure::unavailable(failure.to_string())),
        }
        Ok(turn)
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EngineTurn {
    /// Whether the engine can search a position.
    pub(super) fn can_search(&self, position: &Position) -> bool {
        self.engine
            .as_ref()
            .is_some_and(|engine| engine.can_search(position))
    }

    /// Searches a position until the time is over or `is_stopped`; passes on each line as it is found.
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
        let found = engine.search(position, limit, is_stopped, on_line);
        if found.is_err() {
            self.engine = None;
        }
        found
    }
}

/// Lets the next request have the engine, or its place if it has failed.
impl Drop for EngineTurn {
    fn drop(&mut self) {
        let mut places = self.engines.places();
        match self.engine.take() {
            Some(engine) => places.idle.push(engine),
            None => places.startable += 1,
        }
    }
}

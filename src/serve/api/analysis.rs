//! `/api/1/analysis`: the lines that an engine finds in a position, streamed during the search.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::{Answer, NDJSON};
use crate::serve::engines::usable_engines;
use crate::serve::failure::Failure;
use crate::serve::line::PlayedLine;
use crate::serve::route::{
    Description, EngineWriting, Handler, Interface, Joined, Request, Route, Weight, schema_of,
};
use stamma::answer::EvaluationRef;
use stamma::board::Position;
use stamma::engine::{Bound, SearchLine};
use stamma::error::Error;
use stamma::notation::{Uci, san};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/analysis",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::OfEngine(NDJSON, analysis),
    description: Description {
        summary: "What an engine finds in a position, an object a line, until its time is over or the connection ends",
        parameters: &[
            ("fen", "the position (default: the start)"),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
        ],
        has_filters: false,
        schema: Some(schema_of::<Analysis>),
    },
};

/// The engine that answers [`ROUTE`].
pub(in crate::serve) const ENGINE_ROUTE: Route = Route {
    path: "/api/1/engine",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::OfAll(engine),
    description: Description {
        summary: "The engine for analysis",
        parameters: &[],
        has_filters: false,
        schema: Some(schema_of::<EngineAnswer>),
    },
};

/// The engine for analysis; all fields are null if the client can ask none.
#[derive(Serialize, JsonSchema)]
struct EngineAnswer {
    /// The name that the engine reports.
    engine: Option<String>,
    /// The longest time of a search in seconds.
    seconds: Option<u64>,
}

fn engine(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let request = joined.request;
    let engines = request.state.engines.as_ref();

    // A page requests this to decide if it offers an analysis, so a missing engine is no failure.
    let answer = match usable_engines(engines, request.is_local) {
        Ok(usable) => EngineAnswer {
            engine: Some(usable.name.clone()),
            seconds: Some(usable.time.as_secs()),
        },
        Err(_) => EngineAnswer {
            engine: None,
            seconds: None,
        },
    };
    Answer::json(&answer)
}

/// The shortest time between two answers.
const MIN_PAUSE: Duration = Duration::from_millis(100);

/// The result of a search so far.
#[derive(Serialize, JsonSchema)]
struct Analysis {
    /// The name of the engine.
    engine: String,
    /// The depth of the best line in half-moves.
    depth: u32,
    /// The number of positions searched.
    nodes: Option<u64>,
    /// The time of the search in milliseconds.
    milliseconds: u64,
    /// The best lines, the best first.
    lines: Vec<AnalysisLine>,
    /// `true` if the search has ended.
    is_final: bool,
    /// The reason why the engine has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A line of moves.
#[derive(Clone, Serialize, JsonSchema)]
struct AnalysisLine {
    /// The score of the line.
    #[serde(flatten)]
    evaluation: EvaluationRef,
    /// The moves.
    san: Vec<String>,
    /// The moves in UCI notation.
    uci: Vec<String>,
}

/// Checks the request. The returned closure searches, and writes the answer again whenever the best lines have changed.
fn analysis(request: &Request<'_>) -> Result<EngineWriting, Failure> {
    let engines = usable_engines(request.state.engines.as_ref(), request.is_local)?;
    let line = PlayedLine::read(request.parameters)?;
    let budget = Arc::clone(request.budget);
    let mut engine = engines.borrow(&|| budget.is_over())?;

    // This must fail before the answer begins, as its status is then sent.
    if !engine.can_search(&line.here) {
        return Err(Failure::bad_request("the engine does not play Chess960"));
    }

    let name = engines.name.clone();
    Ok(Box::new(move |out| {
        // Both closures below need the search, one after the other.
        let live = RefCell::new(LiveSearch {
            search: Search::new(name, &line),
            out,
            has_left: false,
        });

        // The engine's reader calls this often, also while the engine prints nothing.
        let is_stopped = || live.borrow_mut().send_if_due() || budget.is_over();
        let mut on_line = |found: &SearchLine| live.borrow_mut().search.add(found);
        let searched = engine.search(&line.here, &is_stopped, &mut on_line);

        // The next request need not wait until the client has read the last answer.
        drop(engine);

        let LiveSearch {
            mut search, out, ..
        } = live.into_inner();
        search.answer.is_final = true;
        search.answer.error = searched.err().map(|failure| failure.to_string());
        search.write(out)
    }))
}

/// A search whose lines are sent while the search runs.
struct LiveSearch<'l, 'o> {
    search: Search<'l>,
    out: &'o mut dyn Write,
    has_left: bool,
}

impl LiveSearch<'_, '_> {
    /// Sends the answer if it has changed, unless it was sent just now. Returns `true` if the client has gone.
    fn send_if_due(&mut self) -> bool {
        if self.search.is_due() && self.search.write(self.out).is_err() {
            self.has_left = true;
        }
        self.has_left
    }
}

/// The lines that a search has found, and the time when they were last written.
struct Search<'l> {
    position: &'l Position,
    uci: Uci,
    begin: Instant,
    written: Option<Instant>,
    /// `true` if the answer has changed since it was last written.
    has_news: bool,
    answer: Analysis,
}

impl<'l> Search<'l> {
    fn new(engine: String, line: &'l PlayedLine) -> Search<'l> {
        let answer = Analysis {
            engine,
            depth: 0,
            nodes: None,
            milliseconds: 0,
            lines: Vec::new(),
            is_final: false,
            error: None,
        };
        Search {
            position: &line.here,
            uci: line.uci(),
            begin: Instant::now(),
            written: None,
            has_news: false,
            answer,
        }
    }

    /// Adds a line, or replaces an earlier line with its rank.
    fn add(&mut self, line: &SearchLine) {
        self.answer.nodes = self.answer.nodes.max(line.nodes);

        // Ranks count from 1.
        let place = (line.rank as usize).saturating_sub(1);

        // An engine prints its lines from the best to the last, so no line comes before a better one. Scores that are
        // bounds are ignored.
        if line.bound != Bound::Exact || place > self.answer.lines.len() {
            return;
        }

        let shown = self.shown(line);
        match self.answer.lines.get_mut(place) {
            Some(known) => *known = shown,
            None => self.answer.lines.push(shown),
        }
        if place == 0 {
            self.answer.depth = line.depth;
        }
        self.has_news = true;
    }

    /// `true` if the answer has changed, and was not written just now.
    fn is_due(&self) -> bool {
        let is_pause_over = self
            .written
            .is_none_or(|written| written.elapsed() >= MIN_PAUSE);
        self.has_news && is_pause_over
    }

    /// The line of an answer for a line of the engine.
    fn shown(&self, line: &SearchLine) -> AnalysisLine {
        let mut position = self.position.clone();
        let mut sans = Vec::new();
        let mut ucis = Vec::new();
        for &mv in &line.moves {
            sans.push(san(&position, mv));
            ucis.push(self.uci.text(mv));
            position.play(mv);
        }

        let depth = u8::try_from(line.depth).unwrap_or(u8::MAX);
        let evaluation = EvaluationRef::of_score(line.score, depth);
        AnalysisLine {
            evaluation,
            san: sans,
            uci: ucis,
        }
    }

    /// Writes the present answer, and sends it at once.
    fn write(&mut self, out: &mut dyn Write) -> stamma::Result<()> {
        self.answer.milliseconds = self.begin.elapsed().as_millis() as u64;
        let json = match serde_json::to_string(&self.answer) {
            Ok(json) => json,
            Err(error) => return Err(Error::Output(error.into())),
        };

        writeln!(out, "{json}").map_err(Error::Output)?;
        out.flush().map_err(Error::Output)?;

        self.written = Some(Instant::now());
        self.has_news = false;
        Ok(())
    }
}

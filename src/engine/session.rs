//! One engine, from the handshake to the last answer.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::declared::{DeclaredOption, MAX_OPTIONS};
use super::failure::EngineFailure;
use super::info::Info;
use super::process::{MAX_LINE_BYTES, Output, Process};
use super::search::{Lines, Search, SearchLimit, SearchLine, legal_move};
use crate::board::Position;
use crate::notation::Uci;

/// The maximum output of an engine for one answer. An hour of output with many long lines has a tenth of this size.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// The maximum length of an engine's name; longer names are truncated.
const MAX_NAME_CHARS: usize = 80;
/// The usual time for each answer, in addition to the time of a search limit.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// The maximum time between `stop` and the best move.
const STOP_TIME: Duration = Duration::from_secs(2);
/// The interval between two calls of `is_stopped`.
const STOP_POLL: Duration = Duration::from_millis(20);

/// The time limit of an answer whose deadline would be beyond the range of the clock.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The option for positions of Chess960, in which castling is written as a move of the king to its rook.
const CHESS960: &str = "UCI_Chess960";

/// The settings with which an engine is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The program, by its path or its name.
    pub program: PathBuf,
    /// Options with their values, which the engine must declare.
    pub options: Vec<(String, String)>,
    /// Options that are set if the engine declares them.
    pub defaults: Vec<(String, String)>,
    /// The number of lines to search; the engine must declare `MultiPV` for more than one.
    pub lines: u32,
    /// The time for each answer, in addition to the time of a search limit.
    pub answer_time: Duration,
    /// `true` if an engine keeps its hash table between positions. If `false`, the result of a search depends on the
    /// position alone, and not on earlier searches.
    pub keeps_hash: bool,
}

impl EngineSettings {
    /// Settings for a program: one line, a minute for each answer, and one thread with 16 MB if the engine has these
    /// options.
    pub fn new(program: impl Into<PathBuf>) -> EngineSettings {
        // With one thread, repeated searches to a depth or a number of nodes have equal results.
        let default = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let defaults = vec![default("Threads", "1"), default("Hash", "16")];
        EngineSettings {
            program: program.into(),
            options: Vec::new(),
            defaults,
            lines: 1,
            answer_time: ANSWER_TIME,
            keeps_hash: false,
        }
    }
}

/// A running engine. Its process ends when this value is dropped, or when this program ends.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    name: String,
    declared: Vec<DeclaredOption>,
    settings: EngineSettings,
    is_chess960: bool,
}

/// The outcome of a search.
#[derive(Debug)]
pub(super) enum SearchEnd {
    /// The search has ended, by itself or because it took too long.
    Completed(Search),
    /// The caller has stopped the search.
    Stopped(Option<Search>),
}

impl Engine {
    /// Starts an engine, and sets its options. Some milliseconds after `is_stopped` becomes true, the start is aborted.
    ///
    /// # Errors
    /// When the engine cannot be started, does not speak UCI, does not have an option, or the start is aborted.
    pub fn start(
        settings: &EngineSettings,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Engine, EngineFailure> {
        let process = Process::start(&settings.program).map_err(EngineFailure::Start)?;
        let mut engine = Engine {
            process,
            name: String::new(),
            declared: Vec::new(),
            settings: settings.clone(),
            is_chess960: false,
        };

        engine.shake_hands(is_stopped)?;
        engine.set_options(is_stopped)?;
        engine.wait_until_ready(is_stopped)?;
        Ok(engine)
    }

    /// The name that the engine reports, or the file name of the program if the engine reports none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns `true` if the engine knows the rules that a position needs. An engine for castling from the squares of
    /// Chess960 must declare `UCI_Chess960`.
    pub fn can_search(&self, position: &Position) -> bool {
        !needs_chess960(position) || self.declared(CHESS960).is_some()
    }

    /// Searches a position, and passes on each line as it is found. Some milliseconds after `is_stopped` becomes true,
    /// the search ends.
    ///
    /// A stopped search returns the lines found until then, if any. In a position without a legal move, nothing is
    /// found. After an error, the engine must not be used again.
    ///
    /// # Errors
    /// When there is no answer, or an answer that cannot be true.
    pub fn search(
        &mut self,
        position: &Position,
        limit: SearchLimit,
        is_stopped: &dyn Fn() -> bool,
        on_line: &mut dyn FnMut(&SearchLine),
    ) -> Result<Option<Search>, EngineFailure> {
        if !position.has_legal_move() {
            return Ok(None);
        }
        match self.search_to_end(position, limit, is_stopped, on_line)? {
            SearchEnd::Completed(search) => Ok(Some(search)),
            SearchEnd::Stopped(search) => Ok(search),
        }
    }

    /// Like [`Engine::search`], for a position that has a legal move, and with the reason for the end.
    pub(super) fn search_to_end(
        &mut self,
        position: &Position,
        limit: SearchLimit,
        is_stopped: &dyn Fn() -> bool,
        on_line: &mut dyn FnMut(&SearchLine),
    ) -> Result<SearchEnd, EngineFailure> {
        self.prepare(position, is_stopped)?;
        self.begin_search(position, limit);

        let time = limit.time().saturating_add(self.settings.answer_time);
        let mut answer = Answer::new(time);
        let mut lines = Lines::new(self.settings.lines);
        let mut stopped = None;
        loop {
            // Called in each turn, also after `stop`: callers pass on the lines found so far in it.
            let must_stop = is_stopped();
            if stopped.is_none() {
                stopped = self.stop_if_due(must_stop, &mut answer);
            }

            let may_be_stopped = stopped.is_none();
            let Some(line) = self.next_line("go", &mut answer, may_be_stopped)? else {
                continue;
            };

            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => {
                    if let Some(found) = read_info(&line, position, &mut lines)? {
                        on_line(&found);
                    }
                }
                Some("bestmove") => {
                    let text = words.next().unwrap_or_default();
                    let best_move = legal_move(text, position, position)?;
                    let search = lines.finish(best_move, stopped == Some(Stop::TooLate));
                    return outcome(search, stopped, position);
                }
                // Unknown words are ignored, as the UCI protocol demands.
                _ => {}
            }
        }
    }

    /// Sends `stop` if the search is stopped from outside or its answer is late; returns the reason.
    fn stop_if_due(&mut self, must_stop: bool, answer: &mut Answer) -> Option<Stop> {
        let reason = if must_stop {
            Stop::FromOutside
        } else if answer.is_late() {
            Stop::TooLate
        } else {
            return None;
        };

        // The engine answers `stop` with the best move so far.
        self.process.write_line("stop");
        answer.deadline = Instant::now() + STOP_TIME.min(self.settings.answer_time);
        Some(reason)
    }

    fn begin_search(&mut self, position: &Position, limit: SearchLimit) {
        let mut fields = String::new();
        position.setup().write_fields(&mut fields);
        // Evaluations are stored by position, without move counters, so the counters of a game must not change the
        // result.
        self.process
            .write_line(&format!("position fen {fields} 0 1"));
        self.process.write_line(&limit.command());
    }

    /// Prepares the engine for a position.
    fn prepare(
        &mut self,
        position: &Position,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), EngineFailure> {
        if !self.settings.keeps_hash {
            self.process.write_line("ucinewgame");
        }

        let is_chess960 = needs_chess960(position);
        if is_chess960 != self.is_chess960 && self.declared(CHESS960).is_some() {
            self.process
                .write_line(&format!("setoption name {CHESS960} value {is_chess960}"));
            self.is_chess960 = is_chess960;
        }

        // The engine may still emit output about the preceding position.
        self.wait_until_ready(is_stopped)
    }

    /// Reads the name and the options of the engine, until the engine confirms UCI.
    fn shake_hands(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), EngineFailure> {
        self.process.write_line("uci");
        let mut answer = Answer::new(self.settings.answer_time);

        loop {
            let Some(line) = self.next_line_in_time(is_stopped, "uci", &mut answer)? else {
                continue;
            };

            if let Some(option) = line.strip_prefix("option ") {
                if self.declared.len() < MAX_OPTIONS {
                    self.declared.extend(DeclaredOption::read(option));
                }
            } else if let Some(name) = line.strip_prefix("id name ") {
                self.name = printable_name(name);
            } else if line == "uciok" {
                break;
            }
        }

        if self.name.is_empty() {
            let file = self.settings.program.file_stem().unwrap_or_default();
            self.name = printable_name(&file.to_string_lossy());
        }
        Ok(())
    }

    /// Sets the default options that the engine accepts, and then the chosen options.
    fn set_options(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), EngineFailure> {
        let settings = self.settings.clone();
        for (name, value) in &settings.defaults {
            let is_chosen = settings
                .options
                .iter()
                .any(|(chosen, _)| chosen.eq_ignore_ascii_case(name));
            if is_chosen {
                continue;
            }

            // An engine without the option, or with another range of values, keeps its own default.
            if let Some(option) = self.declared(name)
                && let Ok(command) = option.command(value)
            {
                self.process.write_line(&command);
            }
        }

        let mut options = settings.options;
        if settings.lines > 1 {
            options.push(("MultiPV".to_owned(), settings.lines.to_string()));
        }
        for (name, value) in &options {
            let Some(option) = self.declared(name) else {
                return Err(EngineFailure::NoSuchOption(name.clone()));
            };
            let command = option.command(value)?;
            self.process.write_line(&command);

            // The engine has read each command before the next one, so writing never waits for an engine that does not
            // read.
            self.wait_until_ready(is_stopped)?;
        }
        Ok(())
    }

    /// Waits until the engine has processed all commands.
    fn wait_until_ready(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), EngineFailure> {
        self.process.write_line("isready");
        let mut answer = Answer::new(self.settings.answer_time);
        loop {
            let line = self.next_line_in_time(is_stopped, "isready", &mut answer)?;
            if line.as_deref() == Some("readyok") {
                return Ok(());
            }
        }
    }

    /// The declared option with a name; `None` if the engine does not declare it.
    fn declared(&self, name: &str) -> Option<&DeclaredOption> {
        self.declared.iter().find(|option| option.has_name(name))
    }

    /// The next line of an answer that is in time and not stopped; `None` after at most [`STOP_POLL`] without a
    /// line.
    ///
    /// # Errors
    /// The errors of [`Engine::next_line`], when the answer is late, and when the engine is stopped.
    fn next_line_in_time(
        &mut self,
        is_stopped: &dyn Fn() -> bool,
        command: &'static str,
        answer: &mut Answer,
    ) -> Result<Option<String>, EngineFailure> {
        if is_stopped() {
            return Err(EngineFailure::Stopped);
        }
        if answer.is_late() {
            return Err(answer.timeout_failure(command));
        }
        self.next_line(command, answer, true)
    }

    /// The next line of an answer. If the answer may still be stopped, `None` after at most [`STOP_POLL`] without a
    /// line.
    fn next_line(
        &mut self,
        command: &'static str,
        answer: &mut Answer,
        may_be_stopped: bool,
    ) -> Result<Option<String>, EngineFailure> {
        let deadline = if may_be_stopped {
            answer.deadline.min(Instant::now() + STOP_POLL)
        } else {
            answer.deadline
        };

        match self.process.next(deadline) {
            Output::Line(line) => {
                answer.bytes += line.len() + 1;
                if answer.bytes > MAX_ANSWER_BYTES {
                    return Err(EngineFailure::TooMuchOutput(MAX_ANSWER_BYTES));
                }
                // Without this check, an engine that never pauses its output would have no deadline.
                if !may_be_stopped && answer.is_late() {
                    return Err(answer.timeout_failure(command));
                }
                Ok(Some(line))
            }
            Output::LongLine => Err(EngineFailure::LongLine(MAX_LINE_BYTES)),
            Output::End => {
                let (status, last_error_line) = self.process.end();
                Err(EngineFailure::Ended {
                    command,
                    status,
                    last_error_line,
                })
            }
            Output::Nothing if may_be_stopped => Ok(None),
            Output::Nothing => Err(answer.timeout_failure(command)),
        }
    }
}

/// The reason why a search is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    FromOutside,
    TooLate,
}

/// The limits of an answer in time and size.
struct Answer {
    begin: Instant,
    deadline: Instant,
    bytes: usize,
}

impl Answer {
    fn new(time: Duration) -> Answer {
        let begin = Instant::now();
        let deadline = begin.checked_add(time).unwrap_or(begin + MAX_ANSWER_TIME);
        Answer {
            begin,
            deadline,
            bytes: 0,
        }
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// The failure for a command that was not answered in time.
    fn timeout_failure(&self, command: &'static str) -> EngineFailure {
        // The message shows tenths of a second.
        let tenths = (self.begin.elapsed().as_millis() / 100) as u64;
        EngineFailure::Silent {
            command,
            waited: Duration::from_millis(100 * tenths),
        }
    }
}

/// Adds the content of an `info` line to the lines of a search; returns the search line, if it has one.
fn read_info(
    line: &str,
    position: &Position,
    lines: &mut Lines,
) -> Result<Option<SearchLine>, EngineFailure> {
    let info = Info::read(line)?;
    lines.note_nodes(info.nodes);

    let found = SearchLine::new(line, &info, position)?;
    if let Some(found) = &found {
        lines.keep(found);
    }
    Ok(found)
}

/// The outcome of a search whose best move is known.
fn outcome(
    search: Option<Search>,
    stopped: Option<Stop>,
    position: &Position,
) -> Result<SearchEnd, EngineFailure> {
    if stopped == Some(Stop::FromOutside) {
        return Ok(SearchEnd::Stopped(search));
    }

    // A search that took too long still counts, if it has a score.
    match search {
        Some(search) => Ok(SearchEnd::Completed(search)),
        None => Err(EngineFailure::NoScore {
            fen: position.fen(),
        }),
    }
}

/// Returns `true` for a position with castling that standard chess does not have.
fn needs_chess960(position: &Position) -> bool {
    position.castling().any() && Uci::of(position).king_takes_rook()
}

/// The beginning of a name, without control characters.
fn printable_name(name: &str) -> String {
    name.trim()
        .chars()
        .filter(|letter| !letter.is_control())
        .take(MAX_NAME_CHARS)
        .collect()
}

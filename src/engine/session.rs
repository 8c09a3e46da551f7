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

/// The output of an engine for one answer. An hour of many long lines takes a tenth of it.
const MAX_ANSWER_BYTES: usize = 64 << 20;
/// The longest name of an engine that is kept.
const MAX_NAME_CHARS: usize = 80;
/// The time for the best move after a search is stopped.
const STOP_TIME: Duration = Duration::from_secs(2);
/// How often it is looked whether a search is to be stopped.
const STOP_POLL: Duration = Duration::from_millis(20);

/// The time for an answer that may take longer than a clock can tell.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The option for positions of Chess960, whose castling is king takes rook.
const CHESS960: &str = "UCI_Chess960";

/// How an engine is started.
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
    /// The time for each answer, beyond what a limit asks for.
    pub answer_time: Duration,
    /// Whether an engine remembers what it has found of earlier positions. Otherwise, each search depends on its position
    /// only.
    pub keeps_hash: bool,
}

impl EngineSettings {
    /// Settings for a program: one line, a minute for each answer, and one thread with 16 MB where these can be chosen.
    pub fn new(program: impl Into<PathBuf>) -> EngineSettings {
        let default = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        EngineSettings {
            program: program.into(),
            options: Vec::new(),
            defaults: vec![default("Threads", "1"), default("Hash", "16")],
            lines: 1,
            answer_time: Duration::from_secs(60),
            keeps_hash: false,
        }
    }
}

/// A running engine. It ends when this is dropped, or with this process.
#[derive(Debug)]
pub struct Engine {
    process: Process,
    name: String,
    declared: Vec<DeclaredOption>,
    settings: EngineSettings,
    is_chess960: bool,
}

/// What a search has come to.
#[derive(Debug)]
pub(super) enum Searched {
    /// It has ended, by itself or because it took too long.
    Found(Search),
    /// It was stopped from outside.
    Stopped(Option<Search>),
}

impl Engine {
    /// Starts an engine, and sets its options. Some milliseconds after `is_stopped` becomes true, it is given up.
    ///
    /// # Errors
    /// When it cannot be started, does not speak UCI, does not have an option, or is given up.
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

    /// The name by which it introduces itself, or that of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it plays under the rules that a position needs: with castling from squares that are not the usual ones,
    /// only if it declares `UCI_Chess960`.
    pub fn can_search(&self, position: &Position) -> bool {
        !needs_chess960(position) || self.declared(CHESS960).is_some()
    }

    /// Searches a position, and passes on each line as it is found. Some milliseconds after
    /// `is_stopped` becomes true, the search ends.
    ///
    /// What is returned for a stopped search is what was found until then, if anything; nothing is found in a position
    /// without a legal move. After an error, the engine is not
    /// to be used again.
    ///
    /// # Errors
    /// When there is no answer, or one that cannot be true.
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
        match self.searched(position, limit, is_stopped, on_line)? {
            Searched::Found(search) => Ok(Some(search)),
            Searched::Stopped(search) => Ok(search),
        }
    }

    /// The same for a position that has a legal move, with the reason for the end.
    pub(super) fn searched(
        &mut self,
        position: &Position,
        limit: SearchLimit,
        is_stopped: &dyn Fn() -> bool,
        on_line: &mut dyn FnMut(&SearchLine),
    ) -> Result<Searched, EngineFailure> {
        self.prepare(position, is_stopped)?;
        let mut fields = String::new();
        position.setup().write_fields(&mut fields);
        // The counters are not part of the position that is stored, whatever game it comes from.
        self.process
            .write_line(&format!("position fen {fields} 0 1"));
        self.process.write_line(&limit.command());

        let mut answer = Answer::new(limit.time().saturating_add(self.settings.answer_time));
        let mut lines = Lines::new(self.settings.lines);
        let mut stopped = None;
        loop {
            let must_stop = is_stopped();
            if stopped.is_none() && (must_stop || answer.is_late()) {
                stopped = Some(if must_stop {
                    Stop::FromOutside
                } else {
                    Stop::TooLate
                });
                self.process.write_line("stop");
                answer.deadline = Instant::now() + STOP_TIME.min(self.settings.answer_time);
            }

            let Some(line) = self.next_line("go", &mut answer, stopped.is_none())? else {
                continue;
            };
            match line.split_ascii_whitespace().next() {
                Some("info") => {
                    let info = Info::read(&line)?;
                    lines.note_nodes(info.nodes);
                    if let Some(found) = SearchLine::new(&line, &info, position)? {
                        lines.keep(&found);
                        on_line(&found);
                    }
                }
                Some("bestmove") => {
                    let text = line.split_ascii_whitespace().nth(1).unwrap_or_default();
                    let best_move = legal_move(text, position, position)?;
                    let search = lines.finish(best_move, stopped == Some(Stop::TooLate));
                    return match (search, stopped) {
                        (search, Some(Stop::FromOutside)) => Ok(Searched::Stopped(search)),
                        (Some(search), _) => Ok(Searched::Found(search)),
                        (None, _) => Err(EngineFailure::NoScore {
                            fen: position.fen(),
                        }),
                    };
                }
                // Words that are not known are passed over, as the interface demands.
                _ => {}
            }
        }
    }

    /// Makes the engine ready for a position.
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
        // Whatever it still had to say about the position before comes first.
        self.wait_until_ready(is_stopped)
    }

    fn shake_hands(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), EngineFailure> {
        self.process.write_line("uci");
        let mut answer = Answer::new(self.settings.answer_time);
        loop {
            let Some(line) = self.next_line_unless(is_stopped, "uci", &mut answer)? else {
                continue;
            };
            if let Some(option) = line.strip_prefix("option ") {
                let is_room = self.declared.len() < MAX_OPTIONS;
                self.declared
                    .extend(DeclaredOption::read(option).filter(|_| is_room));
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

    fn set_options(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), EngineFailure> {
        let settings = self.settings.clone();
        let is_chosen = |name: &str| {
            settings
                .options
                .iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
        };
        for (name, value) in &settings.defaults {
            // An engine may want another value than this.
            let command = self
                .declared(name)
                .and_then(|option| option.command(value).ok());
            if let Some(command) = command
                && !is_chosen(name)
            {
                self.process.write_line(&command);
            }
        }

        let lines = ("MultiPV".to_owned(), settings.lines.to_string());
        let many = (settings.lines > 1).then_some(&lines);
        for (name, value) in settings.options.iter().chain(many) {
            let option = self.declared(name);
            let option = option.ok_or_else(|| EngineFailure::NoSuchOption(name.clone()))?;
            let command = option.command(value)?;
            self.process.write_line(&command);
            // It has read the command before the next one, so that writing never waits for an engine that does not read.
            self.wait_until_ready(is_stopped)?;
        }
        Ok(())
    }

    fn wait_until_ready(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), EngineFailure> {
        self.process.write_line("isready");
        let mut answer = Answer::new(self.settings.answer_time);
        loop {
            let line = self.next_line_unless(is_stopped, "isready", &mut answer)?;
            if line.as_deref() == Some("readyok") {
                return Ok(());
            }
        }
    }

    fn declared(&self, name: &str) -> Option<&DeclaredOption> {
        self.declared.iter().find(|option| option.has_name(name))
    }

    /// The next line of an answer; `None` after a short while.
    ///
    /// # Errors
    /// Those of [`Engine::next_line`], when the answer is late, and when it is not waited for any longer.
    fn next_line_unless(
        &mut self,
        is_stopped: &dyn Fn() -> bool,
        command: &'static str,
        answer: &mut Answer,
    ) -> Result<Option<String>, EngineFailure> {
        if is_stopped() {
            return Err(EngineFailure::Stopped);
        }
        if answer.is_late() {
            return Err(answer.silent(command));
        }
        self.next_line(command, answer, true)
    }

    /// The next line of an answer; `None` after a short while, if the answer may be `stopped`.
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
                // Lines that never end would otherwise hide the deadline.
                if !may_be_stopped && answer.is_late() {
                    return Err(answer.silent(command));
                }
                Ok(Some(line))
            }
            Output::LongLine => Err(EngineFailure::LongLine(MAX_LINE_BYTES)),
            Output::End => {
                let (status, said) = self.process.end();
                Err(EngineFailure::Ended {
                    command,
                    status,
                    said,
                })
            }
            Output::Nothing if may_be_stopped => Ok(None),
            Output::Nothing => Err(answer.silent(command)),
        }
    }
}

/// Why a search is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    FromOutside,
    TooLate,
}

/// The bounds of an answer.
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

    fn silent(&self, command: &'static str) -> EngineFailure {
        // Tenths of a second are enough for people.
        let tenths = (self.begin.elapsed().as_millis() / 100) as u64;
        EngineFailure::Silent {
            command,
            waited: Duration::from_millis(100 * tenths),
        }
    }
}

/// `true` for a position with castling that standard chess does not have.
fn needs_chess960(position: &Position) -> bool {
    position.castling().any() && Uci::of(position).king_takes_rook()
}

/// A name without what a terminal or a table could not take.
fn printable_name(name: &str) -> String {
    let letters = name.trim().chars().filter(|letter| !letter.is_control());
    letters.take(MAX_NAME_CHARS).collect()
}

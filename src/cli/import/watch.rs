//! `stamma import --watch`: imports files that appear or grow in folders, as soon as they do not change any more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use super::once::{any_has_game, import_and_report};
use super::report::counting_problems;
use crate::cli::output::problem_file;
use crate::cli::{Outcome, args, complain, say, stop};
use stamma::error::{Error, Result};
use stamma::import::{ProblemLog, Summary};
use stamma::input::{Input, database_program};
use stamma::query::Filter;
use stamma::report::counted;
use stamma::storage::folder_of;

/// The maximum time until a signal is noticed.
const MAX_SLEEP: Duration = Duration::from_millis(100);

/// Imports files that appear or grow, until a signal ends the command.
pub(super) fn run(arguments: &args::Import, filter: &Filter) -> Result<Outcome> {
    let stop = stop::stop_flag_before("indexing what has been read");
    let paths = arguments.read_from.paths();
    if let Some(error) = missing_path(paths) {
        complain(&error);
        return Ok(Outcome::Failed);
    }

    let problems = problem_file(
        arguments.problems.as_deref(),
        &arguments.database,
        paths.iter().map(PathBuf::as_path),
    )?;
    let (problem_file, problem_log) = problems.unzip();

    if !arguments.quiet {
        let count = counted(paths.len() as u64, "path", "paths");
        say!("watching {count}; Control-C ends it");
    }

    let mut watch = Watch::new(arguments, filter, problem_log);
    while !stop.load(Ordering::Relaxed) {
        watch.poll()?;
        wait(arguments.pause(), &stop);
    }

    if !arguments.quiet {
        watch.say_totals();
    }
    let outcome = watch.outcome();
    // This closes the log of problems, a second handle to the file, before the file is moved to its name.
    drop(watch);
    if let Some(file) = problem_file {
        file.finish(outcome)?;
    }
    Ok(outcome)
}

/// An error if a path does not exist. A pattern may match files that appear later.
fn missing_path(paths: &[PathBuf]) -> Option<Error> {
    for path in paths {
        if is_pattern(path) {
            continue;
        }
        if let Err(source) = fs::metadata(path) {
            return Some(Error::File {
                path: path.clone(),
                source,
            });
        }
    }

    None
}

/// Waits until the pause is over or a signal comes.
fn wait(pause: Duration, stop: &Arc<AtomicBool>) {
    let begin = Instant::now();
    while !stop.load(Ordering::Relaxed)
        && let Some(left) = pause.checked_sub(begin.elapsed())
    {
        sleep(left.min(MAX_SLEEP));
    }
}

/// `true` if a path has wildcards.
fn is_pattern(path: &Path) -> bool {
    path.to_str()
        .is_some_and(|text| text.contains(['*', '?', '[']))
}

/// The size of a file and the time of its last change. Equal stamps mean that the file has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    /// The stamp of a file, or the common stamp of all files of a foreign database; `None` if the file is gone.
    fn of(path: &Path) -> Option<Stamp> {
        if database_program(path).is_none() {
            return Stamp::of_file(path);
        }

        let entries = fs::read_dir(folder_of(path)).ok()?;

        let stem = path.file_stem();
        let mut all = Stamp {
            bytes: 0,
            modified: None,
        };
        for entry in entries.flatten() {
            let file = entry.path();
            let is_part = file.file_stem() == stem && database_program(&file).is_some();
            if !is_part {
                continue;
            }
            if let Some(stamp) = Stamp::of_file(&file) {
                all.bytes += stamp.bytes;
                all.modified = all.modified.max(stamp.modified);
            }
        }
        Some(all)
    }

    /// The stamp of a single file; `None` if the file is gone.
    fn of_file(path: &Path) -> Option<Stamp> {
        let metadata = fs::metadata(path).ok()?;
        Some(Stamp {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

/// A file in a watched folder.
#[derive(Clone, Copy, Debug)]
struct WatchedFile {
    /// The stamp of the file at the last poll.
    stamp: Stamp,
    /// `true` if the file has been imported since the stamp.
    is_read: bool,
}

/// Watched folders, and the totals of the imports from them.
struct Watch<'a> {
    arguments: &'a args::Import,
    filter: &'a Filter,
    problem_log: Option<ProblemLog>,
    files: BTreeMap<PathBuf, WatchedFile>,
    /// The errors of paths that have been reported, so that each is reported once.
    reported: BTreeSet<String>,
    /// `true` if another program had locked the database at the last attempt, and this has been reported.
    is_locked: bool,
    begin: Instant,
    sources: u64,
    games: u64,
    has_problems: bool,
    is_interrupted: bool,
}

impl<'a> Watch<'a> {
    fn new(
        arguments: &'a args::Import,
        filter: &'a Filter,
        problem_log: Option<ProblemLog>,
    ) -> Watch<'a> {
        Watch {
            arguments,
            filter,
            problem_log,
            files: BTreeMap::new(),
            reported: BTreeSet::new(),
            is_locked: false,
            begin: Instant::now(),
            sources: 0,
            games: 0,
            has_problems: false,
            is_interrupted: false,
        }
    }

    /// Polls the folders, and imports the files that have not changed since the last poll.
    fn poll(&mut self) -> Result<()> {
        let mut inputs = self.ready_inputs();
        if inputs.is_empty() {
            return Ok(());
        }

        let mut paths = Vec::with_capacity(inputs.len());
        for input in &inputs {
            paths.extend(input.path().map(Path::to_owned));
        }

        let arguments = self.arguments;
        let encoding = arguments.games_read.input_encoding;
        let options = arguments.read_from.options(encoding);
        // No database is created if no file has a game.
        if !arguments.database.exists() && !any_has_game(&mut inputs, options) {
            self.has_problems = true;
            self.note_read(&paths);
            return Ok(());
        }

        let started = Instant::now();
        let problem_log = self.problem_log.clone();
        match import_and_report(arguments, self.filter, inputs, problem_log, started) {
            Ok(summary) => {
                self.is_locked = false;
                self.note_read(&paths);
                self.add_import(&summary);
                Ok(())
            }
            // The files stay ready until the other program has ended.
            Err(error @ Error::Locked { .. }) => {
                if !self.is_locked {
                    complain(&error);
                }
                self.is_locked = true;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// The files that have not changed since the last poll, and have not been imported since their last change.
    fn ready_inputs(&mut self) -> Vec<Input> {
        let mut failures = Vec::new();
        let inputs = self.arguments.read_from.inputs(&mut failures);
        for failure in &failures {
            self.report_once(failure);
        }

        let mut files = BTreeMap::new();
        let mut ready = Vec::new();
        for input in inputs {
            let Some(path) = input.path().map(Path::to_owned) else {
                continue;
            };
            let Some(stamp) = Stamp::of(&path) else {
                continue;
            };

            let before = self.files.get(&path);
            let is_unchanged = before.is_some_and(|before| before.stamp == stamp);
            let was_read = before.is_some_and(|before| before.is_read);
            let is_read = is_unchanged && was_read;
            // A file without bytes has been created by a program that has not written to it yet.
            if is_unchanged && !is_read && stamp.bytes > 0 {
                ready.push(input);
            }
            files.insert(path, WatchedFile { stamp, is_read });
        }
        // Files that are gone are forgotten.
        self.files = files;
        ready
    }

    /// Reports an error of a path, once. A folder without PGN files and a pattern without a match are no errors, since
    /// files may appear later.
    fn report_once(&mut self, failure: &Error) {
        let is_empty = matches!(failure, Error::NoPgnInFolder(_) | Error::NoMatch(_));
        if is_empty {
            return;
        }

        let is_new = self.reported.insert(failure.to_string());
        if is_new {
            self.has_problems = true;
            complain(failure);
        }
    }

    /// Records that files have been imported.
    fn note_read(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if let Some(file) = self.files.get_mut(path) {
                file.is_read = true;
            }
        }
    }

    /// Adds an import to the totals.
    fn add_import(&mut self, summary: &Summary) {
        self.sources += summary.imported.len() as u64;
        self.games += summary.tally.games;
        self.is_interrupted |= summary.is_interrupted;

        let problems = counting_problems(&summary.tally, self.arguments.strict_exit);
        if problems > 0 || !summary.failures.is_empty() {
            self.has_problems = true;
        }
    }

    /// Reports the time and the totals of all imports.
    fn say_totals(&self) {
        let sources = counted(self.sources, "source", "sources");
        let games = counted(self.games, "game", "games");
        let seconds = self.begin.elapsed().as_secs();
        say!("watched for {seconds} s: {games} imported from {sources}");
    }

    /// The outcome of all imports.
    fn outcome(&self) -> Outcome {
        if self.is_interrupted {
            Outcome::Failed
        } else if self.has_problems {
            Outcome::DataProblems
        } else {
            Outcome::Done
        }
    }
}

//! PGN files into a database: cut, replayed on all threads, written by one.
//!
//! The content of the database depends on the files and their order alone: batches are cut by their
//! size in bytes, and their results are written in the order of the input.

mod batch;
mod languages;
mod memory;
mod problem_log;
mod reindex;
mod rows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use batch::{BATCH_BYTES, Batch, Batches, Part};
pub(crate) use languages::{FileReadings, Open, Preferred};
pub use memory::Memory;
pub use problem_log::ProblemLog;
pub use reindex::{Renewed, optimize};
use rows::{Finished, finish};

use crate::error::{Error, Result};
use crate::index::Run;
use crate::input::MappedFile;
use crate::ordered::ordered;
use crate::replay::{ProblemKind, Readings};
use crate::storage::{Database, GameWriter, ProblemRow, SourceRow};

/// How an import is carried out.
#[derive(Clone, Debug)]
pub struct Options {
    /// The memory that it may take.
    pub memory: Memory,
    /// Whether positions are indexed. Without them nothing is found until
    /// [`optimize`] has made up for it; a benchmark wants to know what they cost.
    pub positions: bool,
    /// How moves may be written.
    pub readings: Readings,
    /// Where all problems are written as they are found.
    pub problem_log: Option<ProblemLog>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: Memory::default(),
            positions: true,
            readings: Readings::default(),
            problem_log: None,
        }
    }
}

/// What an import or a conversion has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes read.
    pub bytes: u64,
    /// Games stored or written.
    pub games: u64,
    /// Positions indexed, each once for each game that reaches it.
    pub positions: u64,
    /// Problems found, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
}

impl Tally {
    /// All problems.
    pub fn problem_count(&self) -> u64 {
        self.problems.values().sum()
    }
}

/// What an import or a conversion has done in the end.
#[derive(Debug, Default)]
pub struct Summary {
    /// What it has done.
    pub tally: Tally,
    /// The first problems, each as a line that names its place.
    pub first_problems: Vec<String>,
    /// The files that were passed over, since their content has been imported before.
    pub known: Vec<PathBuf>,
    /// The files that could not be read, and why.
    pub failures: Vec<Error>,
}

/// How far a [`Summary`] was at the beginning of a file.
pub(crate) struct SoFar {
    tally: Tally,
    shown: usize,
}

impl Summary {
    /// Counts a problem of a file, and says it, if it is one of the first.
    pub(crate) fn note(&mut self, name: &str, row: &ProblemRow) {
        let problem = &row.problem;
        *self.tally.problems.entry(problem.kind).or_default() += 1;
        if self.first_problems.len() < FIRST_PROBLEMS {
            let place = format!("{name}:{}:{}", row.line, row.column);
            self.first_problems.push(format!("{place}: {}: {}", problem.kind, problem.message));
        }
    }

    pub(crate) fn so_far(&self) -> SoFar {
        SoFar { tally: self.tally.clone(), shown: self.first_problems.len() }
    }

    /// Forgets all of a file that is none of PGN, but that its bytes have been read.
    pub(crate) fn go_back(&mut self, before: SoFar) {
        self.tally = Tally { bytes: self.tally.bytes, ..before.tally };
        self.first_problems.truncate(before.shown);
    }
}

/// How much of a file is hashed at once to see whether it is known.
const HASHED_BYTES: usize = 1 << 24;
/// How many problems [`Summary::first_problems`] has at most.
const FIRST_PROBLEMS: usize = 10;

/// Imports files into a database, all of it or nothing.
///
/// `progress` is called now and then with what has been done. A file that cannot be read, or has no
/// game in it, is named in [`Summary::failures`]; the others are imported.
///
/// # Errors
/// When the database cannot be written; it is then as it was before.
pub fn import(
    database: &mut Database,
    files: &[PathBuf],
    options: Options,
    mut progress: impl FnMut(&Tally),
) -> Result<Summary> {
    let database = &*database;
    database.set_triggers(false)?;
    let cache_bytes = options.memory.cache_bytes();
    let summary =
        database.change(cache_bytes, || import_all(database, files, options, &mut progress));
    database.set_triggers(true)?;
    summary
}

fn import_all(
    database: &Database,
    files: &[PathBuf],
    options: Options,
    progress: &mut impl FnMut(&Tally),
) -> Result<Summary> {
    let fail = |e| database.error(e);
    let memory = options.memory;
    let mut import = Import {
        database,
        options,
        writer: GameWriter::new(&database.connection, memory.name_bytes()).map_err(fail)?,
        next_game: 0,
        run: Run::new(database.folder(), memory.run_limits()),
        run_first_game: 0,
        summary: Summary::default(),
        unlogged: Vec::new(),
    };
    import.next_game = import.writer.next_game().map_err(fail)?;
    import.run_first_game = import.next_game;
    for file in files {
        if let Err(error) = import.file(file, progress) {
            match error {
                Error::File { .. } | Error::NotAFile(_) | Error::NoGames(_) => {
                    import.summary.failures.push(error)
                }
                error => return Err(error),
            }
        }
    }
    import.write_run()?;
    import.writer.set_next_game(import.next_game).map_err(fail)?;
    let summary = import.summary;
    drop((import.writer, import.run));
    reindex::keep_few_segments(database, memory)?;
    Ok(summary)
}

struct Import<'d> {
    database: &'d Database,
    options: Options,
    writer: GameWriter<'d>,
    next_game: i64,
    run: Run,
    /// The number of the run's first game.
    run_first_game: i64,
    summary: Summary,
    /// Problems of a file in which no game has been found so far.
    unlogged: Vec<ProblemRow>,
}

impl Import<'_> {
    fn file(&mut self, path: &Path, progress: &mut impl FnMut(&Tally)) -> Result<()> {
        let file = MappedFile::open(path)?;
        let fail = |e| self.database.error(e);
        if self.is_known(&file)? {
            self.summary.tally.bytes += file.len() as u64;
            self.summary.known.push(path.to_owned());
            return Ok(());
        }
        let name = path.to_string_lossy();
        let id = self.writer.begin_source(&name, file.len() as u64).map_err(fail)?;
        let first_game = self.next_game;
        let before = self.summary.so_far();
        let mut hasher = blake3::Hasher::new();
        let readings = self.options.readings.clone();
        let mut found = FileReadings::new(&readings);
        ordered(
            Batches::new(&file).inspect(|batch| {
                hasher.update(batch.bytes());
            }),
            self.options.memory.batches(),
            |batch: Batch<'_>| finish(batch, &readings, &Preferred::default()),
            |finished| {
                let range = finished.range.clone();
                let finished = settle(finished, &readings, &mut found);
                self.write(id, &name, finished)?;
                file.release(range);
                progress(&self.summary.tally);
                Ok::<(), Error>(())
            },
        )?;
        let games = (self.next_game - first_game) as u64;
        if games == 0 {
            self.writer.forget_source(id).map_err(|e| self.database.error(e))?;
            self.unlogged.clear();
            self.summary.go_back(before);
            return Err(Error::NoGames(path.to_owned()));
        }
        self.log(&name, Vec::new(), false)?;
        let hash = hasher.finalize();
        let (notation, language) = found.most(&readings);
        let row = SourceRow {
            id,
            notation,
            language,
            content_hash: hash.as_bytes(),
            first_game,
            games,
            problems: self.summary.tally.problem_count() - before.tally.problem_count(),
        };
        self.writer.end_source(&row).map_err(|e| self.database.error(e))
    }

    /// `true` when the same bytes have been imported before.
    fn is_known(&self, file: &MappedFile) -> Result<bool> {
        let hashes = self.writer.hashes_of_size(file.len() as u64);
        let hashes = hashes.map_err(|e| self.database.error(e))?;
        if hashes.is_empty() {
            return Ok(false);
        }
        let mut hasher = blake3::Hasher::new();
        for (number, part) in file.chunks(HASHED_BYTES).enumerate() {
            hasher.update(part);
            let start = number * HASHED_BYTES;
            file.release(start..start + part.len());
        }
        Ok(hashes.contains(&hasher.finalize().as_bytes().to_vec()))
    }

    fn write(&mut self, source: i64, name: &str, finished: Finished<'_>) -> Result<()> {
        let fail = |e| self.database.error(e);
        for (id, row) in (self.next_game..).zip(&finished.games) {
            let language = row.reading.and_then(|id| self.options.readings.language(id));
            self.writer.game(id, source, row, language, &finished.texts).map_err(fail)?;
        }
        for row in &finished.between {
            self.writer.source_text(source, self.next_game, row).map_err(fail)?;
        }
        for row in &finished.problems {
            self.writer.problem(source, self.next_game, row).map_err(fail)?;
            self.summary.note(name, row);
        }
        self.log(name, finished.problems, finished.games.is_empty())?;
        let tally = &mut self.summary.tally;
        tally.bytes += finished.range.len() as u64;
        tally.games += finished.games.len() as u64;
        tally.positions += finished.postings.len() as u64;
        self.next_game += finished.games.len() as i64;
        if !self.options.positions {
            return Ok(());
        }
        self.run.push(finished.postings).map_err(fail)?;
        let is_full = self.run.games() >= self.run.most_games();
        if is_full { self.write_run() } else { Ok(()) }
    }

    /// Writes the problems of a batch, unless there may be no game in all of its file.
    fn log(&mut self, name: &str, problems: Vec<ProblemRow>, is_text: bool) -> Result<()> {
        let Some(log) = &self.options.problem_log else { return Ok(()) };
        self.unlogged.extend(problems);
        match is_text {
            true => Ok(()),
            false => log.write(name, self.next_game, &std::mem::take(&mut self.unlogged)),
        }
    }

    fn write_run(&mut self) -> Result<()> {
        self.run
            .write(&self.database.connection, self.run_first_game)
            .map_err(|e| self.database.error(e))?;
        self.run_first_game = self.next_game;
        Ok(())
    }
}

/// Gives each game of a batch the reading that fits it and the games of the file before it. Where that
/// changes moves, which is rare, the batch is replayed once more.
fn settle<'f>(
    mut finished: Finished<'f>,
    readings: &Readings,
    file: &mut FileReadings,
) -> Finished<'f> {
    let open = std::mem::take(&mut finished.open);
    let settled = file.settle(&open, finished.games.len());
    if !settled.preferred.is_empty() {
        finished = finish(finished.batch, readings, &settled.preferred);
    }
    for (game, reading) in settled.readings {
        finished.games[game].reading = Some(reading);
    }
    for row in &finished.games {
        let foreign = row.reading.filter(|&reading| readings.language(reading).is_some());
        file.give(row.notation, foreign);
    }
    finished
}

//! PGN files into a database: cut, replayed on all threads, written by one.
//!
//! The content of the database depends on the files and their order alone: batches are cut by their
//! size in bytes, and their results are written in the order of the input.

mod batch;
mod batches;
mod encodings;
mod languages;
mod memory;
mod places;
mod problem_log;
mod reindex;
mod rows;
mod source;
mod stream;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) use batch::{Batch, Part};
pub(crate) use batches::{of_file, of_stream};
use encodings::Counted;
pub(crate) use languages::{FileReadings, Open, Preferred};
pub use memory::Memory;
pub use problem_log::{ProblemLine, ProblemLog};
pub use reindex::{Renewed, optimize};
use rows::{Finished, finish};
pub use source::has_game;

use crate::error::{Error, Result};
use crate::index::Run;
use crate::input::{Encoding, Input};
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
    /// The encoding of all files that do not name one themselves; if there is none, each game's is found.
    pub encoding: Option<Encoding>,
    /// Where all problems are written as they are found.
    pub problem_log: Option<ProblemLog>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: Memory::default(),
            positions: true,
            readings: Readings::default(),
            encoding: None,
            problem_log: None,
        }
    }
}

/// What an import or a conversion has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes read, after what is compressed has been decompressed.
    pub bytes: u64,
    /// Bytes of the inputs that have been read, as they are stored.
    pub consumed: u64,
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
    /// The sources that were passed over, since their content has been imported before.
    pub known: Vec<PathBuf>,
    /// What could not be read of the inputs, and why.
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
        let Tally { bytes, consumed, .. } = self.tally;
        self.tally = Tally { bytes, consumed, ..before.tally };
        self.first_problems.truncate(before.shown);
    }
}

/// How many problems [`Summary::first_problems`] has at most.
const FIRST_PROBLEMS: usize = 10;

/// Imports files, or what else is an [`Input`], into a database, all of it or nothing.
///
/// `progress` is called now and then with what has been done. A source that cannot be read, or has no
/// game in it, is named in [`Summary::failures`]; the others are imported, and so are the games before
/// some damage.
///
/// # Errors
/// When the database cannot be written; it is then as it was before.
pub fn import(
    database: &mut Database,
    inputs: impl IntoIterator<Item = impl Into<Input>>,
    options: Options,
    mut progress: impl FnMut(&Tally),
) -> Result<Summary> {
    let database = &*database;
    database.set_triggers(false)?;
    let cache_bytes = options.memory.cache_bytes();
    let summary =
        database.change(cache_bytes, || import_all(database, inputs, options, &mut progress));
    database.set_triggers(true)?;
    summary
}

fn import_all(
    database: &Database,
    inputs: impl IntoIterator<Item = impl Into<Input>>,
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
    for input in inputs {
        import.input(&input.into(), progress)?;
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

/// A source that is being imported.
struct Begun<'s> {
    id: i64,
    path: &'s Path,
    first_game: i64,
    before: SoFar,
    /// What its games have been read with and are encoded in.
    readings: FileReadings,
    encodings: Counted,
}

impl Import<'_> {
    /// Takes down that a source is about to be read, of which the size in bytes is known.
    fn begin<'s>(&self, path: &'s Path, bytes: u64) -> Result<Begun<'s>> {
        let name = path.to_string_lossy();
        let id = self.writer.begin_source(&name, bytes).map_err(|e| self.database.error(e))?;
        Ok(Begun {
            id,
            path,
            first_game: self.next_game,
            before: self.summary.so_far(),
            readings: FileReadings::new(&self.options.readings),
            encodings: Counted::default(),
        })
    }

    /// Imports all games of a source. `check` is called when a batch has been replayed, with its place, and says
    /// whether it may be written; `written` is called when it has been.
    fn games<'f>(
        &mut self,
        source: &mut Begun<'_>,
        batches: impl Iterator<Item = Batch<'f>> + Send,
        check: impl Fn(&Range<u64>) -> Result<()>,
        mut written: impl FnMut(&mut Tally, Range<u64>),
    ) -> Result<()> {
        let readings = self.options.readings.clone();
        ordered(
            batches,
            self.options.memory.batches(),
            |batch: Batch<'_>| finish(batch, &readings, &Preferred::default()),
            |finished| {
                let range = finished.batch.origin();
                let finished = settle(finished, &readings, &mut source.readings);
                check(&range)?;
                self.write(source, finished)?;
                written(&mut self.summary.tally, range);
                Ok::<(), Error>(())
            },
        )
    }

    /// Takes down what is known of a source when all of it has been read.
    fn end(&mut self, source: Begun<'_>, hash: &blake3::Hash) -> Result<()> {
        let fail = |e| self.database.error(e);
        let games = (self.next_game - source.first_game) as u64;
        if games == 0 {
            self.writer.forget_source(source.id).map_err(fail)?;
            self.unlogged.clear();
            self.summary.go_back(source.before);
            return Err(Error::NoGames(source.path.to_owned()));
        }
        self.log(&source.path.to_string_lossy(), Vec::new(), false)?;
        let (notation, language) = source.readings.most(&self.options.readings);
        let row = SourceRow {
            id: source.id,
            notation,
            language,
            encoding: source.encodings.most(),
            content_hash: hash.as_bytes(),
            first_game: source.first_game,
            games,
            problems: self.summary.tally.problem_count() - source.before.tally.problem_count(),
        };
        self.writer.end_source(&row).map_err(fail)
    }

    fn write(&mut self, source: &mut Begun<'_>, finished: Finished<'_>) -> Result<()> {
        let fail = |e| self.database.error(e);
        let name = source.path.to_string_lossy();
        for (id, row) in (self.next_game..).zip(&finished.games) {
            let language = row.reading.and_then(|id| self.options.readings.language(id));
            self.writer.game(id, source.id, row, language, &finished.texts).map_err(fail)?;
            source.encodings.add(row.encoding);
        }
        for row in &finished.between {
            self.writer.source_text(source.id, self.next_game, row).map_err(fail)?;
        }
        for row in &finished.problems {
            self.writer.problem(source.id, self.next_game, row).map_err(fail)?;
            self.summary.note(&name, row);
        }
        self.log(&name, finished.problems, finished.games.is_empty())?;
        let tally = &mut self.summary.tally;
        let bytes = finished.batch.origin();
        tally.bytes += bytes.end - bytes.start;
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

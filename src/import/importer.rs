//! The writing end of an import: one source after the other, step by step.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::checkpoint::Checkpoint;
use super::known::{Start, with_head};
use super::rows::{Finished, finish};
use super::{Event, Imported, Options, SourceStatus, Summary, SummarySnapshot, Tally};
use crate::columns::ColumnWriter;
use crate::error::{Error, Result};
use crate::index::{Run, RunLimits};
use crate::ingest::{FileReadings, HashedBatch, Preferred};
use crate::maintenance;
use crate::ordered::ordered_by_weight;
use crate::replay::Readings;
use crate::storage::{
    Commits, Database, GameWriter, IndexedLines, KnownSource, Mark, NewSource, ProblemRow,
    SourceProgress, SourceRow, begin_source, end_before_last_game, end_source, keep_progress,
    known_sources, take_back_games, take_back_source,
};

/// An import under way.
pub(super) struct Import<'d, 's> {
    database: &'d Database,
    steps: &'s Commits<'d>,
    pub(super) options: Options,
    writer: GameWriter<'d>,
    columns: ColumnWriter<'d>,
    next_game: i64,
    run: Run,
    /// The number of the run's first game.
    run_first_game: i64,
    pub(super) summary: Summary,
    /// Problems of a file in which no game has been found so far.
    unlogged: Vec<ProblemRow>,
    /// The bytes that have been imported since the last step.
    step_bytes: u64,
    /// Sources whose rows have changed since the last step.
    changed_sources: BTreeSet<i64>,
}

/// A source that is being imported.
pub(super) struct SourceImport<'p> {
    id: i64,
    path: &'p Path,
    first_game: i64,
    before: SummarySnapshot,
    /// The problems that it had before this import went on with it.
    earlier_problems: u64,
    /// What its games have been read with and are encoded in.
    read: Checkpoint,
    /// As far as it has been written.
    end: Mark,
}

impl SourceImport<'_> {
    /// How many bytes have been read.
    pub(super) fn read_bytes(&self) -> u64 {
        self.end.bytes
    }
}

impl<'d, 's> Import<'d, 's> {
    /// Prepares to write, and indexes what an interrupted import has left without.
    pub(super) fn begin(
        database: &'d Database,
        steps: &'s Commits<'d>,
        options: Options,
    ) -> Result<Import<'d, 's>> {
        let fail = |e| database.error(e);
        let memory = options.memory;
        if options.index_variations {
            database.index_variations()?;
        }
        if options.positions {
            maintenance::catch_up(database, memory)?;
        }
        database.put_off_name_indexes()?;
        let writer = GameWriter::new(&database.connection, memory.name_bytes()).map_err(fail)?;
        let columns = ColumnWriter::new(&database.connection).map_err(fail)?;
        let next_game = writer.next_game().map_err(fail)?;
        Ok(Import {
            database,
            steps,
            options,
            writer,
            columns,
            next_game,
            run: Run::new(database.folder(), database.indexed_lines()?, RunLimits::within(memory)),
            run_first_game: next_game,
            summary: Summary::default(),
            unlogged: Vec::new(),
            step_bytes: 0,
            changed_sources: BTreeSet::new(),
        })
    }

    /// Writes what is left to be written.
    pub(super) fn end(mut self, progress: &mut impl FnMut(Event<'_>)) -> Result<Summary> {
        self.write_last_run(progress)?;
        self.flush()?;
        let Import { database, options, summary, writer, columns, run, .. } = self;
        drop((writer, columns, run));
        database.build_name_indexes()?;
        maintenance::compact(database, options.memory)?;
        Ok(summary)
    }

    /// `true` when no game of another source stands behind those of this one.
    pub(super) fn is_last(&self, source: &KnownSource) -> bool {
        source.last_game + 1 == self.next_game
    }

    /// The known sources that a source of this size may be or go on behind.
    pub(super) fn known_with_head(
        &self,
        head: &[u8],
        bytes: Option<u64>,
    ) -> Result<Vec<KnownSource>> {
        let known = known_sources(&self.database.connection).map_err(|e| self.database.error(e))?;
        let mut known = with_head(known, head, bytes);
        // What an import has left unfinished is not yet imported.
        known.retain(|source| !self.options.again || source.state.is_some());
        Ok(known)
    }

    /// Takes down that a source is about to be read; nothing when there is nothing new in it.
    pub(super) fn begin_source<'p>(
        &mut self,
        path: &'p Path,
        new: &NewSource<'_>,
        start: Start,
    ) -> Result<Option<SourceImport<'p>>> {
        match start {
            Start::New => self.begin_new(path, new, Mark::start()).map(Some),
            Start::Known(known) => {
                let left = known.games_left(&self.database.connection);
                let left = left.map_err(|e| self.database.error(e))?;
                let games = known.games();
                let deleted = games.saturating_sub(left);
                self.summary.met.push(SourceStatus::Known {
                    path: path.to_owned(),
                    games,
                    deleted,
                });
                self.summary.sources.push(known.id);
                Ok(None)
            }
            Start::Unfinished(known) => self.go_on(path, &known).map(Some),
            Start::Grown { known, has_cut_game } => {
                self.begin_grown(path, new, &known, has_cut_game).map(Some)
            }
        }
    }

    fn begin_new<'p>(
        &mut self,
        path: &'p Path,
        new: &NewSource<'_>,
        from: Mark,
    ) -> Result<SourceImport<'p>> {
        let id = begin_source(&self.database.connection, new);
        let id = id.map_err(|e| self.database.error(e))?;
        self.changed_sources.insert(id);
        let before = self.summary.snapshot();
        self.summary.tally.bytes += from.bytes;
        self.summary.sources.push(id);
        Ok(SourceImport {
            id,
            path,
            first_game: self.next_game,
            before,
            earlier_problems: 0,
            read: self.nothing_read(from),
            end: from,
        })
    }

    /// Begins a source behind what is known of it as another one.
    fn begin_grown<'p>(
        &mut self,
        path: &'p Path,
        new: &NewSource<'_>,
        known: &KnownSource,
        has_cut_game: bool,
    ) -> Result<SourceImport<'p>> {
        if has_cut_game {
            self.take_back_games(known.last_game, known.last_game)?;
            end_before_last_game(&self.database.connection, known.id)
                .map_err(|e| self.database.error(e))?;
            self.changed_sources.insert(known.id);
        }
        let whole = if has_cut_game { known.known } else { known.content };
        let from = whole.unwrap_or(Mark::start());
        let grown = SourceStatus::Grown { path: path.to_owned(), known: known.path.clone() };
        self.summary.met.push(grown);
        self.begin_new(path, &NewSource { continues: Some(known.id), ..*new }, from)
    }

    /// Goes on with a source where its import was interrupted.
    fn go_on<'p>(&mut self, path: &'p Path, known: &KnownSource) -> Result<SourceImport<'p>> {
        let from = known.known.unwrap_or(Mark::start());
        let nothing = self.nothing_read(from);
        let read = known.state.as_deref().and_then(|state| nothing.resumed(state));
        let read = read.ok_or_else(|| Error::OtherOptions(path.to_owned()))?;
        let before = self.summary.snapshot();
        self.summary.tally.bytes += from.bytes;
        self.summary.sources.push(known.id);
        self.summary
            .met
            .push(SourceStatus::Unfinished { path: path.to_owned(), bytes: from.bytes });
        Ok(SourceImport {
            id: known.id,
            path,
            first_game: known.first_game,
            before,
            earlier_problems: known.problems,
            read,
            end: from,
        })
    }

    fn nothing_read(&self, from: Mark) -> Checkpoint {
        Checkpoint::new(&self.options.readings, self.options.read.encoding, from)
    }

    /// Deletes games as anybody else would, so that answers stay right.
    fn take_back_games(&self, first: i64, last: i64) -> Result<()> {
        self.database.set_triggers(true)?;
        let taken = take_back_games(&self.database.connection, first, last);
        taken.map_err(|e| self.database.error(e))?;
        self.database.set_triggers(false)
    }

    /// Forgets what an import has left that was interrupted, where it can go on no more: the games of a source stand
    /// side by side.
    pub(super) fn take_back_known(&mut self, source: &KnownSource) -> Result<()> {
        self.summary.met.push(SourceStatus::BegunAgain(source.path.clone().into()));
        self.take_back_games(source.first_game, source.last_game)?;
        take_back_source(&self.database.connection, source.id).map_err(|e| self.database.error(e))
    }

    /// Imports all games of a source. `check` is called when a batch has been replayed, with its place, and says
    /// whether it may be written; `written` is called when it has been.
    pub(super) fn games<'f>(
        &mut self,
        source: &mut SourceImport<'_>,
        batches: impl Iterator<Item = HashedBatch<'f>> + Send,
        check: impl Fn(&Range<u64>) -> Result<()>,
        mut written: impl FnMut(&mut Tally, Range<u64>),
    ) -> Result<()> {
        let readings = self.options.readings.clone();
        let lines = self.run.lines();
        ordered_by_weight(
            batches,
            self.options.memory.batches(),
            |fed: &HashedBatch<'_>| fed.batch.weight(),
            |fed: HashedBatch<'_>| {
                let finished = finish(fed.batch, &readings, &Preferred::default(), lines);
                (finished, fed.last_game, fed.end)
            },
            |(finished, last_game, end)| {
                // A step ends before a batch and never behind the last, whose last game may have been cut.
                self.end_step(source)?;
                let range = finished.batch.origin();
                let finished = settle(finished, &readings, &mut source.read.readings, lines);
                check(&range)?;
                self.write(source, finished)?;
                source.read.last_game = last_game.unwrap_or(source.read.last_game);
                source.end = end;
                written(&mut self.summary.tally, range);
                Ok(())
            },
        )
    }

    /// Ends a step where enough has been done, or somebody asks to stop.
    fn end_step(&mut self, source: &SourceImport<'_>) -> Result<()> {
        let stops = self.is_asked_to_stop();
        if !stops && self.step_bytes < self.options.step_bytes {
            return Ok(());
        }
        if self.games_of(source) > 0 {
            self.keep_progress(source)?;
            self.next_step()?;
        } else if stops {
            self.take_back(source)?;
        }
        if stops { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Ends a step between sources, in the same way.
    pub(super) fn end_step_between_sources(&mut self) -> Result<()> {
        if self.is_asked_to_stop() {
            return Err(Error::Interrupted);
        }
        if self.step_bytes < self.options.step_bytes { Ok(()) } else { self.next_step() }
    }

    fn next_step(&mut self) -> Result<()> {
        self.flush()?;
        self.steps.next()?;
        self.step_bytes = 0;
        // Nobody but an SQLite program of another kind can have come in between.
        match self.writer.next_game().map_err(|e| self.database.error(e))? == self.next_game {
            true => Ok(()),
            false => Err(Error::GamesAdded(self.database.path().to_owned())),
        }
    }

    fn is_asked_to_stop(&self) -> bool {
        self.options.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn games_of(&self, source: &SourceImport<'_>) -> u64 {
        (self.next_game - source.first_game).cast_unsigned()
    }

    fn problems_of(&self, source: &SourceImport<'_>) -> u64 {
        let here = self.summary.tally.problem_count() - source.before.tally.problem_count();
        source.earlier_problems + here
    }

    fn keep_progress(&mut self, source: &SourceImport<'_>) -> Result<()> {
        let progress = SourceProgress {
            id: source.id,
            known: source.end,
            first_game: source.first_game,
            games: self.games_of(source),
            problems: self.problems_of(source),
            state: &source.read.to_json(),
        };
        self.changed_sources.insert(source.id);
        let kept = keep_progress(&self.database.connection, &progress);
        kept.map_err(|e| self.database.error(e))
    }

    /// Writes what has been kept back of the games of this step.
    fn flush(&mut self) -> Result<()> {
        let mut changed = std::mem::take(&mut self.changed_sources).into_iter();
        self.writer
            .set_next_game(self.next_game)
            .and_then(|()| self.writer.index_new_names())
            .and_then(|()| changed.try_for_each(|source| self.writer.check_source(source)))
            .and_then(|()| self.writer.write_checksums())
            .and_then(|()| self.columns.flush())
            .map_err(|e| self.database.error(e))
    }

    /// Forgets a source in which there was no game.
    fn take_back(&mut self, source: &SourceImport<'_>) -> Result<()> {
        take_back_source(&self.database.connection, source.id)
            .map_err(|e| self.database.error(e))?;
        self.unlogged.clear();
        self.summary.go_back(&source.before);
        Ok(())
    }

    /// Ends a source that has been read to its end, or as far as it could be.
    pub(super) fn end_source(
        &mut self,
        source: &SourceImport<'_>,
        done: Result<()>,
        failure: Option<Error>,
    ) -> Result<()> {
        let failure = match done {
            Ok(()) => failure,
            Err(error) if error.is_of_input() => Some(error),
            Err(error) => return Err(error),
        };
        match (self.finish_source(source), failure) {
            (Ok(()) | Err(Error::NoGames(_) | Error::OnlyLargeGames(_)), Some(failure)) => {
                Err(failure)
            }
            (finished, _) => finished,
        }
    }

    /// Takes down what is known of a source of which no more will be read.
    fn finish_source(&mut self, source: &SourceImport<'_>) -> Result<()> {
        let games = self.games_of(source);
        if games == 0 {
            let is_too_large = self.summary.tally.large_games > source.before.tally.large_games;
            self.take_back(source)?;
            return Err(Error::no_games(source.path, is_too_large));
        }
        self.log(&source.path.to_string_lossy(), Vec::new(), false)?;
        let (notation, language) = source.read.readings.most(&self.options.readings);
        let row = SourceRow {
            id: source.id,
            notation,
            language,
            encoding: source.read.encodings.most(),
            content: source.end,
            known: source.read.last_game,
            first_game: source.first_game,
            games,
            problems: self.problems_of(source),
        };
        end_source(&self.database.connection, &row).map_err(|e| self.database.error(e))?;
        self.changed_sources.insert(source.id);
        self.summary.imported.push(Imported {
            path: source.path.to_owned(),
            bytes: source.end.bytes,
            games,
            problems: row.problems,
        });
        Ok(())
    }

    fn write(&mut self, source: &mut SourceImport<'_>, finished: Finished<'_>) -> Result<()> {
        let fail = |e| self.database.error(e);
        let name = source.path.to_string_lossy();
        let games = finished.games.iter().zip(&finished.descriptions);
        for (id, (row, description)) in (self.next_game..).zip(games) {
            let language = row.reading.and_then(|id| self.options.readings.language(id));
            self.writer
                .game(id, source.id, row, language, &finished.texts)
                .and_then(|names| self.columns.push(id, names, description))
                .map_err(fail)?;
            source.read.encodings.add(row.encoding);
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
        self.step_bytes += bytes.end - bytes.start;
        tally.games += finished.games.len() as u64;
        tally.large_games += u64::from(finished.batch.ends_large_game());
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
        self.summary.tally.indexed = self.summary.tally.consumed;
        Ok(())
    }

    /// Indexes the positions that are left, which takes about a third of an import.
    fn write_last_run(&mut self, progress: &mut impl FnMut(Event<'_>)) -> Result<()> {
        let tally = &mut self.summary.tally;
        let (before, consumed) = (tally.indexed, tally.consumed);
        let mut indexed = |share: f64| {
            tally.indexed = before + ((consumed - before) as f64 * share) as u64;
            progress(Event::Written(tally));
        };
        indexed(0.0);
        self.run
            .write_with_progress(&self.database.connection, self.run_first_game, &mut indexed)
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
    lines: IndexedLines,
) -> Finished<'f> {
    let open = std::mem::take(&mut finished.open);
    let settled = file.settle(&open, finished.games.len());
    if !settled.preferred.is_empty() {
        finished = finish(finished.batch, readings, &settled.preferred, lines);
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

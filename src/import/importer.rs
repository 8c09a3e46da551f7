//! The import sink: imports sources one after the other, committing step by step.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::checkpoint;
use super::hashed::Marks;
use super::known::with_head;
use super::options::{EarlierImport, Event, ImportOptions, Imported, Summary};
use super::rows::{RowWorker, Rows};
use super::update::{CurrentSource, Encounter};
use crate::columns::ColumnWriter;
use crate::equal_games::EqualGames;
use crate::error::{Error, Result};
use crate::index::{BatchPostings, Run, RunLimits};
use crate::ingest::{
    self, Batched, Begin, Findings, GameReading, Sink, SourceBytes, SourceInfo, Tally,
};
use crate::maintenance;
use crate::query::{Filter, GameMatcher, Query};
use crate::source_problem::SourceProblem;
use crate::storage::{
    Commits, Database, EvaluationKind, EvaluationWriter, GameWriter, InDatabase, IndexedPlies,
    KnownSource, Mark, OpeningTable, SourceId, SourceProgress, SourceRow, SourceTextRow,
    delete_game_range, delete_source, end_source, keep_as_origin, keep_progress, known_sources,
};
use crate::store_fault::StoreResult;

/// The size of a game's text that is assumed to estimate the number of games in the rest of a file.
const EXPECTED_GAME_BYTES: u64 = 1 << 10;

/// The number of games before the game with a number, deleted games included.
fn games_before(game: i64) -> u64 {
    game.saturating_sub(1).max(0).cast_unsigned()
}

/// An import in progress.
pub(super) struct Import<'d, 's> {
    pub(super) database: &'d Database,
    steps: &'s Commits<'d>,
    pub(super) options: ImportOptions,
    /// The hash of the options by which sources are read.
    pub(super) read_options: String,
    /// The filter as a JSON object; `None` for all games.
    pub(super) filter: Option<String>,
    matcher: Option<Arc<GameMatcher>>,
    /// The number of games that may still be imported.
    pub(super) left: u64,
    /// `true` once the import has ended at its limit, before the end of its sources.
    pub(super) is_limit_reached: bool,
    /// The keys of the stored games, by which equal games are recognized; `None` until they are needed.
    pub(super) equal_games: Option<EqualGames>,
    pub(super) duplicates: u64,
    /// The offsets of games in the next source that the database has already.
    pub(super) imported_places: Arc<HashSet<u64>>,
    /// Known sources that have equal bytes as a stream that has to be reread, but were imported with another filter.
    pub(super) others_of_reread: Vec<KnownSource>,
    /// The source that is being read, for updates.
    pub(super) current: CurrentSource,
    /// Sources that are kept only as the origin of games that they have updated. They are removed once these games have
    /// been read again.
    pub(super) origins: Vec<i64>,
    pub(super) progress: &'s mut dyn FnMut(Event<'_>),
    pub(super) writer: GameWriter<'d>,
    columns: ColumnWriter<'d>,
    pub(super) evaluations: EvaluationWriter,
    openings: OpeningTable,
    pub(super) next_game: i64,
    run: Run,
    plies: IndexedPlies,
    /// The number of the run's first game.
    run_first_game: i64,
    imported: Vec<Imported>,
    pub(super) earlier: Vec<EarlierImport>,
    pub(super) sources: Vec<SourceId>,
    /// Problems of a source in which no game has been found yet.
    unlogged: Vec<(Option<i64>, SourceProblem)>,
    /// The bytes imported since the last step.
    step_bytes: u64,
    /// The start of the current step.
    step_start: Instant,
    /// The number of the import's first game.
    first_game: i64,
    /// `true` if the indexes of names and addresses are built at the end.
    has_put_off_indexes: bool,
    /// Sources whose rows have changed since the last step.
    pub(super) changed_sources: BTreeSet<i64>,
}

/// A source being imported.
pub(super) struct SourceImport {
    pub(super) id: i64,
    pub(super) path: PathBuf,
    pub(super) first_game: i64,
    /// The number of the source's games that the database had before.
    pub(super) known: u64,
    /// The number of the source's games that are not imported.
    pub(super) passed_over: u64,
    pub(super) problems: u64,
    /// The size of the source; `None` if it is unknown because of compression or a stream.
    pub(super) bytes: Option<u64>,
    /// The mark before the last game.
    pub(super) last_game: Mark,
    /// The end of the last imported batch.
    pub(super) end: Mark,
}

impl SourceImport {
    /// The number of bytes that have not been imported yet; 0 if the size of the file is not known.
    fn bytes_left(&self) -> u64 {
        match self.bytes {
            Some(bytes) => bytes.saturating_sub(self.end.bytes),
            None => 0,
        }
    }
}

impl<'d, 's> Import<'d, 's> {
    /// Prepares for writing, and indexes games that an interrupted import left unindexed.
    pub(super) fn begin(
        database: &'d Database,
        steps: &'s Commits<'d>,
        options: ImportOptions,
        progress: &'s mut dyn FnMut(Event<'_>),
    ) -> Result<Import<'d, 's>> {
        if let Some(game) = options.replaced
            && !database.has_game_between(game, game)?
        {
            return Err(Error::NoSuchGame(i64::from(game)));
        }
        let matcher = matcher_of(&options.filter)?;
        let filter = filter_of_sources(&options);

        prepare_position_index(database, steps, &options, progress)?;

        database.put_off_unique_names()?;
        let memory = options.memory;
        let openings = database.openings()?;
        let writer = GameWriter::new(&database.connection, memory.name_bytes(), openings.clone())
            .in_database(database)?;
        let columns = ColumnWriter::new(&database.connection).in_database(database)?;
        let next_game = writer.next_game().in_database(database)?;

        let has_put_off_indexes = if options.update {
            // An update finds the earlier texts of games by these indexes.
            database.build_name_indexes()?;
            false
        } else {
            database.put_off_name_indexes(games_before(next_game), 0)?
        };

        // Equal games are found by a set of keys, which gets its own part of the memory limit.
        let run_memory = if options.unique {
            memory.without_equal_games()
        } else {
            memory
        };
        let run = Run::new(
            database.folder(),
            database.indexed_lines()?,
            RunLimits::within(run_memory),
        );
        let evaluations =
            EvaluationWriter::new(EvaluationKind::Games, "", memory.waiting_evaluations());
        let plies = database.indexed_plies()?;

        let read_options = checkpoint::options(&options.readings, options.read, filter.as_deref());
        let left = options.limit.unwrap_or(u64::MAX);
        Ok(Import {
            database,
            steps,
            read_options,
            filter,
            matcher,
            left,
            is_limit_reached: false,
            equal_games: None,
            duplicates: 0,
            imported_places: Arc::default(),
            others_of_reread: Vec::new(),
            current: CurrentSource::default(),
            origins: Vec::new(),
            options,
            progress,
            writer,
            columns,
            evaluations,
            openings,
            next_game,
            run,
            plies,
            run_first_game: next_game,
            imported: Vec::new(),
            earlier: Vec::new(),
            sources: Vec::new(),
            unlogged: Vec::new(),
            step_bytes: 0,
            step_start: Instant::now(),
            first_game: next_game,
            has_put_off_indexes,
            changed_sources: BTreeSet::new(),
        })
    }

    /// Writes all pending data, and compacts the database.
    pub(super) fn end(mut self, read: ingest::Summary) -> Result<Summary> {
        let ingest::Summary {
            mut tally,
            first_problems,
            failures,
            is_interrupted,
        } = read;
        self.write_last_run(&mut tally)?;
        self.flush()?;

        let Import {
            database,
            options,
            imported,
            earlier,
            sources,
            writer,
            columns,
            run,
            duplicates,
            is_limit_reached,
            ..
        } = self;
        // The buffers are dropped first, because compaction may use the whole memory limit.
        drop((writer, columns, run));
        maintenance::compact(database, options.memory)?;

        Ok(Summary {
            tally,
            first_problems,
            imported,
            earlier,
            sources,
            failures,
            duplicates,
            is_limit_reached,
            // At the limit of games, `checkpoint` ends reading with `Error::Interrupted`. For users, this is no
            // interruption.
            is_interrupted: is_interrupted && !is_limit_reached,
        })
    }

    /// Returns `true` if no games of another source follow the games of this source.
    pub(super) fn is_last(&self, source: &KnownSource) -> bool {
        source.last_game.checked_add(1) == Some(self.next_game)
    }

    /// The known sources that a source with this head may equal or continue.
    pub(super) fn known_with_head(
        &self,
        head: &[u8],
        source: &SourceInfo<'_>,
    ) -> Result<Vec<KnownSource>> {
        let known = known_sources(&self.database.connection).in_database(self.database)?;
        let mut known = with_head(known, head);

        let is_again = self.options.again || source.is_reread;
        if is_again {
            // A source whose import was interrupted is not imported yet.
            known.retain(|source| source.state.is_some());
        }
        Ok(known)
    }

    /// Deletes games with triggers, which note the games for the position index and the column store.
    pub(super) fn delete_game_range(&mut self, first: i64, last: i64) -> Result<()> {
        // The deleted games are read again. With the old keys, they would be dropped as equal to themselves.
        self.equal_games = None;

        self.database.set_triggers(true)?;
        delete_game_range(&self.database.connection, first, last).in_database(self.database)?;
        self.database.set_triggers(false)
    }

    /// Removes the games of an interrupted import that cannot be resumed. The games of a source have contiguous
    /// numbers, so a source is resumed only if no games of another source follow.
    pub(super) fn delete_known(&mut self, source: &KnownSource) -> Result<()> {
        self.earlier
            .push(EarlierImport::StartedOver(source.path.clone().into()));
        self.delete_game_range(source.first_game, source.last_game)?;

        let connection = &self.database.connection;
        if source.updated == 0 {
            return delete_source(connection, source.id).in_database(self.database);
        }

        // The interrupted source has replaced the texts of games that were stored before. These games retain the newer
        // texts and this source, until a later import reads them again.
        self.origins.push(source.id);
        self.changed_sources.insert(source.id);
        keep_as_origin(connection, source.id).in_database(self.database)
    }

    /// Writes buffered data and commits the step.
    fn next_step(&mut self) -> Result<()> {
        self.flush()?;
        self.steps.next()?;
        self.step_bytes = 0;
        self.step_start = Instant::now();

        // Stamma's lock keeps other imports away, but between two transactions any SQLite program can add games.
        let next_game = self.writer.next_game().in_database(self.database)?;
        if next_game != self.next_game {
            return Err(Error::GamesAdded(self.database.path().to_owned()));
        }
        Ok(())
    }

    /// `true` if the step is large enough, or has taken long enough, to be committed.
    fn is_step_due(&self) -> bool {
        let options = &self.options;
        let is_late = self.step_bytes > 0 && self.step_start.elapsed() >= options.step_time;
        self.step_bytes >= options.step_bytes || is_late
    }

    /// Puts off the indexes of names and addresses to the end of the import, if that saves time for this number of
    /// games: the games imported so far and the estimated games in the rest of an open source.
    fn put_off_indexes(&mut self, open: Option<&SourceImport>) -> Result<()> {
        // Updates find earlier texts by these indexes.
        if self.has_put_off_indexes || self.options.update {
            return Ok(());
        }

        // In a large index, each further game changes a random page. That was most of the time of an import of 866,694
        // games into a database of seven million.
        let bytes_left = open.map_or(0, SourceImport::bytes_left);
        let expected = bytes_left / EXPECTED_GAME_BYTES;
        let before = games_before(self.first_game);
        let imported = games_before(self.next_game) - before;

        self.has_put_off_indexes = self
            .database
            .put_off_name_indexes(before, imported + expected)?;
        Ok(())
    }

    fn games_of(&self, source: &SourceImport) -> u64 {
        (self.next_game - source.first_game).cast_unsigned()
    }

    /// Completes the row of a source, which ends where its last imported batch ends.
    fn end_source(&mut self, source: &SourceImport, findings: &Findings) -> Result<()> {
        self.log(&source.path.to_string_lossy(), Vec::new(), true)?;
        self.remove_replaced_sources()?;

        let (notation, language) = findings.readings.most_common(&self.options.readings);
        let encoding = findings.encodings.most_common();
        let games = self.games_of(source);
        let row = SourceRow {
            id: source.id,
            notation,
            language,
            encoding,
            content: source.end,
            known: source.last_game,
            first_game: source.first_game,
            games,
            updated: source.known,
            passed_over: source.passed_over,
            problems: source.problems,
        };
        end_source(&self.database.connection, &row).in_database(self.database)?;
        self.changed_sources.insert(source.id);

        let imported = Imported {
            path: source.path.clone(),
            bytes: source.end.bytes,
            games,
            known: source.known,
            problems: source.problems,
        };
        (self.progress)(Event::Ended(&imported));
        self.imported.push(imported);
        Ok(())
    }

    fn keep_progress(&mut self, source: &SourceImport, findings: &Findings) -> Result<()> {
        let state = checkpoint::write(&self.read_options, findings, source.last_game);
        let progress = SourceProgress {
            id: source.id,
            known: source.end,
            first_game: source.first_game,
            games: self.games_of(source),
            updated: source.known,
            passed_over: source.passed_over,
            problems: source.problems,
            state: &state,
        };

        self.changed_sources.insert(source.id);
        keep_progress(&self.database.connection, &progress).in_database(self.database)
    }

    /// Writes the buffered data of this step's games.
    pub(super) fn flush(&mut self) -> Result<()> {
        self.evaluations
            .flush(&self.database.connection)
            .in_database(self.database)?;
        self.flush_rows().in_database(self.database)
    }

    fn flush_rows(&mut self) -> StoreResult<()> {
        self.writer.set_next_game(self.next_game)?;
        self.writer.note_new_names()?;
        for source in std::mem::take(&mut self.changed_sources) {
            self.writer.check_source(source)?;
        }
        // The checksums cover all rows written above, so they are written last.
        self.writer.write_checksums()?;

        self.columns.flush()?;
        Ok(())
    }

    /// Writes the rows of new games of a batch; returns their postings.
    fn write_rows(
        &mut self,
        source: i64,
        languages: Vec<Option<Box<str>>>,
        rows: Rows,
    ) -> StoreResult<BatchPostings> {
        let Rows {
            games: game_rows,
            texts,
            descriptions,
            postings,
            evaluations,
            ..
        } = rows;
        let first_game = self.next_game;
        let batch = self
            .writer
            .games(first_game, source, game_rows, texts, languages)?;

        let described = batch.names.iter().zip(&descriptions);
        for (id, (names, description)) in (first_game..).zip(described) {
            self.columns.push(id, *names, description)?;
        }

        self.evaluations
            .push(&self.database.connection, evaluations)?;
        Ok(postings)
    }

    /// The number of each game of a batch in the database, and the number of the next new game. An update has the
    /// number of the stored game.
    fn numbers(&self, rows: &Rows) -> (Vec<i64>, i64) {
        let mut next = self.next_game;
        let mut numbers = Vec::with_capacity(rows.games.len());
        for row in 0..rows.games.len() {
            if let Some(Encounter::Known(target)) = rows.encounters.get(row) {
                numbers.push(target.id);
            } else {
                numbers.push(next);
                next += 1;
            }
        }
        (numbers, next)
    }

    /// Writes texts between games, each with the number of the following game, and problems, each with the number of
    /// its game.
    fn write_texts(
        &mut self,
        source: i64,
        texts: &[(i64, SourceTextRow)],
        problems: &[(Option<i64>, SourceProblem)],
    ) -> StoreResult<()> {
        for (before_game, row) in texts {
            self.writer.source_text(source, *before_game, row)?;
        }
        for (game, problem) in problems {
            self.writer.problem(source, *game, problem)?;
        }
        Ok(())
    }

    /// Logs the problems of a batch. Until a game is found, the problems wait: a source without a game is not PGN, and
    /// its problems are dropped with it.
    fn log(
        &mut self,
        name: &str,
        problems: Vec<(Option<i64>, SourceProblem)>,
        has_game: bool,
    ) -> Result<()> {
        let Some(log) = &self.options.problem_log else {
            return Ok(());
        };

        self.unlogged.extend(problems);
        if has_game {
            log.write(name, &std::mem::take(&mut self.unlogged))?;
        }
        Ok(())
    }

    /// The language of each game of a batch; `None` for English.
    fn languages(&self, games: &[GameReading]) -> Vec<Option<Box<str>>> {
        let readings = &self.options.readings;

        let mut languages = Vec::with_capacity(games.len());
        for game in games {
            let language = game.reading.and_then(|reading| readings.language(reading));
            languages.push(language.map(Box::from));
        }
        languages
    }

    /// Adds the positions of a batch to the run, and writes the run when it has enough games for a segment.
    fn index(&mut self, postings: BatchPostings, tally: &mut Tally) -> Result<()> {
        // Names have a part of the memory limit. Positions may use the memory that names do not use.
        let name_bytes = self.options.memory.name_bytes();
        let unused = name_bytes.saturating_sub(self.writer.name_bytes());
        self.run.push(postings, unused).in_database(self.database)?;

        if self.run.games() >= self.run.max_games() {
            self.write_run()?;
            tally.indexed_bytes = tally.input_bytes;
        }
        Ok(())
    }

    /// Writes the positions of the current run as a segment of the position index.
    fn write_run(&mut self) -> Result<()> {
        self.run
            .write(&self.database.connection, self.run_first_game)
            .in_database(self.database)?;
        self.run_first_game = self.next_game;
        Ok(())
    }

    /// Indexes the remaining positions, which takes about a third of an import. Meanwhile, SQLite builds the indexes of
    /// names on this thread, while the other threads encode positions.
    fn write_last_run(&mut self, tally: &mut Tally) -> Result<()> {
        let Import {
            database,
            writer,
            run,
            progress,
            ..
        } = self;
        let before = tally.indexed_bytes;
        let left = tally.input_bytes - before;
        let mut next_step = 0;
        let mut indexed = |share: f64| -> StoreResult<()> {
            tally.indexed_bytes = before + (left as f64 * share) as u64;
            progress(Event::Written(tally));

            // Each step of the name indexes begins together with its share of the positions. If it began after them,
            // this thread would be the only busy thread after the last share.
            let begun_steps = (share * GameWriter::NAME_STEPS as f64) as usize + 1;
            while next_step < begun_steps.min(GameWriter::NAME_STEPS) {
                writer.complete_names(next_step)?;
                next_step += 1;
            }
            Ok(())
        };

        indexed(0.0).in_database(database)?;
        run.write_with_progress(&database.connection, self.run_first_game, &mut indexed)
            .in_database(database)?;
        indexed(1.0).in_database(database)?;
        self.run_first_game = self.next_game;
        Ok(())
    }
}

/// The matcher of an import's filter; `None` if every game matches.
///
/// # Errors
/// When the filter has a condition that needs a database, or when SQLite, which compares names, has no memory left.
fn matcher_of(filter: &Filter) -> Result<Option<Arc<GameMatcher>>> {
    let query = Query::new().filter(filter.clone());
    if let Some(part) = query.part_for_databases() {
        return Err(Error::NeedsDatabase(part));
    }

    let matcher = GameMatcher::new(&query).map_err(Error::sql)?;
    Ok(matcher.map(Arc::new))
}

/// The filter that is stored with each source, as a JSON object; `None` if every game is imported.
fn filter_of_sources(options: &ImportOptions) -> Option<String> {
    // An import with `unique` may omit games that an import without it adds, so a source is known again only with an
    // equal `unique`.
    let filter = Filter {
        unique: options.unique,
        ..options.filter.clone()
    };
    filter.to_json()
}

/// Applies the options of the position index, and indexes games that an interrupted import left unindexed.
fn prepare_position_index(
    database: &Database,
    steps: &Commits<'_>,
    options: &ImportOptions,
    progress: &mut dyn FnMut(Event<'_>),
) -> Result<()> {
    if options.index_variations {
        database.index_variations()?;
    }
    if let Some(plies) = options.index_plies {
        database.index_plies(IndexedPlies::up_to(plies))?;
    }
    if !options.positions {
        return Ok(());
    }

    let mut caught_up = |games, all| progress(Event::CaughtUp { games, all });
    maintenance::catch_up(database, options.memory, &mut caught_up)?;

    // Committed now, so that a kill of this import does not lose what has just been indexed.
    steps.next()
}

impl Sink for Import<'_, '_> {
    type Source = SourceImport;
    type Mark = Marks;
    type Worker = RowWorker;

    fn worker(&self) -> RowWorker {
        RowWorker {
            lines: self.run.lines(),
            plies: self.plies,
            openings: self.openings.clone(),
            matcher: self.matcher.clone(),
            imported_places: Arc::clone(&self.imported_places),
            is_unique: self.options.unique,
        }
    }

    fn begin<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>> {
        self.begin_bytes(source, bytes)
    }

    fn checkpoint(
        &mut self,
        open: Option<(&SourceImport, &Findings)>,
        is_last: bool,
    ) -> Result<()> {
        if self.left == 0 {
            // At the limit, the source is stored as complete up to its last game, like a file that may grow.
            if let Some((source, findings)) = open {
                self.end_source(source, findings)?;
            }
            self.next_step()?;
            self.is_limit_reached = true;
            return Err(Error::Interrupted);
        }

        if !is_last && !self.is_step_due() {
            return Ok(());
        }

        if let Some((source, findings)) = open {
            self.keep_progress(source, findings)?;
        }
        if !is_last {
            self.put_off_indexes(open.map(|(source, _)| source))?;
        }
        self.next_step()
    }

    /// Finds the stored games that the batch updates. Removes games that equal an earlier game, and the part of the
    /// batch after the last game within the limit.
    fn choose(&mut self, batch: &mut Batched<Self>) -> Result<()> {
        if self.options.update {
            self.find_encounters(&mut batch.output)?;
        }
        if self.options.unique || self.has_limit() {
            self.retain_accepted(batch)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        source: &mut SourceImport,
        batch: Batched<Self>,
        tally: &mut Tally,
    ) -> Result<()> {
        let Batched {
            bytes,
            mark,
            games,
            problems: unnumbered_problems,
            mut output,
        } = batch;
        let has_game = !games.is_empty();
        let passed_over = (games.len() - output.games.len()) as u64;
        let languages = self.languages(&games);

        // Numbers come first: problems, texts and events refer to games by them.
        let (numbers, next) = self.numbers(&output);
        let problems = number_problems(unnumbered_problems, &output.numbers, &numbers);
        let between = std::mem::take(&mut output.between);
        let texts = number_texts(between, &numbers, next);
        self.report_updates(&output, &numbers);

        // After this, only new games remain in the batch.
        let updates = self.replace_stored(source.id, &mut output, &languages)?;

        let added = output.games.len() as u64;
        let new_languages = languages_of(&languages, output.numbers.iter().copied());
        let postings = self
            .write_rows(source.id, new_languages, output)
            .in_database(self.database)?;
        self.write_texts(source.id, &texts, &problems)
            .in_database(self.database)?;

        source.problems += problems.len() as u64;
        source.known += updates.known;
        source.passed_over += passed_over;
        source.last_game = mark.last_game.unwrap_or(source.last_game);
        source.end = mark.end;

        tally.updated += updates.changed;
        tally.unchanged += updates.known - updates.changed;
        tally.passed_over += passed_over;
        tally.positions += postings.len() as u64;

        self.step_bytes += bytes.end - bytes.start;
        self.next_game += added.cast_signed();
        self.log(&source.path.to_string_lossy(), problems, has_game)?;

        if self.options.positions {
            self.index(postings, tally)?;
        }
        Ok(())
    }

    fn end(&mut self, source: SourceImport, findings: &Findings) -> Result<()> {
        self.end_source(&source, findings)
    }

    fn discard(&mut self, source: SourceImport) -> Result<()> {
        self.unlogged.clear();
        self.remove_cut_game(&[])?;
        delete_source(&self.database.connection, source.id).in_database(self.database)
    }

    fn progress(&mut self, tally: &Tally) {
        (self.progress)(Event::Written(tally));
    }
}

/// The languages of some games of a batch, by the indexes of the games in the batch.
pub(super) fn languages_of(
    batch_languages: &[Option<Box<str>>],
    games: impl Iterator<Item = usize>,
) -> Vec<Option<Box<str>>> {
    games.map(|game| batch_languages[game].clone()).collect()
}

/// Pairs each problem with the number of its game in the database. Problems of games that are not imported are dropped.
///
/// `rows` has the indexes of the imported games in the batch, and `numbers` their numbers in the database.
fn number_problems(
    problems: Vec<SourceProblem>,
    rows: &[usize],
    numbers: &[i64],
) -> Vec<(Option<i64>, SourceProblem)> {
    let mut numbered = Vec::with_capacity(problems.len());
    for problem in problems {
        let Some(game) = problem.game else {
            numbered.push((None, problem));
            continue;
        };
        if let Ok(row) = rows.binary_search(&game) {
            numbered.push((Some(numbers[row]), problem));
        }
    }
    numbered
}

/// Pairs each text between games with the number of the following game: `next` if no game of the batch follows.
fn number_texts(
    between: Vec<SourceTextRow>,
    numbers: &[i64],
    next: i64,
) -> Vec<(i64, SourceTextRow)> {
    let mut numbered = Vec::with_capacity(between.len());
    for text in between {
        let next_game = numbers.get(text.games_before).copied().unwrap_or(next);
        numbered.push((next_game, text));
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ply;
    use crate::replay::{Problem, ProblemKind};

    fn problem(game: Option<usize>) -> SourceProblem {
        SourceProblem {
            game,
            byte_offset: 0,
            byte_length: 0,
            line: 1,
            column: 1,
            problem: Problem {
                kind: ProblemKind::TextBetweenGames,
                at: 0,
                ply: Ply::START,
                text: String::new(),
                message: String::new(),
            },
        }
    }

    #[test]
    fn problems_of_games_that_are_not_imported_are_dropped() {
        // The second game of the batch is not imported.
        let problems = [None, Some(0), Some(1), Some(2)].map(problem);
        let numbered = number_problems(problems.into(), &[0, 2], &[40, 41]);

        let numbers: Vec<Option<i64>> = numbered.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [None, Some(40), Some(41)]);
    }

    #[test]
    fn texts_belong_to_the_next_game() {
        let text = |games_before| SourceTextRow {
            games_before,
            bytes: 0..1,
            text: String::new(),
        };
        let numbered = number_texts(vec![text(0), text(1), text(2)], &[40, 41], 42);

        let numbers: Vec<i64> = numbered.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [40, 41, 42]);
    }

    #[test]
    fn deleted_games_are_before_a_game_too() {
        let rows = [(1, 0), (5, 4), (0, 0), (i64::MIN, 0)];
        for (game, expected) in rows {
            assert_eq!(games_before(game), expected, "{game}");
        }
    }
}

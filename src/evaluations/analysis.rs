//! Positions of a database, searched by an engine.
//!
//! Evaluations are committed several times a second, so that an interruption loses only the evaluations since the last
//! commit and the unfinished searches. The next run skips the positions that the database knows, as every run does.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::searches::{AnalysisEvent, AnalysisOptions, SearchCounts};
use super::wanted::{WantedPlies, WantedPositions, positions_of_games, remove_known};
use crate::board::Position;
use crate::engine::{Engine, PoolEnd, PoolEvent, Search, SearchLimit, search_all};
use crate::error::Result;
use crate::game::Variant;
use crate::memory::Memory;
use crate::replay::PositionKey;
use crate::storage::{
    Commits, Database, EvaluationKind, EvaluationWriter, GameSet, InDatabase, KnownSearch,
    KnownSearches, NewEvaluation, engine_source,
};

/// The interval of commits.
const COMMIT_INTERVAL: Duration = Duration::from_millis(250);

/// The positions to search.
#[derive(Debug)]
pub enum AnalysisTarget<C> {
    /// The positions of the mainlines of games. The function is called when the engine has started, and returns the
    /// games; `None` for all games.
    Games(C),
    /// A list of positions.
    Positions(Vec<Position>),
}

/// The result of an analysis.
#[derive(Debug)]
pub struct AnalysisSummary {
    /// The name of the engine.
    pub engine: String,
    /// The number of games whose positions were wanted.
    pub games: u64,
    /// The number of wanted positions, counted anew in each game.
    pub positions: u64,
    /// The number of different positions among them.
    pub distinct: u64,
    /// The number of different positions whose stored evaluation is good enough.
    pub known: u64,
    /// The number of different positions without a legal move.
    pub without_moves: u64,
    /// The results of the searches of all other positions.
    pub searches: SearchCounts,
    /// The number of evaluations that were stored, since the position had no evaluation or a worse one.
    pub stored: u64,
    /// The number of games of other variants, whose positions are not searched.
    pub other_variants: u64,
}

/// Searches positions by an engine, each once, unless the database has an evaluation that is good enough. An evaluation
/// is stored if it is better than the stored one. `stop` ends the analysis; all evaluations until then are stored.
///
/// # Errors
/// When the engine cannot be started, and when the database cannot be read or written.
pub fn analyze<C: FnOnce() -> Result<Option<GameSet>>>(
    database: &Database,
    target: AnalysisTarget<C>,
    options: &AnalysisOptions,
    stop: &AtomicBool,
    on_event: impl FnMut(AnalysisEvent<'_>),
) -> Result<AnalysisSummary> {
    // A wrong program or option is reported before the games are read.
    let engine = options.start(stop)?;
    database.change_in_steps(Memory::default().cache_bytes(), |steps| {
        let mut analysis = Analysis::new(database, steps, options, engine, stop, on_event)?;
        match target {
            AnalysisTarget::Games(choose) => {
                let games = choose()?;
                analysis.search_games(games.as_ref())?;
            }
            AnalysisTarget::Positions(positions) => analysis.search_positions(positions)?,
        }
        analysis.finish()
    })
}

/// The state of an analysis that stores its evaluations in a database.
struct Analysis<'d, 'a, F> {
    database: &'d Database,
    steps: &'a Commits<'d>,
    options: &'a AnalysisOptions,
    /// The processes that run.
    engines: Vec<Engine>,
    stop: &'a AtomicBool,
    on_event: F,
    writer: EvaluationWriter,
    /// The number of the engine among the sources that have been stored, if it is there.
    source: Option<u8>,
    last_commit: Instant,
    summary: AnalysisSummary,
}

impl<'d, 'a, F: FnMut(AnalysisEvent<'_>)> Analysis<'d, 'a, F> {
    fn new(
        database: &'d Database,
        steps: &'a Commits<'d>,
        options: &'a AnalysisOptions,
        engine: Engine,
        stop: &'a AtomicBool,
        on_event: F,
    ) -> Result<Analysis<'d, 'a, F>> {
        let name = engine.name().to_owned();
        let source = engine_source(&database.connection, &name).in_database(database)?;
        // The writer is flushed before each commit, so it needs no limit.
        let writer = EvaluationWriter::new(EvaluationKind::Engine, &name, usize::MAX);
        let summary = AnalysisSummary {
            engine: name,
            games: 0,
            positions: 0,
            distinct: 0,
            known: 0,
            without_moves: 0,
            searches: SearchCounts::default(),
            stored: 0,
            other_variants: 0,
        };
        Ok(Analysis {
            database,
            steps,
            options,
            engines: vec![engine],
            stop,
            on_event,
            writer,
            source,
            last_commit: Instant::now(),
            summary,
        })
    }

    /// Searches the positions of games, in as many shares as the memory requires.
    fn search_games(&mut self, games: Option<&GameSet>) -> Result<()> {
        let (first, last) = self.options.plies;
        let plies = WantedPlies { first, last };
        let mut first_key = Some(0);
        while let Some(key) = first_key {
            let mut share = positions_of_games(self.database, games, plies, key)?;
            // Each share is gathered by a replay of all games, so each share counts the totals.
            self.summary.games = share.totals.games;
            self.summary.positions = share.totals.positions;
            self.summary.other_variants = share.totals.other_variants;

            let distinct = share.places.len() as u64;
            let is_enough = |known| self.is_enough(known);
            remove_known(self.database, &mut share.places, is_enough)?;
            let unknown = share.places.len() as u64;
            self.summary.distinct += distinct;
            self.summary.known += distinct - unknown;

            // For the progress, the number of positions in later shares is estimated.
            let all = self.summary.searches.done() + share.estimate(key, unknown);
            first_key = share.next_key;
            let positions = WantedPositions::from_places(self.database, share.places);
            self.search(positions, all)?;
            if self.summary.searches.end != PoolEnd::Done {
                break;
            }
        }
        Ok(())
    }

    /// Searches a list of positions.
    fn search_positions(&mut self, mut positions: Vec<Position>) -> Result<()> {
        self.summary.positions = positions.len() as u64;

        let key = |position: &Position| PositionKey::new(position, Variant::Standard);
        let mut seen = HashSet::new();
        positions.retain(|position| seen.insert(key(position)));
        self.summary.distinct = positions.len() as u64;

        let database = self.database;
        let mut searches = KnownSearches::new(&database.connection).in_database(database)?;
        let mut unknown = Vec::new();
        for position in positions {
            let known = searches
                .find(key(&position), position.check_key())
                .in_database(database)?;
            if known.is_some_and(|known| self.is_enough(known)) {
                self.summary.known += 1;
            } else {
                unknown.push(position);
            }
        }
        // The search writes into the database.
        drop(searches);

        let all = unknown.len() as u64;
        self.search(WantedPositions::from_positions(database, unknown), all)
    }

    /// `true` if a stored search is as good as a search up to the limit.
    fn is_enough(&self, known: KnownSearch) -> bool {
        match self.options.limit {
            SearchLimit::Depth(depth) => known.has_depth(depth),
            SearchLimit::Nodes(nodes) => known.has_nodes(nodes),
            // The time of a search is not stored, so any search by this engine is good enough.
            SearchLimit::Time(_) => known.is_of(self.source),
        }
    }

    /// Searches positions; `all` is the number of positions of the whole run, for the progress.
    fn search(&mut self, mut positions: WantedPositions<'_>, all: u64) -> Result<()> {
        self.report_progress(all);

        let options = self.options;
        let mut engines = std::mem::take(&mut self.engines);
        let end = search_all(
            &mut engines,
            &options.engine,
            options.processes,
            options.limit,
            self.stop,
            || positions.next(),
            |event| self.note(&event, all),
        )?;

        self.engines = engines;
        self.summary.without_moves += positions.without_moves;
        self.summary.searches.end = end;
        self.commit()
    }

    /// Stores the evaluation of an event, reports the event, and commits when a commit is due.
    fn note(&mut self, event: &PoolEvent, all: u64) -> Result<()> {
        self.summary.searches.note(event);
        if let PoolEvent::Found(found) = event {
            let (position, search) = &**found;
            let evaluation = evaluation_of(position, search, self.options.line_moves);
            self.writer
                .push(&self.database.connection, vec![evaluation])
                .in_database(self.database)?;
        }

        if let Some(event) = AnalysisEvent::from_pool(event) {
            (self.on_event)(event);
        }
        self.report_progress(all);
        if self.last_commit.elapsed() >= COMMIT_INTERVAL {
            self.commit()?;
        }
        Ok(())
    }

    fn report_progress(&mut self, all: u64) {
        let done = self.summary.searches.done();
        (self.on_event)(AnalysisEvent::Progress { done, all });
    }

    /// Writes the waiting evaluations, and commits them.
    fn commit(&mut self) -> Result<()> {
        self.writer
            .flush(&self.database.connection)
            .in_database(self.database)?;
        self.steps.next()?;
        self.last_commit = Instant::now();
        Ok(())
    }

    fn finish(self) -> Result<AnalysisSummary> {
        Ok(AnalysisSummary {
            stored: self.writer.written(),
            ..self.summary
        })
    }
}

/// The evaluation of a position by its best line.
fn evaluation_of(position: &Position, search: &Search, line_moves: usize) -> NewEvaluation {
    let best = search.best();
    // Some engines give a score without a line.
    let best_move = best.moves.first().copied().unwrap_or(search.best_move);
    let moves: Vec<String> = best
        .moves
        .iter()
        .take(line_moves)
        .map(ToString::to_string)
        .collect();

    let mut evaluation = NewEvaluation::of_position(position, best.score);
    evaluation.search(best.depth, search.nodes.unwrap_or(0));
    evaluation.best(Some(best_move), &moves.join(" "));
    evaluation
}

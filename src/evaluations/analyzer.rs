//! Positions without a database, searched by an engine. Evaluations stay in memory, in a bounded set.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::searches::{AnalysisEvent, AnalysisOptions, SearchCounts};
use crate::board::{Move, Position};
use crate::engine::{Engine, PoolEnd, PoolEvent, Search, search_all};
use crate::error::Result;
use crate::game::Variant;
use crate::memory::Memory;
use crate::pgn::Evaluation;
use crate::replay::PositionKey;
use crate::storage::{EvaluationKind, PositionEvaluation};

/// An engine that evaluates positions. A position is not searched again while its evaluation is in memory.
#[derive(Debug)]
pub struct Analyzer<'a> {
    options: &'a AnalysisOptions,
    stop: &'a AtomicBool,
    /// The processes that run between searches.
    engines: Vec<Engine>,
    /// The number of processes that have not failed too often.
    processes: usize,
    known: KnownPositions,
    summary: AnalyzerSummary,
}

/// The totals of an [`Analyzer`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalyzerSummary {
    /// The name of the engine.
    pub engine: String,
    /// The number of requested positions, repetitions included.
    pub positions: u64,
    /// The number of requests whose position was known from an earlier search.
    pub known: u64,
    /// The number of requests whose position has no legal move.
    pub without_moves: u64,
    /// The results of the searches of all other positions.
    pub searches: SearchCounts,
}

impl<'a> Analyzer<'a> {
    /// Starts an engine. After `stop` is set, no position is searched.
    ///
    /// # Errors
    /// When the engine cannot be started.
    pub fn start(
        options: &'a AnalysisOptions,
        memory: Memory,
        stop: &'a AtomicBool,
    ) -> Result<Analyzer<'a>> {
        let engine = options.start(stop)?;
        let summary = AnalyzerSummary {
            engine: engine.name().to_owned(),
            ..AnalyzerSummary::default()
        };
        Ok(Analyzer {
            options,
            stop,
            engines: vec![engine],
            processes: options.processes,
            known: KnownPositions::new(memory.analyzed_positions()),
            summary,
        })
    }

    /// Searches the positions that are not known from earlier searches. When the engine fails too often, the remaining
    /// positions stay unknown.
    ///
    /// # Errors
    /// The first error of `on_event`.
    pub fn search<E>(
        &mut self,
        positions: Vec<Position>,
        mut on_event: impl FnMut(AnalysisEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.known.make_room();
        let mut unknown = self.unknown(positions).into_iter();
        let has_ended = self.summary.searches.end != PoolEnd::Done;
        if has_ended || unknown.len() == 0 {
            return Ok(());
        }

        let options = self.options;
        let all = self.summary.searches.done() + unknown.len() as u64;
        let mut engines = std::mem::take(&mut self.engines);
        let end = search_all(
            &mut engines,
            &options.engine,
            self.processes,
            options.limit,
            self.stop,
            || Ok(unknown.next()),
            |event| {
                self.note(&event);
                if let Some(event) = AnalysisEvent::from_pool(&event) {
                    on_event(event)?;
                }
                let done = self.summary.searches.done();
                on_event(AnalysisEvent::Progress { done, all })
            },
        )?;

        self.engines = engines;
        self.summary.searches.end = end;
        Ok(())
    }

    /// The positions without an earlier search, each once. All positions are counted.
    fn unknown(&mut self, positions: Vec<Position>) -> Vec<Position> {
        let mut unknown = Vec::new();
        let mut seen = HashSet::new();
        for position in positions {
            self.summary.positions += 1;
            if !position.has_legal_move() {
                self.summary.without_moves += 1;
            } else if self.known.find(&position).is_some() || !seen.insert(key(&position)) {
                self.summary.known += 1;
            } else {
                unknown.push(position);
            }
        }
        unknown
    }

    /// Counts an event, and keeps the result of its position.
    fn note(&mut self, event: &PoolEvent) {
        self.summary.searches.note(event);
        match event {
            PoolEvent::Found(found) => {
                let (position, search) = &**found;
                let best_line = BestLine::new(search, self.options.line_moves);
                self.known.insert(position, Some(best_line));
            }
            // A position that the engine cannot search is not tried again.
            PoolEvent::Failed(failed) => {
                let (position, _) = &**failed;
                self.known.insert(position, None);
            }
            PoolEvent::PassedOver(position) => self.known.insert(position, None),
            // Later searches start fewer processes. Each process gives up once at most.
            PoolEvent::GaveUp => self.processes -= 1,
            PoolEvent::Ended(_) | PoolEvent::Nothing => {}
        }
    }

    /// The evaluation of a position by an earlier search; `None` if the position was not searched or has no evaluation.
    pub fn evaluation(&mut self, position: &Position) -> Option<PositionEvaluation> {
        let best_line = self.known.find(position)?.as_ref()?;
        let moves: Vec<String> = best_line.moves.iter().map(Move::to_string).collect();
        let depth = if best_line.depth > 0 {
            Some(best_line.depth)
        } else {
            None
        };
        Some(PositionEvaluation {
            score: best_line.score,
            depth,
            nodes: None,
            best_move: best_line.moves.first().copied(),
            line: moves.join(" "),
            kind: EvaluationKind::Engine.as_str().to_owned(),
            source: self.summary.engine.clone(),
        })
    }

    /// The totals of all searches.
    pub fn finish(self) -> AnalyzerSummary {
        self.summary
    }
}

fn key(position: &Position) -> PositionKey {
    PositionKey::new(position, Variant::Standard)
}

/// The best line of a search.
#[derive(Clone, Debug)]
struct BestLine {
    score: Evaluation,
    depth: u8,
    /// The best move and the moves that follow it.
    moves: Box<[Move]>,
}

impl BestLine {
    fn new(search: &Search, line_moves: usize) -> BestLine {
        let best = search.best();
        // The best move is kept even if `line_moves` is 0.
        let max_moves = line_moves.max(1);
        // Some engines give a score without a line.
        let moves: Box<[Move]> = if best.moves.is_empty() {
            Box::new([search.best_move])
        } else {
            best.moves.iter().copied().take(max_moves).collect()
        };
        BestLine {
            score: best.score,
            depth: u8::try_from(best.depth).unwrap_or(u8::MAX),
            moves,
        }
    }
}

/// The results of searches by position, in two generations. When the younger generation is full, the older one is
/// dropped. A position that is looked up moves into the younger generation, so the positions of openings remain.
///
/// [`Analyzer::search`] drops a generation only before it searches, so after a call all its positions are known.
#[derive(Debug)]
struct KnownPositions {
    young: HashMap<PositionKey, KnownPosition>,
    old: HashMap<PositionKey, KnownPosition>,
    /// The size at which a generation is full.
    max_positions: usize,
}

#[derive(Debug)]
struct KnownPosition {
    /// Distinguishes positions with equal keys.
    check_key: u16,
    /// `None` for a position that the engine could not search.
    best_line: Option<BestLine>,
}

impl KnownPositions {
    fn new(max_positions: usize) -> KnownPositions {
        KnownPositions {
            young: HashMap::new(),
            old: HashMap::new(),
            max_positions,
        }
    }

    /// Drops the older generation if the younger one is full.
    fn make_room(&mut self) {
        if self.young.len() >= self.max_positions {
            self.old = std::mem::take(&mut self.young);
        }
    }

    /// The result of the search of a position; `None` if it was not searched.
    fn find(&mut self, position: &Position) -> Option<&Option<BestLine>> {
        let key = key(position);
        if let Some(known) = self.old.remove(&key) {
            self.young.insert(key, known);
        }

        let known = self.young.get(&key)?;
        if known.check_key == position.check_key() {
            Some(&known.best_line)
        } else {
            None
        }
    }

    fn insert(&mut self, position: &Position, best_line: Option<BestLine>) {
        let known = KnownPosition {
            check_key: position.check_key(),
            best_line,
        };
        self.young.insert(key(position), known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_up_stays() {
        let mut known = KnownPositions::new(10);
        let start = Position::start();
        known.insert(&start, None);

        let mut position = start.clone();
        for _ in 0..60 {
            let mv = position.legal_moves()[0];
            position.play(mv);
            known.make_room();
            known.insert(&position, None);

            assert!(known.find(&start).is_some());
            assert!(known.find(&position).is_some());
            assert!(known.young.len() <= 11 && known.old.len() <= 11);
        }
    }
}

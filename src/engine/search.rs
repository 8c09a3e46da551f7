//! Limits of a search, and what a search has found.

use std::time::Duration;

use super::failure::{EngineFailure, beginning};
use super::info::{Bound, Info, RawScore};
use crate::board::{Color, Move, Position};
use crate::notation::read_uci;
use crate::pgn::Evaluation;

/// When a search ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// After a depth in half-moves.
    Depth(u32),
    /// After a number of positions.
    Nodes(u64),
    /// After a time.
    Time(Duration),
}

impl SearchLimit {
    /// The command that begins the search.
    pub(super) fn command(self) -> String {
        match self {
            SearchLimit::Depth(depth) => format!("go depth {depth}"),
            SearchLimit::Nodes(nodes) => format!("go nodes {nodes}"),
            SearchLimit::Time(time) => format!("go movetime {}", time.as_millis()),
        }
    }

    /// The time that the limit itself asks for.
    pub(super) fn time(self) -> Duration {
        match self {
            SearchLimit::Time(time) => time,
            SearchLimit::Depth(_) | SearchLimit::Nodes(_) => Duration::ZERO,
        }
    }
}

/// A line of moves that an engine has found, and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLine {
    /// Its place among the lines, 1 for the best.
    pub rank: u32,
    /// The score; positive is good for White.
    pub score: Evaluation,
    /// What is known of the score, from White's side.
    pub bound: Bound,
    /// The depth of the search in half-moves.
    pub depth: u32,
    /// The depth of its longest lines, if it is told.
    pub selective_depth: Option<u32>,
    /// The number of positions searched so far, if it is told.
    pub nodes: Option<u64>,
    /// The time of the search so far, if it is told.
    pub time: Option<Duration>,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
}

impl SearchLine {
    /// The line of an `info` about a position; `None` if it has no score.
    ///
    /// # Errors
    /// When it cannot be true.
    pub(super) fn new(
        line: &str,
        info: &Info<'_>,
        position: &Position,
    ) -> Result<Option<SearchLine>, EngineFailure> {
        let Some(score) = info.score else { return Ok(None) };
        let moves = played(&info.moves, position)?;
        // A position that is asked for has a legal move, so nobody is mated in it.
        if score == RawScore::Mate(0) {
            return Err(EngineFailure::unreadable(line, "nobody is mated in this position"));
        }

        let is_white = position.turn() == Color::White;
        let sign = if is_white { 1 } else { -1 };
        let score = match score {
            RawScore::Centipawns(centipawns) => Evaluation::Centipawns(sign * centipawns),
            RawScore::Mate(moves) => Evaluation::Mate(sign * moves),
        };
        let bound = match info.bound {
            Bound::AtLeast if !is_white => Bound::AtMost,
            Bound::AtMost if !is_white => Bound::AtLeast,
            bound => bound,
        };
        Ok(Some(SearchLine {
            rank: info.rank.unwrap_or(1),
            score,
            bound,
            depth: info.depth.unwrap_or(0),
            selective_depth: info.selective_depth,
            nodes: info.nodes,
            time: info.milliseconds.map(Duration::from_millis),
            moves,
        }))
    }
}

/// The moves of a line, played one after the other.
fn played(texts: &[&str], position: &Position) -> Result<Vec<Move>, EngineFailure> {
    let mut reached = position.clone();
    let mut moves = Vec::with_capacity(texts.len());
    for text in texts {
        let mv = legal_move(text, &reached, position)?;
        reached.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The move of a text in a position that a search of another one has reached.
pub(super) fn legal_move(
    text: &str,
    reached: &Position,
    searched: &Position,
) -> Result<Move, EngineFailure> {
    read_uci(text, reached)
        .ok_or_else(|| EngineFailure::IllegalMove { text: beginning(text), fen: searched.fen() })
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The best lines with exact scores, each the last of its rank; there is at least one.
    pub lines: Vec<SearchLine>,
    /// The move that the engine would play.
    pub best_move: Move,
    /// The number of positions searched, if it was told.
    pub nodes: Option<u64>,
    /// Whether the search was stopped before its limit, because it took too long.
    pub is_cut_short: bool,
}

impl Search {
    /// The best line.
    pub fn best(&self) -> &SearchLine {
        &self.lines[0]
    }
}

/// Lines of a search, as they come.
#[derive(Debug)]
pub(super) struct Lines {
    /// The last exact line of each rank.
    exact: Vec<Option<SearchLine>>,
    nodes: Option<u64>,
}

impl Lines {
    /// No lines, of so many ranks.
    pub(super) fn new(ranks: u32) -> Lines {
        Lines { exact: vec![None; ranks.max(1) as usize], nodes: None }
    }

    /// Notes how many positions have been searched.
    pub(super) fn note_nodes(&mut self, nodes: Option<u64>) {
        self.nodes = self.nodes.max(nodes);
    }

    /// Keeps a line if its score is exact and its rank was asked for.
    pub(super) fn keep(&mut self, line: &SearchLine) {
        let place = (line.rank as usize).checked_sub(1);
        let slot = place.and_then(|place| self.exact.get_mut(place));
        if let Some(slot) = slot
            && line.bound == Bound::Exact
        {
            *slot = Some(line.clone());
        }
    }

    /// What was found; `None` without an exact score.
    pub(super) fn finish(self, best_move: Move, is_cut_short: bool) -> Option<Search> {
        // Later ranks may lack, where a position has fewer moves.
        let lines: Vec<SearchLine> = self.exact.into_iter().map_while(|line| line).collect();
        let is_found = !lines.is_empty();
        is_found.then_some(Search { lines, best_move, nodes: self.nodes, is_cut_short })
    }
}

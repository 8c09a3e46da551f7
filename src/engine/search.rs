//! Limits of a search, and its result: lines with scores from White's side.

use std::time::Duration;

use super::failure::{EngineFailure, beginning};
use super::info::{Bound, Info, RawScore};
use crate::board::{Color, Move, Position};
use crate::notation::read_uci;
use crate::pgn::Evaluation;

/// The limit at which a search ends by itself.
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
            SearchLimit::Time(time) => {
                let milliseconds = time.as_millis();
                format!("go movetime {milliseconds}")
            }
        }
    }

    /// The time of a search with this limit; zero if the limit is not a time.
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
    /// The place among the lines of a search, 1 for the best line.
    pub rank: u32,
    /// The score; positive is good for White.
    pub score: Evaluation,
    /// The relation of the real score to `score`, from White's side.
    pub bound: Bound,
    /// The depth of the search in half-moves.
    pub depth: u32,
    /// The depth of its longest lines, if the engine reports it.
    pub selective_depth: Option<u32>,
    /// The number of positions searched so far, if the engine reports it.
    pub nodes: Option<u64>,
    /// The time of the search so far, if the engine reports it.
    pub time: Option<Duration>,
    /// The moves, all of them legal.
    pub moves: Vec<Move>,
}

impl SearchLine {
    /// The search line of an `info` line about a position; `None` for an `info` line without a score.
    ///
    /// # Errors
    /// When a move is illegal, or a side is mated already.
    pub(super) fn new(
        line: &str,
        info: &Info<'_>,
        position: &Position,
    ) -> Result<Option<SearchLine>, EngineFailure> {
        let Some(score) = info.score else {
            return Ok(None);
        };
        let moves = play_moves(&info.moves, position)?;

        // A position that is searched has a legal move, so neither side is already mated.
        if score == RawScore::Mate(0) {
            let reason = "nobody is mated in this position";
            return Err(EngineFailure::unreadable(line, reason));
        }

        // Engines give scores from the side to move.
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

/// The moves of a line, each checked to be legal after the moves before it.
fn play_moves(texts: &[&str], position: &Position) -> Result<Vec<Move>, EngineFailure> {
    let mut reached = position.clone();
    let mut moves = Vec::with_capacity(texts.len());
    for text in texts {
        let mv = legal_move(text, &reached, position)?;
        reached.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The legal move that a text denotes in the position `reached`. `searched` is the position that the search began with,
/// for the message of a failure.
pub(super) fn legal_move(
    text: &str,
    reached: &Position,
    searched: &Position,
) -> Result<Move, EngineFailure> {
    match read_uci(text, reached) {
        Some(mv) => Ok(mv),
        None => Err(EngineFailure::IllegalMove {
            text: beginning(text),
            fen: searched.fen(),
        }),
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The best lines with exact scores: for each rank, the last line. There is at least one line.
    pub lines: Vec<SearchLine>,
    /// The move that the engine would play.
    pub best_move: Move,
    /// The number of positions searched, if the engine reported it.
    pub nodes: Option<u64>,
    /// `true` if the search was stopped before its limit, because it took too long.
    pub is_cut_short: bool,
}

impl Search {
    /// The best line.
    ///
    /// # Panics
    /// Without lines; an engine's search has at least one.
    pub fn best(&self) -> &SearchLine {
        &self.lines[0]
    }
}

/// The lines of a search in progress.
#[derive(Debug)]
pub(super) struct Lines {
    /// The last exact line of each rank.
    exact: Vec<Option<SearchLine>>,
    nodes: Option<u64>,
}

impl Lines {
    /// The lines of a search that begins: none, for each of `ranks` ranks.
    pub(super) fn new(ranks: u32) -> Lines {
        Lines {
            exact: vec![None; ranks.max(1) as usize],
            nodes: None,
        }
    }

    /// Notes the number of positions searched so far.
    pub(super) fn note_nodes(&mut self, nodes: Option<u64>) {
        self.nodes = self.nodes.max(nodes);
    }

    /// Keeps a line if its score is exact and its rank is at most the number of ranks.
    pub(super) fn keep(&mut self, line: &SearchLine) {
        if line.bound != Bound::Exact {
            return;
        }

        // Ranks count from 1.
        let index = (line.rank as usize).checked_sub(1);
        if let Some(index) = index
            && let Some(slot) = self.exact.get_mut(index)
        {
            *slot = Some(line.clone());
        }
    }

    /// The result of the search; `None` without an exact score.
    pub(super) fn finish(self, best_move: Move, is_cut_short: bool) -> Option<Search> {
        // The last ranks stay empty in a position with fewer moves.
        let lines: Vec<SearchLine> = self.exact.into_iter().map_while(|line| line).collect();
        if lines.is_empty() {
            return None;
        }

        Some(Search {
            lines,
            best_move,
            nodes: self.nodes,
            is_cut_short,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Words of lines, right and wrong ones.
    const WORDS: [&str; 24] = [
        "depth",
        "seldepth",
        "multipv",
        "score",
        "cp",
        "mate",
        "lowerbound",
        "upperbound",
        "nodes",
        "time",
        "pv",
        "string",
        "0",
        "1",
        "-3",
        "12",
        "4294967295",
        "-2147483648",
        "18446744073709551615",
        "e2e4",
        "c7c5",
        "e7e8q",
        "e1g1",
        "\u{fffd}",
    ];

    fn read(line: &str, position: &Position) -> Result<Option<SearchLine>, EngineFailure> {
        SearchLine::new(line, &Info::read(line)?, position)
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..24)) {
            let line = format!("info {}", words.join(" "));
            let position = Position::start();
            if let Ok(Some(found)) = read(&line, &position) {
                let mut reached = position.clone();
                for mv in found.moves {
                    prop_assert!(reached.is_legal(mv), "{line}");
                    reached.play(mv);
                }
                prop_assert_ne!(found.score, Evaluation::Mate(0));
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,200}") {
            let _ = read(&text, &Position::start());
        }
    }

    #[test]
    fn scores_and_bounds_are_turned_to_white() {
        let white = Position::start();
        let mut black = white.clone();
        black.play(read_uci("e2e4", &white).expect("a move"));

        let bound = "info depth 5 score cp 30 lowerbound";
        let mate = "info depth 5 score mate -2";
        for (line, position, score, bound) in [
            (bound, &white, Evaluation::Centipawns(30), Bound::AtLeast),
            (bound, &black, Evaluation::Centipawns(-30), Bound::AtMost),
            (mate, &white, Evaluation::Mate(-2), Bound::Exact),
            (mate, &black, Evaluation::Mate(2), Bound::Exact),
        ] {
            let found = read(line, position).expect("a line").expect("a score");
            assert_eq!((found.score, found.bound), (score, bound), "{line}");
        }
    }

    #[test]
    fn the_last_exact_line_of_each_rank_counts() {
        let position = Position::start();
        let mut lines = Lines::new(2);
        for line in [
            "info depth 1 multipv 1 score cp 10 pv e2e4",
            "info depth 1 multipv 2 score cp 5 pv d2d4",
            "info depth 2 multipv 1 score cp 20 pv d2d4",
            "info depth 3 multipv 1 score cp 90 lowerbound pv g1f3",
            "info depth 3 multipv 3 score cp 1 pv a2a3",
            "info depth 3 multipv 0 score cp 1 pv a2a3",
        ] {
            let found = read(line, &position).expect("a line").expect("a score");
            lines.keep(&found);
        }

        let best_move = read_uci("d2d4", &position).expect("a move");
        let search = lines.finish(best_move, false).expect("a score");

        let kept: Vec<(u32, Evaluation)> = search
            .lines
            .iter()
            .map(|line| (line.depth, line.score))
            .collect();
        assert_eq!(
            kept,
            [
                (2, Evaluation::Centipawns(20)),
                (1, Evaluation::Centipawns(5))
            ]
        );
    }
}

//! The tree of lines to show: the opponent's moves against all moves, or against the moves of a repertoire.

use std::collections::HashSet;

use super::games::OpponentGames;
use super::my_moves::MyMoves;
use super::others::{Others, OthersCount};
use super::score::LineScore;
use super::tree::{Edge, Node, PositionTree};
use crate::board::{Color, Move, Position};
use crate::error::Result;
use crate::game::Ply;
use crate::notation::san;
use crate::query::{Watch, move_with_code};
use crate::storage::{Database, PositionEvaluation, best_evaluation};

/// A move in the tree, with the next moves.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedMove {
    /// The number of half-moves up to and including the move.
    pub ply: Ply,
    /// The move in SAN.
    pub san: String,
    /// The move.
    pub played: Move,
    /// The position after it.
    pub after: Position,
    /// `true` for a move of the opponent.
    pub is_opponents: bool,
    /// The opponent's score in the games that played it here.
    pub score: LineScore,
    /// The count of others with the move; `None` for a move against the opponent.
    pub others: Option<OthersCount>,
    /// `true` if the repertoire has the position after the move; `None` without a repertoire.
    pub in_repertoire: Option<bool>,
    /// `true` if the position after the move is shown elsewhere, with the next moves.
    pub is_transposition: bool,
    /// The evaluation of the position after it, if the database knows it.
    pub evaluation: Option<PositionEvaluation>,
    /// The next moves, the most played first.
    pub next: Vec<PreparedMove>,
}

impl PreparedMove {
    /// The number of lines from this one on.
    pub fn count(&self) -> usize {
        1 + self.next.iter().map(PreparedMove::count).sum::<usize>()
    }

    /// Reads the evaluations of this move and of the next ones.
    pub(super) fn evaluate(&mut self, databases: &[&Database]) -> Result<()> {
        self.evaluation = best_evaluation(databases, &self.after)?;
        for next in &mut self.next {
            next.evaluate(databases)?;
        }
        Ok(())
    }
}

/// Limits of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) max_ply: u32,
    pub(super) min_games: u64,
}

/// Selects lines of a tree of positions.
pub(super) struct LineReader<'t, 'd> {
    pub(super) tree: &'t PositionTree,
    pub(super) games: &'t OpponentGames,
    pub(super) mine: Option<&'t MyMoves>,
    pub(super) color: Color,
    pub(super) limits: Limits,
    pub(super) others: &'t mut Others<'d>,
    pub(super) watch: &'t Watch<'t>,
    shown: HashSet<u32>,
}

impl<'t, 'd> LineReader<'t, 'd> {
    pub(super) fn new(
        tree: &'t PositionTree,
        games: &'t OpponentGames,
        mine: Option<&'t MyMoves>,
        color: Color,
        limits: Limits,
        others: &'t mut Others<'d>,
        watch: &'t Watch<'t>,
    ) -> LineReader<'t, 'd> {
        LineReader {
            tree,
            games,
            mine,
            color,
            limits,
            others,
            watch,
            shown: HashSet::new(),
        }
    }

    /// The lines from the start.
    pub(super) fn read(mut self) -> Result<Vec<PreparedMove>> {
        // The node 0 is the standard position, to which games may return.
        self.shown.insert(0);
        self.next_moves(0, &Position::start(), 0)
    }

    /// The moves shown in the position of node `at`, after `ply` half-moves.
    fn next_moves(&mut self, at: u32, position: &Position, ply: u32) -> Result<Vec<PreparedMove>> {
        self.watch.check()?;
        if ply >= self.limits.max_ply {
            return Ok(Vec::new());
        }

        // If several moves lead to one position, the most played move shows the next moves. So all moves of this
        // position are noted before the next moves of the first move.
        let tree = self.tree;
        let node = tree.get(at);
        let mut edges: Vec<(&Edge, bool)> = Vec::new();
        for edge in node.played() {
            if self.is_shown(node, edge) {
                let is_new = self.shown.insert(edge.to);
                edges.push((edge, is_new));
            }
        }

        let mut lines = Vec::with_capacity(edges.len());
        for (edge, is_new) in edges {
            let line = self.prepared_move(node, edge, position, ply + 1, is_new)?;
            lines.extend(line);
        }
        Ok(lines)
    }

    /// A move with the next moves. If the position after the move is shown elsewhere, `is_new` is `false`, and there
    /// are no next moves. `None` if the move is illegal.
    fn prepared_move(
        &mut self,
        node: &Node,
        edge: &Edge,
        position: &Position,
        ply: u32,
        is_new: bool,
    ) -> Result<Option<PreparedMove>> {
        let Some(played) = move_with_code(position, edge.code) else {
            return Ok(None);
        };

        let is_opponents = node.turn() != self.color;
        let others = if is_opponents {
            let moves = self.others.moves(position, node)?;
            Some(moves.count(edge.code))
        } else {
            None
        };

        let mut after = position.clone();
        after.play(played);
        let next = if is_new {
            self.next_moves(edge.to, &after, ply)?
        } else {
            Vec::new()
        };

        // If all games end in the position after the move, there are no next moves that could be shown elsewhere.
        let to = self.tree.get(edge.to);
        let is_transposition = !is_new && !to.moves.is_empty();
        Ok(Some(PreparedMove {
            ply: Ply::new(ply),
            san: san(position, played),
            played,
            after,
            is_opponents,
            score: LineScore::count(self.games, &edge.games),
            others,
            in_repertoire: self.mine.map(|mine| mine.contains(to.identity)),
            is_transposition,
            evaluation: None,
            next,
        }))
    }

    /// `true` if a move has enough games. With a repertoire, the move must also be a move of the repertoire or a reply
    /// to one.
    fn is_shown(&self, node: &Node, edge: &Edge) -> bool {
        if (edge.games.len() as u64) < self.limits.min_games {
            return false;
        }
        let Some(mine) = self.mine else {
            return true;
        };

        let is_my_turn = node.turn() == self.color;
        if is_my_turn {
            mine.has_move(node.identity, edge.code)
        } else {
            mine.contains(node.identity)
        }
    }
}

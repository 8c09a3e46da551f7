//! Advice without an engine: the lines in which the opponent scores worst, and the usual moves that the opponent avoids.

use std::collections::HashSet;

use super::games::OpponentGames;
use super::my_moves::MyMoves;
use super::others::Others;
use super::score::LineScore;
use super::tree::PositionTree;
use crate::board::{Color, Position};
use crate::storage::PositionEvaluation;

/// The fewest finished games of a weak line.
pub(super) const WEAK_GAMES: u64 = 5;
/// The most lines of each list.
const MOST_LINES: usize = 8;
/// A move is usual from this share of others' games on, in per cent, in positions of this number of them.
const USUAL_PER_CENT: u64 = 20;
const USUAL_GAMES: u64 = 20;
/// It is avoided below this share of the opponent's games, in per cent, in positions of this number of them.
const AVOIDED_PER_CENT: u64 = 5;
const AVOIDED_GAMES: u64 = 10;

/// A line in which the opponent scores badly, up to the move after which the opponent is to move.
#[derive(Clone, Debug, PartialEq)]
pub struct WeakLine {
    /// The moves from the start, in the order that most games took.
    pub line: Vec<String>,
    /// The position.
    pub position: Position,
    /// The opponent's score in all games with the position.
    pub score: LineScore,
    /// The evaluation of the position, if the database knows it.
    pub evaluation: Option<PositionEvaluation>,
}

/// A move that others play often and the opponent hardly ever.
#[derive(Clone, Debug, PartialEq)]
pub struct AvoidedMove {
    /// The moves from the start to the position, in the order that most games took.
    pub line: Vec<String>,
    /// The position before the move.
    pub position: Position,
    /// The move in SAN.
    pub san: String,
    /// The opponent's games with the move.
    pub games: u64,
    /// The opponent's games with a move in the position.
    pub of: u64,
    /// The games of others with the move.
    pub others: u64,
    /// The games of others with a move in the position.
    pub others_of: u64,
}

/// The lines with the lowest upper bound of the opponent's score, those with the fewest half-moves first of equals.
/// Lines are left out that have no lower score than all games, or share more than half of their games with one before
/// them.
pub(super) fn weak_lines(
    tree: &PositionTree,
    games: &OpponentGames,
    mine: Option<&MyMoves>,
    color: Color,
    max_ply: u32,
) -> Vec<WeakLine> {
    let all = LineScore::of(games, &games.places())
        .score
        .per_cent()
        .unwrap_or_default();
    let mut found: Vec<(f64, u32, u32, LineScore)> = Vec::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        let is_reached = (1..=max_ply).contains(&node.ply) && node.turn() != color;
        let is_long_enough = node.games.len() as u64 >= WEAK_GAMES;
        if !is_reached || !is_long_enough || mine.is_some_and(|mine| !mine.has(node.identity)) {
            continue;
        }
        let score = LineScore::of(games, &node.games);
        let (Some((_, upper)), Some(per_cent)) = (score.interval(), score.score.per_cent()) else {
            continue;
        };
        if score.score.finished() >= WEAK_GAMES && per_cent < all {
            found.push((upper, node.ply, number, score));
        }
    }
    found.sort_by(|one, other| {
        one.0
            .total_cmp(&other.0)
            .then(one.1.cmp(&other.1))
            .then(one.2.cmp(&other.2))
    });
    let mut listed: HashSet<u32> = HashSet::new();
    let mut lines = Vec::new();
    for (_, _, number, score) in found {
        let places = &tree.get(number).games;
        let known = places.iter().filter(|place| listed.contains(place)).count();
        if 2 * known > places.len() {
            continue;
        }
        listed.extend(places);
        let (line, position) = tree.line_to(number);
        lines.push(WeakLine {
            line,
            position,
            score,
            evaluation: None,
        });
        if lines.len() == MOST_LINES {
            break;
        }
    }
    lines
}

/// The avoided moves among the positions looked up, those missed most often first.
pub(super) fn avoided_moves(tree: &PositionTree, others: &Others<'_>) -> Vec<AvoidedMove> {
    let mut found: Vec<(u64, u32, u16, AvoidedMove)> = Vec::new();
    for (identity, moves) in others.known() {
        let Some(number) = tree.find(identity) else {
            continue;
        };
        let node = tree.get(number);
        let of: u64 = node.moves.iter().map(|edge| edge.games.len() as u64).sum();
        let others_of = moves.all();
        if of < AVOIDED_GAMES || others_of < USUAL_GAMES {
            continue;
        }
        for &(code, ref san, others) in &moves.0 {
            let edge = node.moves.iter().find(|edge| edge.code == code);
            let games = edge.map_or(0, |edge| edge.games.len() as u64);
            let is_usual = others * 100 >= USUAL_PER_CENT * others_of;
            if !is_usual || games * 100 >= AVOIDED_PER_CENT * of {
                continue;
            }
            let (line, position) = tree.line_to(number);
            let san = san.clone();
            let missed = (of * others / others_of).saturating_sub(games);
            let avoided = AvoidedMove {
                line,
                position,
                san,
                games,
                of,
                others,
                others_of,
            };
            found.push((missed, number, code, avoided));
        }
    }
    found.sort_by_key(|(missed, number, code, _)| (std::cmp::Reverse(*missed), *number, *code));
    found
        .into_iter()
        .take(MOST_LINES)
        .map(|(.., avoided)| avoided)
        .collect()
}

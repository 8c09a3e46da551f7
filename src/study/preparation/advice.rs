//! Advice without an engine: the lines in which the opponent scores worst, and the usual moves that the opponent avoids.

use std::collections::HashSet;

use super::games::OpponentGames;
use super::my_moves::MyMoves;
use super::others::Others;
use super::score::LineScore;
use super::tree::PositionTree;
use crate::board::{Color, Position};
use crate::storage::PositionEvaluation;

/// The minimum number of finished games of a weak line.
const MIN_WEAK_GAMES: u64 = 5;
/// The maximum number of rows of each list.
const MAX_ROWS: usize = 8;
/// A move is common from this share of others' games on, in per cent.
const COMMON_PER_CENT: u64 = 20;
/// The minimum number of others' games of a position with common moves.
const MIN_COMMON_GAMES: u64 = 20;
/// A common move is avoided below this share of the opponent's games, in per cent.
const AVOIDED_PER_CENT: u64 = 5;
/// The minimum number of the opponent's games of a position with avoided moves.
const MIN_AVOIDED_GAMES: u64 = 10;

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
    let score_of_all = LineScore::of(games, &games.places()).score;
    let per_cent_of_all = score_of_all.per_cent().unwrap_or_default();

    let mut candidates: Vec<(f64, u32, u32, LineScore)> = Vec::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        let is_opponents_turn = node.turn() != color;
        let is_within_lines = (1..=max_ply).contains(&node.ply);
        let has_games = node.games.len() as u64 >= MIN_WEAK_GAMES;
        let is_left_out = mine.is_some_and(|mine| !mine.has(node.identity));
        if !is_opponents_turn || !is_within_lines || !has_games || is_left_out {
            continue;
        }

        let score = LineScore::of(games, &node.games);
        let (Some((_, upper)), Some(per_cent)) = (score.interval(), score.score.per_cent()) else {
            continue;
        };
        if score.score.finished() >= MIN_WEAK_GAMES && per_cent < per_cent_of_all {
            candidates.push((upper, node.ply, number, score));
        }
    }
    candidates.sort_by(|one, other| {
        let by_bound = one.0.total_cmp(&other.0);
        by_bound.then_with(|| (one.1, one.2).cmp(&(other.1, other.2)))
    });

    // The next moves of a weak line have nearly the same games: listed too, they would fill the list with one line.
    let mut listed_games: HashSet<u32> = HashSet::new();
    let mut lines = Vec::new();
    for (_, _, number, score) in candidates {
        let places = &tree.get(number).games;
        let is_listed = |place: &&u32| listed_games.contains(place);
        let listed = places.iter().filter(is_listed).count();
        if 2 * listed > places.len() {
            continue;
        }
        listed_games.extend(places);

        let (line, position) = tree.line_to(number);
        lines.push(WeakLine {
            line,
            position,
            score,
            evaluation: None,
        });
        if lines.len() == MAX_ROWS {
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
        if of < MIN_AVOIDED_GAMES || others_of < MIN_COMMON_GAMES {
            continue;
        }

        for &(code, ref san, others) in &moves.0 {
            let edge = node.moves.iter().find(|edge| edge.code == code);
            let games = edge.map_or(0, |edge| edge.games.len() as u64);
            let is_common = others * 100 >= COMMON_PER_CENT * others_of;
            let is_avoided = games * 100 < AVOIDED_PER_CENT * of;
            if !is_common || !is_avoided {
                continue;
            }

            let expected = of * others / others_of;
            let missed = expected.saturating_sub(games);
            let (line, position) = tree.line_to(number);
            let avoided = AvoidedMove {
                line,
                position,
                san: san.clone(),
                games,
                of,
                others,
                others_of,
            };
            found.push((missed, number, code, avoided));
        }
    }

    // The positions come out of a hash table: numbers and codes of moves give them an order.
    found.sort_by_key(|(missed, number, code, _)| (std::cmp::Reverse(*missed), *number, *code));
    found.truncate(MAX_ROWS);
    found.into_iter().map(|(.., avoided)| avoided).collect()
}

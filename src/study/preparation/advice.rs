//! Advice without an engine: the lines in which the opponent scores worst, and the usual moves that the opponent
//! avoids.

use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;

use super::games::OpponentGames;
use super::my_moves::MyMoves;
use super::others::{OtherMoves, Others};
use super::score::LineScore;
use super::tree::PositionTree;
use crate::board::{Color, Position};
use crate::storage::PositionEvaluation;

/// The minimum number of finished games of a weak line.
pub(super) const MIN_WEAK_GAMES: u64 = 5;
/// The maximum number of rows of each list.
const MAX_ROWS: usize = 8;
/// A move is common from this share of others' games on, in per cent.
pub(super) const COMMON_PER_CENT: u64 = 20;
/// The minimum number of others' games of a position with common moves.
const MIN_COMMON_GAMES: u64 = 20;
/// A common move is avoided below this share of the opponent's games, in per cent.
pub(super) const AVOIDED_PER_CENT: u64 = 5;
/// The minimum number of the opponent's games of a position with avoided moves.
const MIN_AVOIDED_GAMES: u64 = 10;

/// A line in which the opponent scores badly. Its last move is a move against the opponent, who is to move behind it.
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
    pub all_games: u64,
    /// The games of others with the move.
    pub others: u64,
    /// The games of others with a move in the position.
    pub all_others: u64,
}

/// A position that may be listed as the end of a weak line.
struct WeakCandidate {
    /// The upper bound of the opponent's score.
    upper_bound: f64,
    ply: u32,
    /// The number of the position in the tree.
    node: u32,
    score: LineScore,
}

impl WeakCandidate {
    /// The order of the list: the lowest bound first, and for equal bounds the fewest half-moves first.
    fn compare(&self, other: &WeakCandidate) -> Ordering {
        let by_bound = self.upper_bound.total_cmp(&other.upper_bound);
        let by_ply = self.ply.cmp(&other.ply);
        let by_node = self.node.cmp(&other.node);
        by_bound.then(by_ply).then(by_node)
    }
}

/// The lines with the lowest upper bounds of the opponent's score, the lowest bound first, and for equal bounds the
/// fewest half-moves first. A line is left out if the opponent scores no worse in it than in all games, or if it shares
/// more than half of its games with listed lines.
pub(super) fn weak_lines(
    tree: &PositionTree,
    games: &OpponentGames,
    mine: Option<&MyMoves>,
    color: Color,
    max_ply: u32,
) -> Vec<WeakLine> {
    let mut candidates = weak_candidates(tree, games, mine, color, max_ply);
    candidates.sort_by(WeakCandidate::compare);

    // A weak line shares nearly all of its games with its continuations. Without this check, the list would have the
    // continuations of one line.
    let mut listed_games: HashSet<u32> = HashSet::new();
    let mut lines = Vec::new();
    for candidate in candidates {
        let places = &tree.get(candidate.node).games;
        let is_listed = |place: &&u32| listed_games.contains(place);
        let listed = places.iter().filter(is_listed).count();
        if 2 * listed > places.len() {
            continue;
        }
        listed_games.extend(places);

        let (line, position) = tree.line_to(candidate.node);
        lines.push(WeakLine {
            line,
            position,
            score: candidate.score,
            evaluation: None,
        });
        if lines.len() == MAX_ROWS {
            break;
        }
    }
    lines
}

/// The positions in which the opponent scores worse than in all games.
fn weak_candidates(
    tree: &PositionTree,
    games: &OpponentGames,
    mine: Option<&MyMoves>,
    color: Color,
    max_ply: u32,
) -> Vec<WeakCandidate> {
    let score_of_all = LineScore::count(games, &games.places()).score;
    let per_cent_of_all = score_of_all.per_cent().unwrap_or_default();

    let mut candidates = Vec::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        // The last move of a weak line is a move to choose against the opponent, so the opponent is to move behind it.
        let is_opponents_turn = node.turn() != color;
        let is_within_lines = (1..=max_ply).contains(&node.ply);
        let has_games = node.games.len() as u64 >= MIN_WEAK_GAMES;
        let is_in_repertoire = mine.is_none_or(|mine| mine.contains(node.identity));
        if !is_opponents_turn || !is_within_lines || !has_games || !is_in_repertoire {
            continue;
        }

        let score = LineScore::count(games, &node.games);
        let (Some((_, upper_bound)), Some(per_cent)) = (score.interval(), score.score.per_cent())
        else {
            continue;
        };
        if score.score.finished() >= MIN_WEAK_GAMES && per_cent < per_cent_of_all {
            candidates.push(WeakCandidate {
                upper_bound,
                ply: node.ply,
                node: number,
                score,
            });
        }
    }
    candidates
}

/// A move that may be listed as avoided.
struct AvoidedCandidate<'o> {
    /// The number of the position in the tree.
    node: u32,
    code: u16,
    san: &'o str,
    /// The opponent's games with the move, and with a move in the position.
    games: u64,
    all_games: u64,
    /// The games of others with the move, and with a move in the position.
    others: u64,
    all_others: u64,
}

impl AvoidedCandidate<'_> {
    /// `true` if others play the move often and the opponent hardly ever.
    fn is_avoided(&self) -> bool {
        let is_common = self.others * 100 >= COMMON_PER_CENT * self.all_others;
        let is_rare = self.games * 100 < AVOIDED_PER_CENT * self.all_games;
        is_common && is_rare
    }

    /// The number of games that the opponent would have with the share of others, beyond the games with the move. For
    /// each candidate, others have games in the position.
    fn missed_games(&self) -> u64 {
        let expected = self.all_games * self.others / self.all_others;
        expected.saturating_sub(self.games)
    }
}

/// The avoided moves among the positions looked up, the move with the most missed games first.
pub(super) fn avoided_moves(tree: &PositionTree, others: &Others<'_>) -> Vec<AvoidedMove> {
    let mut candidates = Vec::new();
    for (identity, moves) in others.looked_up() {
        if let Some(number) = tree.find(identity) {
            add_avoided(tree, number, moves, &mut candidates);
        }
    }

    // The positions come out of a hash table in any order, so equal candidates are ordered by position and move.
    candidates.sort_by_key(|candidate| {
        (
            Reverse(candidate.missed_games()),
            candidate.node,
            candidate.code,
        )
    });
    candidates.truncate(MAX_ROWS);

    let mut listed = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let (line, position) = tree.line_to(candidate.node);
        listed.push(AvoidedMove {
            line,
            position,
            san: candidate.san.to_owned(),
            games: candidate.games,
            all_games: candidate.all_games,
            others: candidate.others,
            all_others: candidate.all_others,
        });
    }
    listed
}

/// Adds the avoided moves of a position; `moves` are the moves of others in the position.
fn add_avoided<'o>(
    tree: &PositionTree,
    number: u32,
    moves: &'o OtherMoves,
    candidates: &mut Vec<AvoidedCandidate<'o>>,
) {
    let node = tree.get(number);
    let all_games: u64 = node.moves.iter().map(|edge| edge.games.len() as u64).sum();
    let all_others = moves.all_games();
    if all_games < MIN_AVOIDED_GAMES || all_others < MIN_COMMON_GAMES {
        return;
    }

    for other in &moves.0 {
        let edge = node.moves.iter().find(|edge| edge.code == other.code);
        let games = edge.map_or(0, |edge| edge.games.len() as u64);
        let candidate = AvoidedCandidate {
            node: number,
            code: other.code,
            san: &other.san,
            games,
            all_games,
            others: other.games,
            all_others,
        };
        if candidate.is_avoided() {
            candidates.push(candidate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AvoidedCandidate;

    macro_rules! avoided {
        ($($name:ident: $games:expr, of $all:expr, $others:expr, of $all_others:expr => $avoided:expr;)*) => {$(
            #[test]
            fn $name() {
                let candidate = AvoidedCandidate {
                    node: 0,
                    code: 0,
                    san: "e4",
                    games: $games,
                    all_games: $all,
                    others: $others,
                    all_others: $all_others,
                };
                assert_eq!(candidate.is_avoided(), $avoided);
            }
        )*};
    }

    // The opponent's games with the move and with any move, and the same of others.
    avoided! {
        never_played: 0, of 20, 20, of 100 => true;
        hardly_ever_played: 1, of 21, 20, of 100 => true;
        played_in_five_per_cent: 1, of 20, 20, of 100 => false;
        not_common: 0, of 20, 19, of 100 => false;
    }

    #[test]
    fn missed_games_are_the_share_of_others() {
        let candidate = |games| AvoidedCandidate {
            node: 0,
            code: 0,
            san: "e4",
            games,
            all_games: 50,
            others: 20,
            all_others: 100,
        };
        assert_eq!(candidate(0).missed_games(), 10);
        assert_eq!(candidate(2).missed_games(), 8);
        assert_eq!(candidate(12).missed_games(), 0);
    }
}

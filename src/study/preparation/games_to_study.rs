//! The games to look at first, chosen by points.

use super::games::{OpponentGame, OpponentGames};
use super::my_moves::MyMoves;
use super::tree::{Node, PositionTree};
use crate::query::GameOfDatabase;
use crate::study::novelty::NoveltyOfDatabase;

/// The points of a recent game.
pub(super) const RECENT_POINTS: u64 = 4;
/// The points of a loss of the opponent.
pub(super) const LOST_POINTS: u64 = 3;
/// The points of a draw of the opponent.
pub(super) const DRAWN_POINTS: u64 = 1;
/// The half-moves in known lines for which a game has a point.
pub(super) const PLIES_OF_POINT: u32 = 4;
/// The maximum points for half-moves in known lines.
pub(super) const MAX_LINE_POINTS: u64 = 4;
/// The Elo points above the mean opposition for which a game has a point.
pub(super) const ELO_OF_POINT: u64 = 50;
/// The maximum points for the opposition.
pub(super) const MAX_ELO_POINTS: u64 = 3;
/// The minimum number of half-moves of a game to look at.
const MIN_PLIES: u64 = 20;

/// A game to look at, with the reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct GameToStudy {
    /// The game.
    pub game: GameOfDatabase,
    /// The points by which the game was chosen.
    pub points: u64,
    /// The reasons for the points.
    pub reasons: Vec<StudyReason>,
    /// The half-moves up to the last position of the repertoire or, without a repertoire, of the tree's lines.
    pub known_plies: u32,
    /// The novelty of the game; `None` without a novelty.
    pub novelty: Option<NoveltyOfDatabase>,
}

/// A reason to look at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyReason {
    /// The game is recent.
    Recent,
    /// The opponent lost the game.
    Lost,
    /// The opponent drew the game.
    Drawn,
    /// The game follows known lines for this number of half-moves: lines of the repertoire or, without a repertoire,
    /// lines of enough games.
    Line(u32),
    /// The opposition's Elo, which is well above the mean.
    Opposition(u16),
}

/// The number of half-moves of each game up to its last known position: a position of the repertoire or, without a
/// repertoire, of enough games.
pub(super) fn known_plies(
    tree: &PositionTree,
    games: &OpponentGames,
    mine: Option<&MyMoves>,
    min_games: u64,
) -> Vec<u32> {
    let is_known = |node: &Node| match mine {
        Some(mine) => mine.contains(node.identity),
        None => node.games.len() as u64 >= min_games,
    };
    // Positions of the opening are in many games: each is looked up once.
    let are_known: Vec<bool> = tree.nodes.iter().map(is_known).collect();

    let mut known_plies = Vec::with_capacity(games.list.len());
    for place in games.places() {
        let path = tree.path_of(place);
        let last_known = path.iter().rposition(|&node| are_known[node as usize]);
        known_plies.push(last_known.unwrap_or(0) as u32);
    }
    known_plies
}

/// The games with the most points. For equal points, the later game comes first.
pub(super) fn games_to_study(
    games: &OpponentGames,
    known_plies: &[u32],
    max_games: usize,
) -> Vec<GameToStudy> {
    let mean_elo = mean_opposition(games);

    let mut candidates = Vec::with_capacity(games.list.len());
    for (game, &plies) in games.list.iter().zip(known_plies) {
        if game.plies < MIN_PLIES {
            continue;
        }

        let reasons = reasons(games, game, plies, mean_elo);
        let points = reasons.iter().map(|reason| reason.points(mean_elo)).sum();
        candidates.push(GameToStudy {
            game: game.game,
            points,
            reasons,
            known_plies: plies,
            novelty: None,
        });
    }

    // Games are in the order of dates. The sort is stable, so of games with equal points the latest game comes first.
    candidates.reverse();
    candidates.sort_by_key(|game| std::cmp::Reverse(game.points));
    candidates.truncate(max_games);
    candidates
}

/// The mean Elo of the opposition in all games, rounded down; `None` if no game has one.
fn mean_opposition(games: &OpponentGames) -> Option<u64> {
    let mut count: u64 = 0;
    let mut sum: u64 = 0;
    for elo in games.list.iter().filter_map(|game| game.side.opponent_elo) {
        count += 1;
        sum += u64::from(elo.get());
    }
    sum.checked_div(count)
}

/// The reasons to look at a game, all of which have points.
fn reasons(
    games: &OpponentGames,
    game: &OpponentGame,
    plies: u32,
    mean_elo: Option<u64>,
) -> Vec<StudyReason> {
    let mut reasons = Vec::new();
    if games.is_recent(game) {
        reasons.push(StudyReason::Recent);
    }
    match game.side.half_points() {
        Some(0) => reasons.push(StudyReason::Lost),
        Some(1) => reasons.push(StudyReason::Drawn),
        _ => {}
    }
    reasons.push(StudyReason::Line(plies));
    if let Some(elo) = game.side.opponent_elo {
        reasons.push(StudyReason::Opposition(elo.get()));
    }

    reasons.retain(|reason| reason.points(mean_elo) > 0);
    reasons
}

impl StudyReason {
    /// The points of the reason; `mean_elo` is the mean Elo of the opposition in all games.
    fn points(self, mean_elo: Option<u64>) -> u64 {
        match self {
            StudyReason::Recent => RECENT_POINTS,
            StudyReason::Lost => LOST_POINTS,
            StudyReason::Drawn => DRAWN_POINTS,
            StudyReason::Line(plies) => u64::from(plies / PLIES_OF_POINT).min(MAX_LINE_POINTS),
            StudyReason::Opposition(elo) => {
                let above = mean_elo.map_or(0, |mean| u64::from(elo).saturating_sub(mean));
                (above / ELO_OF_POINT).min(MAX_ELO_POINTS)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StudyReason;

    macro_rules! points {
        ($($name:ident: $reason:expr, $mean_elo:expr => $points:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!($reason.points($mean_elo), $points);
            }
        )*};
    }

    // A reason, and the mean Elo of the opposition.
    points! {
        recent: StudyReason::Recent, None => 4;
        lost: StudyReason::Lost, None => 3;
        drawn: StudyReason::Drawn, None => 1;
        a_short_line: StudyReason::Line(3), None => 0;
        a_line: StudyReason::Line(15), None => 3;
        a_long_line: StudyReason::Line(60), None => 4;
        opposition_near_the_mean: StudyReason::Opposition(2449), Some(2400) => 0;
        opposition_above_the_mean: StudyReason::Opposition(2500), Some(2400) => 2;
        strong_opposition: StudyReason::Opposition(2800), Some(2400) => 3;
        weak_opposition: StudyReason::Opposition(2000), Some(2400) => 0;
        opposition_without_a_mean: StudyReason::Opposition(2800), None => 0;
    }
}

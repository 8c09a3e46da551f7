//! The games to look at first, chosen by points.

use super::games::{OpponentGame, OpponentGames};
use super::my_moves::MyMoves;
use super::tree::{Node, PositionTree};
use crate::query::GameOfDatabase;
use crate::study::novelty::NoveltyOfDatabase;

/// Points for a recent game, for a loss and a draw of the opponent.
const RECENT_POINTS: u64 = 4;
const LOST_POINTS: u64 = 3;
const DRAWN_POINTS: u64 = 1;
/// A point for this number of half-moves in known lines, up to the most.
const PLIES_OF_POINT: u32 = 4;
const MOST_LINE_POINTS: u64 = 4;
/// A point for this number of Elo points above the mean opposition, up to the most.
const ELO_OF_POINT: u64 = 50;
const MOST_ELO_POINTS: u64 = 3;
/// Shorter games are left out.
const FEWEST_PLIES: u64 = 20;

/// A game to look at, with the reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct GameToStudy {
    /// The game.
    pub game: GameOfDatabase,
    /// Its points, by which the games are chosen.
    pub points: u64,
    /// What it has points for.
    pub reasons: Vec<StudyReason>,
    /// The half-moves up to the last position of the repertoire or, without one, of the tree's lines.
    pub known_plies: u32,
    /// Its novelty, if it has one.
    pub novelty: Option<NoveltyOfDatabase>,
}

/// A reason to look at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyReason {
    /// It is recent.
    Recent,
    /// The opponent lost it.
    Lost,
    /// The opponent drew it.
    Drawn,
    /// It follows known lines: those of the repertoire or, without one, those of enough games, for some half-moves.
    Line(u32),
    /// The opposition has this Elo, well above the mean.
    Opposition(u16),
}

/// How far each game follows the repertoire or, without one, lines of enough games: the half-moves up to the last such
/// position.
pub(super) fn known_plies(
    tree: &PositionTree,
    games: &OpponentGames,
    mine: Option<&MyMoves>,
    min_games: u64,
) -> Vec<u32> {
    let is_known = |node: &Node| match mine {
        Some(mine) => mine.has(node.identity),
        None => node.games.len() as u64 >= min_games,
    };
    let is_known: Vec<bool> = tree.nodes.iter().map(is_known).collect();
    let plies = |place| {
        let path = tree.path_of(place);
        path.iter()
            .rposition(|&node| is_known[node as usize])
            .unwrap_or(0) as u32
    };
    (0..games.list.len() as u32).map(plies).collect()
}

/// The games with the most points; of equal ones the later first.
pub(super) fn games_to_study(
    games: &OpponentGames,
    known_plies: &[u32],
    most: usize,
) -> Vec<GameToStudy> {
    let (count, sum) = games
        .list
        .iter()
        .filter_map(|game| game.side.opponent_elo)
        .fold((0, 0), |(count, sum), elo| {
            (count + 1, sum + u64::from(elo.get()))
        });
    let mean_elo = (count > 0).then(|| sum / count);
    let candidates = games.list.iter().zip(known_plies);
    let candidates = candidates.filter(|(game, _)| game.plies >= FEWEST_PLIES);
    let mut found: Vec<GameToStudy> = candidates
        .map(|(game, &plies)| {
            let reasons = reasons(games, game, plies, mean_elo);
            let points = reasons.iter().map(|reason| reason.points(mean_elo)).sum();
            GameToStudy {
                game: game.game,
                points,
                reasons,
                known_plies: plies,
                novelty: None,
            }
        })
        .collect();
    // The sort is stable: the latest game comes first.
    found.reverse();
    found.sort_by_key(|game| std::cmp::Reverse(game.points));
    found.truncate(most);
    found
}

fn reasons(
    games: &OpponentGames,
    game: &OpponentGame,
    plies: u32,
    mean_elo: Option<u64>,
) -> Vec<StudyReason> {
    let result = match game.side.half_points() {
        Some(0) => Some(StudyReason::Lost),
        Some(1) => Some(StudyReason::Drawn),
        _ => None,
    };
    let opposition = game
        .side
        .opponent_elo
        .map(|elo| StudyReason::Opposition(elo.get()));
    let recent = games.is_recent(game).then_some(StudyReason::Recent);
    let reasons = [recent, result, Some(StudyReason::Line(plies)), opposition];
    let reasons = reasons.into_iter().flatten();
    reasons
        .filter(|reason| reason.points(mean_elo) > 0)
        .collect()
}

impl StudyReason {
    /// Its points, where the opposition of all games has a mean Elo.
    fn points(self, mean_elo: Option<u64>) -> u64 {
        match self {
            StudyReason::Recent => RECENT_POINTS,
            StudyReason::Lost => LOST_POINTS,
            StudyReason::Drawn => DRAWN_POINTS,
            StudyReason::Line(plies) => u64::from(plies / PLIES_OF_POINT).min(MOST_LINE_POINTS),
            StudyReason::Opposition(elo) => {
                let above = mean_elo.map_or(0, |mean| u64::from(elo).saturating_sub(mean));
                (above / ELO_OF_POINT).min(MOST_ELO_POINTS)
            }
        }
    }
}

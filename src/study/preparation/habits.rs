//! The opponent's habits: openings and their trend, changed choices of moves, lengths of games, results by speed and by
//! opposition.

use std::collections::BTreeMap;

use super::games::{OpponentGame, OpponentGames};
use super::score::LineScore;
use super::tree::PositionTree;
use crate::board::{Color, Position};
use crate::columns::Speed;
use crate::notation::san;
use crate::query::move_with_code;
use crate::query::player::{PlayerScore, family_of};

/// The number of half-moves after which changes are no longer looked for.
const MAX_CHANGE_PLIES: u32 = 12;
/// The minimum number of games of each of the two periods of a change.
const MIN_CHANGE_GAMES: usize = 5;
/// The minimum growth of a move's share, in percentage points.
const MIN_CHANGE_POINTS: usize = 25;
/// The maximum number of listed changes.
const MAX_CHANGES: usize = 8;
/// The maximum number of listed openings.
const MAX_OPENINGS: usize = 10;
/// The width of a band of ratings.
pub(super) const BAND_ELO: u16 = 200;
/// The maximum number of half-moves of a short draw.
pub(super) const MAX_SHORT_DRAW_PLIES: u64 = 50;

/// The opponent's habits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Habits {
    /// The families of openings with the colour that is prepared against, the most played first.
    pub openings: Vec<OpeningHabit>,
    /// The families of openings with the other colour, the most played first.
    pub other_openings: Vec<OpeningHabit>,
    /// Moves that have lately replaced other moves, the move with the most recent games in its position first.
    pub changes: Vec<ChangedHabit>,
    /// The lengths of games.
    pub lengths: GameLengths,
    /// The results by speed, of the games whose speed is known.
    pub speeds: Vec<(Speed, PlayerScore)>,
    /// The results by the opposition's Elo: the lower bound of each band of 200, the highest first.
    pub opposition: Vec<(u16, PlayerScore)>,
}

/// An opening that the opponent plays.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningHabit {
    /// The first part of the opening's name, before the colon.
    pub name: String,
    /// The opponent's score.
    pub score: LineScore,
    /// The games with the opening in the earlier and in the later half of all games that have a date and an opening.
    pub halves: [u64; 2],
    /// The number of all games in these halves.
    pub all_halves: [u64; 2],
}

/// A move that the opponent plays now where the opponent played another move before.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedHabit {
    /// The moves from the start to the position.
    pub line: Vec<String>,
    /// The most played move before the recent years.
    pub before: HabitualMove,
    /// The most played move of the recent years.
    pub since: HabitualMove,
}

/// The move that the opponent plays most in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HabitualMove {
    /// The move in SAN.
    pub san: String,
    /// The games with it.
    pub games: u64,
    /// The games with any move.
    pub all_games: u64,
}

/// The lengths of games in half-moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameLengths {
    /// The number of games, and the sum of their half-moves.
    pub all: (u64, u64),
    /// The number of won games, and the sum of their half-moves.
    pub won: (u64, u64),
    /// The number of drawn games, and the sum of their half-moves.
    pub drawn: (u64, u64),
    /// The number of lost games, and the sum of their half-moves.
    pub lost: (u64, u64),
    /// Draws of at most 50 half-moves.
    pub short_draws: u64,
}

impl Habits {
    pub(super) fn new(tree: &PositionTree, games: &OpponentGames, color: Color) -> Habits {
        let other_color = OpponentGames {
            list: games.other_color.clone(),
            openings: games.openings.clone(),
            recent_since: games.recent_since,
            ..OpponentGames::default()
        };
        let mut habits = Habits {
            openings: opening_habits(games),
            other_openings: opening_habits(&other_color),
            changes: changed_habits(tree, games, color),
            ..Habits::default()
        };

        let mut speeds: BTreeMap<u8, (Speed, PlayerScore)> = BTreeMap::new();
        let mut opposition: BTreeMap<u16, PlayerScore> = BTreeMap::new();
        for game in &games.list {
            habits.lengths.add_game(game);

            if let Some(speed) = game.speed {
                let (_, score) = speeds
                    .entry(speed as u8)
                    .or_insert((speed, PlayerScore::default()));
                score.add(game.side);
            }

            if let Some(elo) = game.side.opponent_elo {
                let band_start = elo.get() / BAND_ELO * BAND_ELO;
                let score = opposition.entry(band_start).or_default();
                score.add(game.side);
            }
        }

        habits.speeds = speeds.into_values().collect();
        habits.opposition = opposition.into_iter().rev().collect();
        habits
    }
}

impl GameLengths {
    /// Adds the length of a game, by its result.
    fn add_game(&mut self, game: &OpponentGame) {
        let of_result = match game.side.half_points() {
            Some(2) => Some(&mut self.won),
            Some(1) => Some(&mut self.drawn),
            Some(_) => Some(&mut self.lost),
            None => None,
        };
        for (games, plies) in [Some(&mut self.all), of_result].into_iter().flatten() {
            *games += 1;
            *plies += game.plies;
        }

        let is_draw = game.side.half_points() == Some(1);
        if is_draw && game.plies <= MAX_SHORT_DRAW_PLIES {
            self.short_draws += 1;
        }
    }
}

/// The families of openings, the most played first.
fn opening_habits(games: &OpponentGames) -> Vec<OpeningHabit> {
    let mut by_family: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    let mut dated = Vec::new();
    for (place, game) in (0..).zip(&games.list) {
        let Some(opening) = game.opening else {
            continue;
        };
        if game.side.date.is_some() {
            dated.push(place);
        }

        let name = games.openings[opening].as_str();
        let places = by_family.entry(family_of(name)).or_default();
        places.push(place);
    }

    // Places are in the order of dates. The later half of an odd number has one game more.
    let middle = dated.len() / 2;
    let first_later = dated.get(middle).copied().unwrap_or(u32::MAX);
    let all_halves = [middle as u64, (dated.len() - middle) as u64];

    let mut habits = Vec::with_capacity(by_family.len());
    for (name, places) in by_family {
        let mut halves = [0, 0];
        for &place in &places {
            if games.list[place as usize].side.date.is_some() {
                let half = usize::from(place >= first_later);
                halves[half] += 1;
            }
        }

        habits.push(OpeningHabit {
            name: name.to_owned(),
            score: LineScore::count(games, &places),
            halves,
            all_halves,
        });
    }

    habits.sort_by_key(|habit| std::cmp::Reverse(habit.score.all_games()));
    habits.truncate(MAX_OPENINGS);
    habits
}

/// The numbers of games before the recent years, and since.
#[derive(Clone, Copy, Default)]
struct PeriodCounts {
    before: usize,
    since: usize,
}

/// A move with its games in both periods.
struct PeriodMove {
    code: u16,
    counts: PeriodCounts,
}

impl PeriodMove {
    /// The move as the habit of a period, in which `games` have the move, and `all_games` any move in the position.
    fn habitual_move(&self, position: &Position, games: usize, all_games: usize) -> HabitualMove {
        let san = match move_with_code(position, self.code) {
            Some(mv) => san(position, mv),
            None => String::new(),
        };
        HabitualMove {
            san,
            games: games as u64,
            all_games: all_games as u64,
        }
    }
}

/// The dated games among some games before the recent years, and since.
fn count_periods(games: &OpponentGames, places: &[u32]) -> PeriodCounts {
    let mut counts = PeriodCounts::default();
    for &place in places {
        let game = &games.list[place as usize];
        if game.side.date.is_none() {
            continue;
        }

        if games.is_recent(game) {
            counts.since += 1;
        } else {
            counts.before += 1;
        }
    }
    counts
}

/// The positions in which the opponent's most played move of recent games differs from the move of earlier games.
fn changed_habits(tree: &PositionTree, games: &OpponentGames, color: Color) -> Vec<ChangedHabit> {
    let mut found: Vec<(usize, u32, ChangedHabit)> = Vec::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        let is_early = node.ply <= MAX_CHANGE_PLIES;
        let has_games = node.games.len() >= 2 * MIN_CHANGE_GAMES;
        if node.turn() == color || !is_early || !has_games {
            continue;
        }

        let mut moves: Vec<PeriodMove> = Vec::new();
        let mut all = PeriodCounts::default();
        for edge in node.played() {
            let counts = count_periods(games, &edge.games);
            let code = edge.code;
            moves.push(PeriodMove { code, counts });
            all.before += counts.before;
            all.since += counts.since;
        }

        // `max_by_key` returns the last of equal moves: reversed, it is the more played move of all games.
        let most_played_before = moves.iter().rev().max_by_key(|played| played.counts.before);
        let most_played_since = moves.iter().rev().max_by_key(|played| played.counts.since);
        let (Some(before), Some(since)) = (most_played_before, most_played_since) else {
            continue;
        };

        let is_changed = before.code != since.code;
        let has_both_periods = all.before >= MIN_CHANGE_GAMES && all.since >= MIN_CHANGE_GAMES;
        if !is_changed || !has_both_periods || !has_grown(since.counts, all) {
            continue;
        }

        let (line, position) = tree.line_to(number);
        let change = ChangedHabit {
            line,
            before: before.habitual_move(&position, before.counts.before, all.before),
            since: since.habitual_move(&position, since.counts.since, all.since),
        };
        found.push((all.since, number, change));
    }

    found.sort_by_key(|(recent, number, _)| (std::cmp::Reverse(*recent), *number));
    found.truncate(MAX_CHANGES);
    found.into_iter().map(|(.., change)| change).collect()
}

/// `true` if the share of a move among all games has grown enough from the earlier to the recent period.
fn has_grown(counts: PeriodCounts, all: PeriodCounts) -> bool {
    // Both shares are multiplied by the numbers of games of both periods, so no share is rounded.
    let share_before = 100 * counts.before * all.since;
    let share_since = 100 * counts.since * all.before;
    let min_growth = MIN_CHANGE_POINTS * all.before * all.since;
    share_since >= share_before + min_growth
}

#[cfg(test)]
mod tests {
    use super::{PeriodCounts, has_grown};

    fn counts([before, since]: [usize; 2]) -> PeriodCounts {
        PeriodCounts { before, since }
    }

    macro_rules! growths {
        ($($name:ident: $counts:expr, of $all:expr => $grown:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(has_grown(counts($counts), counts($all)), $grown);
            }
        )*};
    }

    // The games of a move and of all moves, before and since.
    growths! {
        by_25_points: [0, 1], of [4, 4] => true;
        by_20_points: [0, 1], of [5, 5] => false;
        by_30_points_with_fewer_games: [20, 4], of [40, 5] => true;
        not_at_all: [5, 5], of [10, 10] => false;
        downwards: [5, 0], of [10, 10] => false;
    }
}

//! The opponent's habits: openings and their trend, changes of moves, lengths, results by speed and by opposition.

use std::collections::BTreeMap;

use super::games::{OpponentGame, OpponentGames};
use super::score::LineScore;
use super::tree::{PositionTree, move_of};
use crate::board::Color;
use crate::columns::Speed;
use crate::notation::san;
use crate::query::player::PlayerScore;

/// Changes are looked for up to this number of half-moves.
const CHANGE_PLIES: u32 = 12;
/// The fewest games of each of the two periods.
const CHANGE_GAMES: usize = 5;
/// The least growth of a move's share, in per cent of games.
const CHANGE_PER_CENT: usize = 25;
/// The most changes and openings listed.
const MOST_CHANGES: usize = 8;
const MOST_OPENINGS: usize = 10;
/// The width of a band of ratings.
const BAND_ELO: u16 = 200;
/// A short draw has at most this number of half-moves.
pub(super) const SHORT_DRAW_PLIES: u64 = 50;

/// The opponent's habits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Habits {
    /// The families of openings with the colour that is prepared against, the most played first.
    pub openings: Vec<OpeningHabit>,
    /// The same with the other colour.
    pub other_openings: Vec<OpeningHabit>,
    /// Moves that replaced others lately, those in most recent games first.
    pub changes: Vec<ChangedHabit>,
    /// The lengths of games.
    pub lengths: GameLengths,
    /// The results by speed, as far as it is known.
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
    /// The games with it in the earlier half of all games with a date and an opening, and in the later half.
    pub halves: [u64; 2],
    /// The number of all games in these halves.
    pub of: [u64; 2],
}

/// A move that the opponent plays now where another one was played before.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedHabit {
    /// The moves from the start to the position.
    pub line: Vec<String>,
    /// What was played most before the recent years.
    pub before: HabitualMove,
    /// What is played most since.
    pub since: HabitualMove,
}

/// The most played of some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HabitualMove {
    /// The move in SAN.
    pub san: String,
    /// The games with it.
    pub games: u64,
    /// The games with any move.
    pub of: u64,
}

/// The lengths of games in half-moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameLengths {
    /// The number of games, and the sum of their half-moves.
    pub all: (u64, u64),
    /// The same of games won.
    pub won: (u64, u64),
    /// The same of games drawn.
    pub drawn: (u64, u64),
    /// The same of games lost.
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
            openings: openings(games),
            other_openings: openings(&other_color),
            changes: changes(tree, games, color),
            ..Habits::default()
        };
        let mut speeds: BTreeMap<u8, (Speed, PlayerScore)> = BTreeMap::new();
        let mut opposition: BTreeMap<u16, PlayerScore> = BTreeMap::new();
        for game in &games.list {
            habits.lengths.add(game);
            if let Some(speed) = game.speed {
                let (_, score) = speeds
                    .entry(speed as u8)
                    .or_insert((speed, PlayerScore::default()));
                score.add(game.side);
            }
            if let Some(elo) = game.side.opponent_elo {
                let band = elo.get() / BAND_ELO * BAND_ELO;
                opposition.entry(band).or_default().add(game.side);
            }
        }
        habits.speeds = speeds.into_values().collect();
        habits.opposition = opposition.into_iter().rev().collect();
        habits
    }
}

impl GameLengths {
    fn add(&mut self, game: &OpponentGame) {
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
        let is_short = game.plies <= SHORT_DRAW_PLIES && game.side.half_points() == Some(1);
        self.short_draws += u64::from(is_short);
    }
}

/// The families of openings.
fn openings(games: &OpponentGames) -> Vec<OpeningHabit> {
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
        let family = name.split_once(": ").map_or(name, |(family, _)| family);
        by_family.entry(family).or_default().push(place);
    }

    let first_later = dated.get(dated.len() / 2).copied().unwrap_or(u32::MAX);
    let of = [dated.len() / 2, dated.len().div_ceil(2)].map(|games| games as u64);
    let habit = |(name, places): (&str, Vec<u32>)| {
        let is_dated = |place: &&u32| games.list[**place as usize].side.date.is_some();
        let dated = places.iter().filter(is_dated);
        let later = dated.clone().filter(|place| **place >= first_later).count() as u64;
        let halves = [dated.count() as u64 - later, later];
        OpeningHabit {
            name: name.to_owned(),
            score: LineScore::of(games, &places),
            halves,
            of,
        }
    };
    let mut habits: Vec<OpeningHabit> = by_family.into_iter().map(habit).collect();
    habits.sort_by_key(|habit| std::cmp::Reverse(habit.score.all_games()));
    habits.truncate(MOST_OPENINGS);
    habits
}

/// The positions in which the opponent's most played move is another since the recent years.
fn changes(tree: &PositionTree, games: &OpponentGames, color: Color) -> Vec<ChangedHabit> {
    let mut found: Vec<(usize, u32, ChangedHabit)> = Vec::new();
    for (number, node) in (0..).zip(&tree.nodes) {
        if node.turn() == color || node.ply > CHANGE_PLIES || node.games.len() < 2 * CHANGE_GAMES {
            continue;
        }
        let count = |places: &[u32]| {
            let games_of = places.iter().map(|place| &games.list[*place as usize]);
            let dated = games_of
                .clone()
                .filter(|game| game.side.date.is_some())
                .count();
            let recent = games_of.filter(|game| games.is_recent(game)).count();
            [dated - recent, recent]
        };
        let counts: Vec<(u16, [usize; 2])> = node
            .played()
            .iter()
            .map(|edge| (edge.code, count(&edge.games)))
            .collect();
        let all = [0, 1].map(|at| counts.iter().map(|(_, counts)| counts[at]).sum::<usize>());
        // The first of equals is the more played one of all games.
        let most = |at: usize| counts.iter().rev().max_by_key(|(_, counts)| counts[at]);
        let (Some(before), Some(since)) = (most(0), most(1)) else {
            continue;
        };
        if before.0 == since.0 || all.iter().any(|&games| games < CHANGE_GAMES) {
            continue;
        }
        let grown = since.1[1] * all[0] * 100;
        let least = since.1[0] * all[1] * 100 + CHANGE_PER_CENT * all[0] * all[1];
        if grown < least {
            continue;
        }
        let (line, position) = tree.line_to(number);
        let choice = |(code, counts): &(u16, [usize; 2]), at: usize| HabitualMove {
            san: move_of(&position, *code).map_or_else(String::new, |mv| san(&position, mv)),
            games: counts[at] as u64,
            of: all[at] as u64,
        };
        let (before, since) = (choice(before, 0), choice(since, 1));
        found.push((
            all[1],
            number,
            ChangedHabit {
                line,
                before,
                since,
            },
        ));
    }
    found.sort_by_key(|(recent, number, _)| (std::cmp::Reverse(*recent), *number));
    found
        .into_iter()
        .take(MOST_CHANGES)
        .map(|(.., change)| change)
        .collect()
}

//! The standings of a tournament: points, tie-breaks and performance of each player.

use std::cmp::Reverse;
use std::num::NonZeroU16;

use super::games::{Entrant, Games};
use super::knock_out::Tie;
use super::system::System;
use crate::index::Ratings;
use crate::query::performance;
use crate::query::player::PlayerAccuracy;

/// A player in the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// The place, from 1. Players with equal points and tie-breaks share a place.
    pub rank: u32,
    /// The canonical name.
    pub name: String,
    /// The rating in the first game that has one.
    pub elo: Option<NonZeroU16>,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Games without a result, which score no points.
    pub unfinished: u32,
    /// The points, in halves.
    pub half_points: u32,
    /// The Sonneborn-Berger score, in quarters: the points of each opponent, times the score against that opponent.
    pub sonneborn_berger: u32,
    /// The Buchholz score, in halves: the points of all opponents. An opponent met twice is counted twice.
    pub buchholz: u32,
    /// The accuracy of the player's moves in games whose positions are all evaluated.
    pub accuracy: PlayerAccuracy,
    /// The ratings of opponents in finished games.
    pub opponent_elo: Ratings,
    /// The score in the games of `opponent_elo`, in halves.
    rated_half_points: u32,
    /// The number of the player's name. The name itself is read at the end.
    number: u64,
}

impl Standing {
    /// The number of all games, including games without a result.
    pub fn all_games(&self) -> u32 {
        self.won + self.drawn + self.lost + self.unfinished
    }

    /// The points.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// The Sonneborn-Berger score in points. A product of two half points is a quarter.
    pub fn sonneborn_berger_points(&self) -> f64 {
        f64::from(self.sonneborn_berger) / 4.0
    }

    /// The Buchholz score in points.
    pub fn buchholz_points(&self) -> f64 {
        f64::from(self.buchholz) / 2.0
    }

    /// The performance rating in finished games against rated opponents.
    pub fn performance(&self) -> Option<f64> {
        performance(self.opponent_elo, self.rated_half_points.into())
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    fn new(entrant: &Entrant) -> Standing {
        Standing {
            number: entrant.number,
            elo: entrant.elo,
            ..Standing::default()
        }
    }

    /// Adds the result of a game; `half_points` is `None` for a game without a result.
    fn add_result(&mut self, half_points: Option<u32>, opponent_elo: Option<NonZeroU16>) {
        let Some(half_points) = half_points else {
            self.unfinished += 1;
            return;
        };

        match half_points {
            2 => self.won += 1,
            1 => self.drawn += 1,
            _ => self.lost += 1,
        }
        self.half_points += half_points;
        if let Some(elo) = opponent_elo {
            self.opponent_elo.games += 1;
            self.opponent_elo.sum += u64::from(elo.get());
            self.rated_half_points += half_points;
        }
    }
}

/// The standings in the order of places, and for each player of `games` the index of the player in the standings.
/// `ties` are the matches of a knock-out.
pub(super) fn standings(
    games: &Games,
    system: System,
    ties: &[Tie],
) -> (Vec<Standing>, Vec<usize>) {
    let mut standings: Vec<Standing> = games.entrants.iter().map(Standing::new).collect();
    for game in &games.games {
        for player in game.players {
            if let Some((opponent, side)) = game.opponent_of(player) {
                let opponent_elo = games.entrants[opponent].elo;
                standings[player].add_result(game.half_points(side), opponent_elo);
            }
        }
    }

    // Tie-breaks count the final points of the opponents.
    let points: Vec<u32> = standings
        .iter()
        .map(|standing| standing.half_points)
        .collect();
    for game in &games.games {
        for player in game.players {
            if let Some((opponent, side)) = game.opponent_of(player) {
                let half_points = game.half_points(side).unwrap_or(0);
                standings[player].sonneborn_berger += half_points * points[opponent];
                standings[player].buchholz += points[opponent];
            }
        }
    }

    // A player who got further in a knock-out is ranked higher, even with fewer points.
    let progress = knock_out_progress(games.entrants.len(), ties);
    rank(standings, |standing, place| {
        merit(standing, system, progress[place])
    })
}

/// The progress of a player in a knock-out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Progress {
    /// The stage that the player has reached. The winner of the final has reached the stage behind it.
    stage: u32,
    has_won_third_place: bool,
}

/// The key by which players are ordered, the greatest first. Its fields are compared in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    progress: Progress,
    half_points: u32,
    tie_breaks: [u32; 3],
}

/// The merit of a player. In a round robin, Buchholz is no tie-break, since all players have the same opponents.
fn merit(standing: &Standing, system: System, progress: Progress) -> Merit {
    let Standing {
        half_points,
        sonneborn_berger,
        buchholz,
        won,
        ..
    } = *standing;
    let tie_breaks = match system {
        System::RoundRobin(_) => [sonneborn_berger, won, 0],
        System::Match | System::KnockOut | System::Teams => [won, 0, 0],
        System::Swiss | System::Other => [buchholz, sonneborn_berger, won],
    };
    Merit {
        progress,
        half_points,
        tie_breaks,
    }
}

/// The progress of each player in the matches of a knock-out. Without matches, all players have equal progress.
///
/// A winner whose next match is missing has reached the next stage.
fn knock_out_progress(players: usize, ties: &[Tie]) -> Vec<Progress> {
    let mut progress = vec![Progress::default(); players];
    for tie in ties {
        for (place, &player) in tie.pair.iter().enumerate() {
            let has_won = tie.winner == Some(place);
            if tie.is_for_third_place {
                progress[player].has_won_third_place = has_won;
            } else {
                progress[player].stage = tie.stage + u32::from(has_won);
            }
        }
    }
    progress
}

/// Sorts players by merit. Also returns the place of each player, in the order given. Players of equal merit share a
/// rank.
fn rank(
    standings: Vec<Standing>,
    merit: impl Fn(&Standing, usize) -> Merit,
) -> (Vec<Standing>, Vec<usize>) {
    let mut order: Vec<(Reverse<Merit>, usize, Standing)> = standings
        .into_iter()
        .enumerate()
        .map(|(place, standing)| (Reverse(merit(&standing, place)), place, standing))
        .collect();
    order.sort_by_key(|(merit, place, _)| (*merit, *place));

    let mut places = vec![0; order.len()];
    let mut rank = 0;
    let mut merit_before = None;
    let mut ranked = Vec::with_capacity(order.len());
    for (at, (merit, place, standing)) in order.into_iter().enumerate() {
        if merit_before != Some(merit) {
            rank = at as u32 + 1;
        }
        merit_before = Some(merit);

        places[place] = at;
        ranked.push(Standing { rank, ..standing });
    }
    (ranked, places)
}

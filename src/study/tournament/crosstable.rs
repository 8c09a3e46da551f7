//! Crosstables: the standings of a tournament, and the games between its players.

use rusqlite::Connection;

use super::games::Games;
use super::knock_out::Tie;
use super::names::Names;
use super::standings::{Standing, standings};
use super::system::{Meetings, System, meetings};
use super::teams::{self, TeamStanding};
use super::{Tournament, TournamentGame};
use crate::board::Color;
use crate::error::Result;
use crate::query::GameOfDatabase;
use crate::storage::{Database, InDatabase};
use crate::store_fault::StoreResult;

/// The crosstable of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    /// The pairing system of the tournament.
    pub system: System,
    /// The players, the first of the tournament first.
    pub standings: Vec<Standing>,
    /// The counted games in the order of rounds; their players are places in `standings`.
    pub games: Vec<TournamentGame>,
    /// The teams of a team event, the first one first; none if its games name no teams.
    pub teams: Vec<TeamStanding>,
    /// The matches of a knock-out, the first stage first.
    pub matches: Vec<Match>,
    /// Pairs of games with equal players, rounds and moves: the counted game, and the game left out.
    pub doubled: Vec<(GameOfDatabase, GameOfDatabase)>,
    /// Pairs of a round robin that have fewer games than the other pairs.
    pub missing: Vec<Pairing>,
    /// Pairs of a round robin that have more games than the other pairs.
    pub surplus: Vec<Pairing>,
    /// The number of rounds of a Swiss: the greatest round of its games.
    pub rounds: Option<u16>,
}

/// Two players who have more or fewer games against each other than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The players, by their places in the standings.
    pub players: [usize; 2],
    /// The number of games that are missing, or too many.
    pub games: u32,
}

/// A match of a knock-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The players, by their places in the standings; the winner comes first, if there is one.
    pub players: [usize; 2],
    /// The half points of each player.
    pub half_points: [u32; 2],
    /// The stage, 1 for the first matches.
    pub stage: u32,
    /// `true` if both players had lost the match before.
    pub is_for_third_place: bool,
    /// `true` if a player has more points, or went on alone.
    pub is_decided: bool,
}

impl Crosstable {
    /// The maximum number of games of a crosstable worth showing. An event with more games is no tournament, such as
    /// the games of a month on a server.
    pub const MAX_GAMES: usize = 20_000;

    /// The crosstable of a tournament in some databases.
    ///
    /// # Errors
    /// When a database cannot be read.
    ///
    /// # Panics
    /// Without a database.
    pub fn read(databases: &[&Database], tournament: &Tournament) -> Result<Crosstable> {
        let connections: Vec<&Connection> = databases
            .iter()
            .map(|database| &database.connection)
            .collect();
        Crosstable::of(&connections, tournament).in_database(databases[0])
    }

    /// The crosstable of a tournament, read through connections.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub(crate) fn of(
        connections: &[&Connection],
        tournament: &Tournament,
    ) -> StoreResult<Crosstable> {
        let mut names = Names::new(connections)?;
        let games = Games::read(connections, &mut names, &tournament.games)?;

        // Teams come first: the games of a team event may look like a Swiss of single players.
        let teams = teams::teams_of(connections, &tournament.event, &games.games)?;
        let is_of_teams = teams.is_some() || teams::is_team_event(&tournament.event);
        let (system, ties) = if is_of_teams {
            (System::Teams, Vec::new())
        } else {
            System::recognize(games.entrants.len(), &games.games)
        };

        let mut crosstable = Crosstable::new(games, system, &ties);
        for game in &crosstable.games {
            for (player, accuracy) in game.players.into_iter().zip(&game.accuracy) {
                crosstable.standings[player].accuracy.join(accuracy);
            }
        }
        if let Some(teams) = teams {
            crosstable.teams = teams::standings(&crosstable.games, &teams);
        }
        for standing in &mut crosstable.standings {
            standing.name = names.players.name(standing.number())?;
        }

        Ok(crosstable)
    }

    /// The crosstable of the games of a system, without the names and the accuracy of players, and without teams.
    /// `ties` are the matches of a knock-out.
    fn new(games: Games, system: System, ties: &[Tie]) -> Crosstable {
        let (standings, places) = standings(&games, system, ties);
        let matches = knock_out_matches(ties, &places);

        // Players of games are numbered as entrants before, and by their places in the standings from here on.
        let mut counted = games.games;
        for game in &mut counted {
            game.players = game.players.map(|player| places[player]);
        }

        let met = meetings(&counted);
        let mut missing = Vec::new();
        let mut surplus = Vec::new();
        if let System::RoundRobin(cycles) = system {
            let players = standings.len();
            missing = unusual_pairings(players, &met, |games| cycles.saturating_sub(games));
            surplus = unusual_pairings(players, &met, |games| games.saturating_sub(cycles));
        }

        let rounds = match system {
            System::Swiss => counted.iter().filter_map(|game| game.round.number()).max(),
            _ => None,
        };
        Crosstable {
            system,
            standings,
            teams: Vec::new(),
            matches,
            doubled: games.doubled,
            missing,
            surplus,
            rounds,
            games: counted,
        }
    }

    /// The games of a player, in the order of rounds.
    pub fn games_of(&self, player: usize) -> impl Iterator<Item = &TournamentGame> {
        self.games
            .iter()
            .filter(move |game| game.players.contains(&player))
    }

    /// The games between two players, in the order of rounds.
    pub fn games_between(&self, one: usize, other: usize) -> impl Iterator<Item = &TournamentGame> {
        self.games_of(one)
            .filter(move |game| game.players.contains(&other))
    }

    /// The number of results of single players in the games, and the number in a complete tournament of the system;
    /// `None` if the system does not determine the number of a complete tournament, or no result is missing. Byes and
    /// unplayed games count as missing.
    pub fn missing_results(&self) -> Option<(u64, u64)> {
        let found: u64 = self
            .standings
            .iter()
            .map(|standing| u64::from(standing.all_games() - standing.unfinished))
            .sum();

        // In other systems, the number of games of a player is open.
        let missing: u64 = match self.system {
            // A game has a result for each of its players.
            System::RoundRobin(_) => self
                .missing
                .iter()
                .map(|pair| 2 * u64::from(pair.games))
                .sum(),
            System::Swiss => self
                .absences()
                .iter()
                .map(|(_, rounds)| u64::from(*rounds))
                .sum(),
            _ => 0,
        };

        if missing > 0 {
            Some((found, found + missing))
        } else {
            None
        }
    }

    /// The number of games without a result.
    pub fn unfinished(&self) -> usize {
        let lacks_result = |game: &&TournamentGame| game.half_points(Color::White).is_none();
        self.games.iter().filter(lacks_result).count()
    }

    /// The players of a Swiss with fewer games than rounds, by their places in the standings, with the number of missed
    /// rounds. The reason is a bye, an unplayed game, or a game that is not in the database.
    pub fn absences(&self) -> Vec<(usize, u32)> {
        let Some(rounds) = self.rounds else {
            return Vec::new();
        };

        let mut absences = Vec::new();
        for (player, standing) in self.standings.iter().enumerate() {
            let missed = u32::from(rounds).saturating_sub(standing.all_games());
            if missed > 0 {
                absences.push((player, missed));
            }
        }
        absences
    }
}

/// The matches of a knock-out, by stages. `places` has the place of each player in the standings.
fn knock_out_matches(ties: &[Tie], places: &[usize]) -> Vec<Match> {
    let mut matches = Vec::with_capacity(ties.len());
    for tie in ties {
        let winner_first = if tie.winner == Some(1) {
            [1, 0]
        } else {
            [0, 1]
        };
        matches.push(Match {
            players: winner_first.map(|at| places[tie.pair[at]]),
            half_points: winner_first.map(|at| tie.half_points[at]),
            stage: tie.stage,
            is_for_third_place: tie.is_for_third_place,
            is_decided: tie.winner.is_some(),
        });
    }

    // The match for the third place comes before the final.
    matches.sort_by_key(|tie| (tie.stage, !tie.is_for_third_place));
    matches
}

/// The pairs whose number of games differs from the usual; `difference` returns the difference for a number of games, 0
/// if the number is usual.
fn unusual_pairings(
    players: usize,
    met: &Meetings<'_>,
    difference: impl Fn(u32) -> u32,
) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for one in 0..players {
        for other in one + 1..players {
            let pair = [one, other];
            let played = met.get(&pair).map_or(0, Vec::len);
            let games = difference(played as u32);
            if games > 0 {
                pairings.push(Pairing {
                    players: pair,
                    games,
                });
            }
        }
    }
    pairings
}

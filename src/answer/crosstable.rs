//! The crosstable of a tournament.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Tournament, database_name, one_decimal, rounded};
use crate::error::Result;
use crate::query::GameOfDatabase;
use crate::storage::Database;
use crate::study::tournament;
use crate::study::tournament::{Match, Pairing, Standing, System, TeamStanding, TournamentGame};

/// A tournament with its standings and games.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Crosstable {
    /// The tournament.
    #[serde(flatten)]
    pub tournament: Tournament,
    /// `match`, `round-robin`, `knock-out`, `swiss`, `teams` or `other`.
    pub system: &'static str,
    /// The number of games of each pair of players in a round robin.
    pub cycles: Option<u32>,
    /// The number of rounds of a Swiss.
    pub swiss_rounds: Option<u16>,
    /// The number of known results of an incomplete tournament; null if no result is missing.
    pub incomplete: Option<IncompleteResults>,
    /// The teams of a team event.
    pub teams: Vec<Team>,
    /// The players in the order of their places.
    pub standings: Vec<PlayerStanding>,
    /// The games in the order of rounds.
    pub encounters: Vec<Encounter>,
    /// The matches of a knock-out.
    pub matches: Vec<KnockOutMatch>,
    /// Pairs of a round robin with fewer games than others.
    pub missing: Vec<Pair>,
    /// Pairs of a round robin with more games than others.
    pub surplus: Vec<Pair>,
    /// Players of a Swiss who have no game in some rounds.
    pub absences: Vec<Absence>,
    /// Pairs of games with equal players, rounds and moves, of which one is counted.
    pub doubled: Vec<DoubledGame>,
    /// The number of games that an earlier database also has, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<usize>,
    /// Games without a result.
    pub unfinished: usize,
}

/// A player of a tournament, with a row of the crosstable.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlayerStanding {
    /// The place, which players may share.
    pub rank: u32,
    /// The name.
    pub name: String,
    /// The Elo in the tournament.
    pub elo: Option<u16>,
    /// The points.
    pub points: f64,
    /// All games.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games without a result.
    pub unfinished: u32,
    /// The Sonneborn-Berger score.
    pub sonneborn_berger: f64,
    /// The Buchholz score.
    pub buchholz: f64,
    /// The performance rating.
    pub performance: Option<i64>,
    /// The mean accuracy in percent, as on Lichess, in games whose positions are all evaluated.
    pub accuracy: Option<f64>,
    /// The mean of the average centipawn losses of these games.
    pub centipawn_loss: Option<f64>,
    /// The games in their order: the row of the opponent from 1 on, the color, the result, and the number of the game,
    /// as in `12w1#345`; of several databases, behind the name of its database, as in `12w1#modern:345`.
    pub results: String,
}

/// The number of results that an incomplete tournament has and should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IncompleteResults {
    /// The number of games with a result.
    pub results: u64,
    /// The number of results of a complete tournament.
    pub of: u64,
}

/// A team of a team event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Team {
    /// The place.
    pub rank: u32,
    /// The name.
    pub name: String,
    /// The match points of the team.
    pub match_points: u32,
    /// Matches won.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
    /// The board points of the team.
    pub board_points: f64,
    /// The number of games.
    pub games: u32,
    /// The players of the team as indices in `standings`, in the order of boards.
    pub players: Vec<usize>,
}

/// A game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Encounter {
    /// The name of the database, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The number of the game in its database.
    pub game: i64,
    /// The index in `standings` of the player with White.
    pub white_index: usize,
    /// The index of the player with Black.
    pub black_index: usize,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// The round.
    pub round: Option<u16>,
    /// The date.
    pub date: Option<String>,
}

/// A match of a knock-out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct KnockOutMatch {
    /// The stage, from 1 on.
    pub stage: u32,
    /// The indices of the players in `standings`, the winner first if the match is decided.
    pub players: [usize; 2],
    /// The points of the players.
    pub points: [f64; 2],
    /// `true` if the match is decided.
    pub decided: bool,
    /// `true` if the match is for the third place.
    pub third_place: bool,
}

/// Two players and a number of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pair {
    /// The indices in `standings` of the players.
    pub players: [usize; 2],
    /// The number of missing or surplus games.
    pub games: u32,
}

/// A player who has no game in some rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Absence {
    /// The index of the player in `standings`.
    pub player: usize,
    /// The number of rounds.
    pub rounds: u32,
}

/// Two games with equal players, rounds and moves, of which one is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DoubledGame {
    /// The database of the counted game, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The number of the counted game.
    pub game: i64,
    /// The database of the game that is not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out_database: Option<String>,
    /// The number of the game that is not counted.
    pub left_out: i64,
}

impl Crosstable {
    /// The answer for the crosstable of a tournament in one or several databases. With `names`, the names of these
    /// databases, each game has the name of its database.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read(
        databases: &[&Database],
        names: Option<&[String]>,
        tournament: &tournament::Tournament,
        crosstable: &tournament::Crosstable,
    ) -> Result<Crosstable> {
        let (system, cycles) = system_and_cycles(crosstable.system);
        let incomplete = crosstable
            .missing_results()
            .map(|(results, of)| IncompleteResults { results, of });

        let mut encounters = Vec::with_capacity(crosstable.games.len());
        for game in &crosstable.games {
            encounters.push(Encounter::new(game, names));
        }

        let mut absences = Vec::new();
        for (player, rounds) in crosstable.absences() {
            absences.push(Absence { player, rounds });
        }

        let mut doubled = Vec::with_capacity(crosstable.doubled.len());
        for (game, left_out) in &crosstable.doubled {
            doubled.push(DoubledGame::new(*game, *left_out, names));
        }

        // Databases have names only if several are queried, and only several databases can have equal games.
        let repeated = names.map(|_| tournament.repeated.len());

        Ok(Crosstable {
            tournament: Tournament::read(databases, names, tournament)?,
            system,
            cycles,
            swiss_rounds: crosstable.rounds,
            incomplete,
            teams: crosstable.teams.iter().map(Team::from).collect(),
            standings: standings(crosstable, names),
            encounters,
            matches: crosstable.matches.iter().map(KnockOutMatch::from).collect(),
            missing: pairs(&crosstable.missing),
            surplus: pairs(&crosstable.surplus),
            absences,
            doubled,
            repeated,
            unfinished: crosstable.unfinished(),
        })
    }
}

/// The name of a system, and for a round robin the number of games of each pair of players.
fn system_and_cycles(system: System) -> (&'static str, Option<u32>) {
    match system {
        System::Match => ("match", None),
        System::RoundRobin(cycles) => ("round-robin", Some(cycles)),
        System::KnockOut => ("knock-out", None),
        System::Swiss => ("swiss", None),
        System::Teams => ("teams", None),
        System::Other => ("other", None),
    }
}

/// A row for each player, in the order of places.
fn standings(crosstable: &tournament::Crosstable, names: Option<&[String]>) -> Vec<PlayerStanding> {
    // Each game has a cell in the row of White and a cell in the row of Black. The players of games are places in the
    // list of standings.
    let mut results = vec![Vec::new(); crosstable.standings.len()];
    for game in &crosstable.games {
        for player in game.players {
            results[player].push(game_cell(game, player, names));
        }
    }

    let mut rows = Vec::with_capacity(results.len());
    for (standing, cells) in crosstable.standings.iter().zip(results) {
        let row = cells.join(" ");
        rows.push(PlayerStanding::new(standing, row));
    }
    rows
}

impl PlayerStanding {
    /// A player's standing. `results` are the cells of the player's games, separated by blanks.
    fn new(standing: &Standing, results: String) -> PlayerStanding {
        let accuracy = standing.accuracy.percent();
        let centipawn_loss = standing.accuracy.centipawn_loss();

        PlayerStanding {
            rank: standing.rank,
            name: standing.name.clone(),
            elo: standing.elo.map(u16::from),
            points: standing.points(),
            games: standing.all_games(),
            wins: standing.won,
            draws: standing.drawn,
            losses: standing.lost,
            unfinished: standing.unfinished,
            sonneborn_berger: standing.sonneborn_berger_points(),
            buchholz: standing.buchholz_points(),
            performance: standing.performance().map(rounded),
            accuracy: accuracy.map(one_decimal),
            centipawn_loss: centipawn_loss.map(one_decimal),
            results,
        }
    }
}

/// A game in a player's row: the opponent's place, the player's color, the result, and the game's number, as in
/// `12w1#345`. With `names`, the name of the database precedes the number: `12w1#modern:345`.
fn game_cell(game: &TournamentGame, player: usize, names: Option<&[String]>) -> String {
    let Some((opponent, color)) = game.opponent_of(player) else {
        return String::new();
    };

    // Places count from 0 in lists, and from 1 in texts.
    let opponent_place = opponent + 1;
    let side = if color.is_white() { 'w' } else { 'b' };
    let result = match game.half_points(color) {
        Some(2) => '1',
        Some(1) => '=',
        Some(_) => '0',
        None => '*',
    };

    let GameOfDatabase { database, game } = game.game;
    let number = match database_name(names, database) {
        Some(name) => format!("{name}:{game}"),
        None => game.to_string(),
    };
    format!("{opponent_place}{side}{result}#{number}")
}

impl From<&TeamStanding> for Team {
    fn from(team: &TeamStanding) -> Team {
        Team {
            rank: team.rank,
            name: team.name.clone(),
            match_points: team.match_points(),
            wins: team.won,
            draws: team.drawn,
            losses: team.lost,
            board_points: f64::from(team.half_points) / 2.0,
            games: team.games,
            players: team.players.iter().map(|(player, _)| *player).collect(),
        }
    }
}

impl Encounter {
    /// A game. `names` are the names of several databases.
    fn new(game: &TournamentGame, names: Option<&[String]>) -> Encounter {
        let [white_index, black_index] = game.players;
        Encounter {
            database: database_name(names, game.game.database),
            game: game.game.game.get(),
            white_index,
            black_index,
            result: game.result.as_str(),
            round: game.round.number(),
            date: game.date.map(|date| date.to_string()),
        }
    }
}

impl DoubledGame {
    /// A counted game, and the equal game that is not counted. `names` are the names of several databases.
    fn new(
        game: GameOfDatabase,
        left_out: GameOfDatabase,
        names: Option<&[String]>,
    ) -> DoubledGame {
        DoubledGame {
            database: database_name(names, game.database),
            game: game.game.get(),
            left_out_database: database_name(names, left_out.database),
            left_out: left_out.game.get(),
        }
    }
}

impl From<&Match> for KnockOutMatch {
    fn from(found: &Match) -> KnockOutMatch {
        let points = found
            .half_points
            .map(|half_points| f64::from(half_points) / 2.0);

        KnockOutMatch {
            stage: found.stage,
            players: found.players,
            points,
            decided: found.is_decided,
            third_place: found.is_for_third_place,
        }
    }
}

/// Pairings as pairs of an answer.
fn pairs(pairings: &[Pairing]) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(pairings.len());
    for pairing in pairings {
        pairs.push(Pair {
            players: pairing.players,
            games: pairing.games,
        });
    }
    pairs
}

//! `/api/1/crosstable`: the standings and games of a tournament.

use serde::Serialize;

use super::tournaments::Heading;
use crate::serve::answer::Answer;
use crate::serve::databases::named_game;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::study::tournament::{
    Crosstable, Match, Pairing, Standing, System, TeamStanding, Tournament, TournamentGame,
    Tournaments,
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/crosstable",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::OfOne(answer),
    description: Description {
        summary: "The crosstable of the tournament that a game belongs to",
        parameters: &[("game", "the number of any game of the tournament")],
        has_filters: false,
        schema: "Crosstable",
    },
};

#[derive(Serialize)]
struct Record<'t> {
    #[serde(flatten)]
    heading: Heading<'t>,
    system: &'static str,
    /// How often every player of a round robin met every other.
    cycles: Option<u32>,
    rounds: Option<u16>,
    /// The results of players that are there, and the number of a complete tournament, if any are missing.
    incomplete: Option<Incomplete>,
    teams: Vec<Team<'t>>,
    standings: Vec<Row<'t>>,
    results: Vec<Encounter>,
    matches: Vec<Tie>,
    missing: Vec<Pair>,
    surplus: Vec<Pair>,
    absences: Vec<Absence>,
    doubled: Vec<Doubled>,
    duplicates: usize,
    unfinished: usize,
}

/// A player; others are named by their place in this list.
#[derive(Serialize)]
struct Row<'t> {
    rank: u32,
    name: &'t str,
    elo: Option<u16>,
    points: f64,
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    sonneborn_berger: f64,
    buchholz: f64,
    performance: Option<i64>,
}

#[derive(Serialize)]
struct Incomplete {
    results: u64,
    of: u64,
}

/// A team of a team event.
#[derive(Serialize)]
struct Team<'t> {
    rank: u32,
    name: &'t str,
    match_points: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    board_points: f64,
    games: u32,
    /// By their places in `standings`, in the order of boards.
    players: Vec<usize>,
}

impl Team<'_> {
    fn of(team: &TeamStanding) -> Team<'_> {
        Team {
            rank: team.rank,
            name: &team.name,
            match_points: team.match_points(),
            won: team.won,
            drawn: team.drawn,
            lost: team.lost,
            board_points: f64::from(team.half_points) / 2.0,
            games: team.games,
            players: team.players.iter().map(|(player, _)| *player).collect(),
        }
    }
}

#[derive(Serialize)]
struct Encounter {
    game: i64,
    white: usize,
    black: usize,
    result: &'static str,
    round: Option<u16>,
    date: Option<String>,
}

#[derive(Serialize)]
struct Tie {
    stage: u32,
    players: [usize; 2],
    points: [f64; 2],
    decided: bool,
    third_place: bool,
}

#[derive(Serialize)]
struct Pair {
    players: [usize; 2],
    games: u32,
}

#[derive(Serialize)]
struct Absence {
    player: usize,
    rounds: u32,
}

#[derive(Serialize)]
struct Doubled {
    game: i64,
    left_out: i64,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let text = question.request.parameters.required("game")?;
    let (_, number) = named_game(text);
    let refused = |_| Failure::bad_request(format!("game={text} is not understood"));
    let game = number.trim().parse().map_err(refused)?;
    let (database, watch) = (question.database, &question.watch);
    let tournament = Tournaments::of_game(database, game, watch)?;
    let tournament = tournament.ok_or_else(|| {
        Failure::not_found(format!("there is no game {game}, or it names no event"))
    })?;
    if tournament.games.len() > Crosstable::MOST_GAMES {
        return Err(Failure::bad_request(format!(
            "{} has {} games, more than the {} of a crosstable",
            tournament.event,
            tournament.games.len(),
            Crosstable::MOST_GAMES
        )));
    }
    let crosstable = Crosstable::read(database, &tournament)?;
    let mut record = Record::new(&tournament, &crosstable);
    record.heading.database.clone_from(&question.name);
    Answer::json(&record)
}

impl<'t> Record<'t> {
    fn new(tournament: &'t Tournament, crosstable: &'t Crosstable) -> Record<'t> {
        let (system, cycles) = system(crosstable.system);
        let absences = crosstable.absences().into_iter();
        let doubled = crosstable.doubled.iter();
        let incomplete = crosstable.missing_results();
        Record {
            heading: Heading::of(tournament),
            system,
            cycles,
            rounds: crosstable.rounds,
            incomplete: incomplete.map(|(results, of)| Incomplete { results, of }),
            teams: crosstable.teams.iter().map(Team::of).collect(),
            standings: crosstable.standings.iter().map(Row::of).collect(),
            results: crosstable.games.iter().map(Encounter::of).collect(),
            matches: crosstable.matches.iter().map(Tie::of).collect(),
            missing: pairs(&crosstable.missing),
            surplus: pairs(&crosstable.surplus),
            absences: absences.map(|(player, rounds)| Absence { player, rounds }).collect(),
            doubled: doubled
                .map(|&(game, left_out)| Doubled { game: game.get(), left_out: left_out.get() })
                .collect(),
            duplicates: tournament.duplicates.len(),
            unfinished: crosstable.unfinished(),
        }
    }
}

fn system(system: System) -> (&'static str, Option<u32>) {
    match system {
        System::Match => ("match", None),
        System::RoundRobin(cycles) => ("round-robin", Some(cycles)),
        System::KnockOut => ("knock-out", None),
        System::Swiss => ("swiss", None),
        System::Teams => ("teams", None),
        System::Other => ("other", None),
    }
}

impl Row<'_> {
    fn of(standing: &Standing) -> Row<'_> {
        Row {
            rank: standing.rank,
            name: &standing.name,
            elo: standing.elo.map(std::num::NonZeroU16::get),
            points: standing.points(),
            games: standing.all_games(),
            won: standing.won,
            drawn: standing.drawn,
            lost: standing.lost,
            sonneborn_berger: f64::from(standing.sonneborn_berger) / 4.0,
            buchholz: f64::from(standing.buchholz) / 2.0,
            performance: standing.performance().map(|points| points.round() as i64),
        }
    }
}

impl Encounter {
    fn of(game: &TournamentGame) -> Encounter {
        let [white, black] = game.players;
        Encounter {
            game: game.game.get(),
            white,
            black,
            result: game.result.as_str(),
            round: game.round.number(),
            date: game.date.map(|date| date.to_string()),
        }
    }
}

impl Tie {
    fn of(one: &Match) -> Tie {
        let points = one.half_points.map(|points| f64::from(points) / 2.0);
        Tie {
            stage: one.stage,
            players: one.players,
            points,
            decided: one.is_decided,
            third_place: one.is_for_third_place,
        }
    }
}

fn pairs(pairings: &[Pairing]) -> Vec<Pair> {
    let pair = |one: &Pairing| Pair { players: one.players, games: one.games };
    pairings.iter().map(pair).collect()
}

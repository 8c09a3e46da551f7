//! `/api/1/tournaments`: a list of tournaments, page by page.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::parameters::Parameters;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, schema_of,
};
use stamma::Filter;
use stamma::answer;
use stamma::study::tournament::{Tournament, Tournaments};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/tournaments",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The tournaments of the games that filters match, page by page",
        parameters: &[
            ("year", "only tournaments that were played in this year"),
            (
                "min-games",
                "the least number of games of a tournament (default: 1)",
            ),
            (
                "min-players",
                "the least number of players of a tournament (default: 1)",
            ),
            (
                "sort",
                "date (the latest first, default), games, players, elo or name",
            ),
            (
                "limit",
                "the number of tournaments of a page, at most 500 (default: 50)",
            ),
            ("cursor", "the page, as `next` of the page before it has it"),
        ],
        has_filters: true,
        schema: Some(schema_of::<answer::Tournaments>),
    },
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 500;

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;

    // A cursor is the number of tournaments before the page.
    let before: usize = parameters.parse("cursor")?.unwrap_or(0);
    let limits = Limits::read(parameters)?;
    let order = parameters.get("sort").unwrap_or_default();
    let filter = joined.game_options()?.filter;

    let by_database = joined.run(|request| tournaments(request, &filter))?;
    let mut without_event = 0;
    let mut duplicates = 0;
    for tournaments in &by_database {
        without_event += tournaments.without_event;
        duplicates += tournaments.duplicates;
    }

    let mut list = joined_list(&by_database);
    list.retain(|(_, tournament)| limits.include(tournament));
    sort(&mut list, order)?;

    let mut rows = Vec::new();
    for (database, tournament) in list.iter().skip(before).take(limit) {
        let row = joined.run_one(*database, |request| {
            answer::Tournament::read(&[request.database], None, tournament)
        })?;
        rows.push(answer::Tournament {
            database: joined.name_of(*database),
            ..row
        });
    }

    let end = before.saturating_add(rows.len());
    let next = if end < list.len() {
        Some(end.to_string())
    } else {
        None
    };
    Answer::json(&answer::Tournaments {
        tournaments: rows,
        count: list.len(),
        without_event,
        duplicates,
        next,
    })
}

/// The year and the least size of tournaments in the list.
struct Limits {
    year: Option<u16>,
    min_games: usize,
    min_players: u64,
}

impl Limits {
    fn read(parameters: &Parameters) -> Result<Limits, Failure> {
        let year = parameters.parse("year")?;
        let min_games = parameters.parse("min-games")?;
        let min_players = parameters.parse("min-players")?;
        Ok(Limits {
            year,
            min_games: min_games.unwrap_or(1),
            min_players: min_players.unwrap_or(1),
        })
    }

    fn include(&self, tournament: &Tournament) -> bool {
        let is_of_year = self.year.is_none_or(|year| tournament.is_of_year(year));
        let has_games = tournament.games.len() >= self.min_games;
        let has_players = tournament.players >= self.min_players;

        is_of_year && has_games && has_players
    }
}

/// A tournament, and the index of its database.
type Listed<'t> = (usize, &'t Tournament);

/// The tournaments of all databases in the order of their names, each once.
fn joined_list(by_database: &[Arc<Tournaments>]) -> Vec<Listed<'_>> {
    let mut list: Vec<Listed<'_>> = Vec::new();
    for (database, tournaments) in by_database.iter().enumerate() {
        for tournament in &tournaments.list {
            list.push((database, tournament));
        }
    }

    // The list of one database is in the order of names, and has each tournament once.
    if by_database.len() > 1 {
        list.sort_by(|(_, one), (_, other)| one.event.cmp(&other.event));
        list = each_once(&list);
    }
    list
}

/// Drops tournaments that another database has with more games. [`Tournament::is_same_as`] recognises them.
///
/// The list must be in the order of events.
fn each_once<'t>(list: &[Listed<'t>]) -> Vec<Listed<'t>> {
    let mut kept: Vec<Listed<'t>> = Vec::with_capacity(list.len());

    // Only tournaments of one event are compared, so that the time is not quadratic in all tournaments.
    for of_event in list.chunk_by(|(_, one), (_, other)| one.event == other.event) {
        let mut by_games: Vec<Listed<'t>> = of_event.to_vec();
        by_games.sort_by_key(|(database, one)| (Reverse(one.games.len()), *database));

        let first_of_event = kept.len();
        for (database, tournament) in by_games {
            let mut earlier = kept[first_of_event..].iter();
            let is_listed =
                earlier.any(|(other, listed)| *other != database && listed.is_same_as(tournament));
            if !is_listed {
                kept.push((database, tournament));
            }
        }
    }
    kept
}

/// The tournaments of the games that a filter matches. Without a filter, they are read once for all answers.
fn tournaments(
    request: &DatabaseRequest<'_>,
    filter: &Filter,
) -> Result<Arc<Tournaments>, Failure> {
    let database = request.database;
    if filter.is_empty() {
        let budget = request.common.budget;
        let of_all_games = request.prepared.tournaments(database, budget)?;
        return Ok(of_all_games);
    }

    let tournaments = Tournaments::read_watched(&[database], filter, &request.watch)?;
    Ok(Arc::new(tournaments))
}

/// Sorts tournaments, which are in the order of names.
fn sort(list: &mut [Listed<'_>], order: &str) -> Result<(), Failure> {
    // Sorting is stable, so that equal tournaments stay in the order of names.
    match order {
        "" | "date" => list.sort_by_key(|(_, one)| Reverse((one.last, one.first))),
        "games" => list.sort_by_key(|(_, one)| Reverse(one.games.len())),
        "players" => list.sort_by_key(|(_, one)| Reverse(one.players)),
        "elo" => list.sort_by(|(_, one), (_, other)| by_elo(other, one)),
        "name" => {}
        other => {
            let known = "date, games, players, elo or name";
            let sentence = format!("sort={other}: give {known}");
            return Err(Failure::bad_request(sentence));
        }
    }
    Ok(())
}

/// Compares the mean ratings. A tournament without ratings is the lowest.
fn by_elo(one: &Tournament, other: &Tournament) -> Ordering {
    let elo = one.mean_elo.unwrap_or(0.0);
    let other_elo = other.mean_elo.unwrap_or(0.0);
    elo.total_cmp(&other_elo)
}

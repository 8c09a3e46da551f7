//! `/api/1/tournaments`: which tournaments there are.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
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
    let before: usize = parameters.parse("cursor")?.unwrap_or(0);
    let year: Option<u16> = parameters.parse("year")?;
    let min_games = parameters.parse("min-games")?.unwrap_or(1);
    let min_players = parameters.parse("min-players")?.unwrap_or(1);
    let order = parameters.get("sort").unwrap_or_default();
    let filter = joined.game_options()?.filter;

    let by_database = joined.run(|request| tournaments(request, &filter))?;
    let mut list: Vec<Listed<'_>> = Vec::new();
    for (database, tournaments) in by_database.iter().enumerate() {
        list.extend(tournaments.list.iter().map(|one| (database, one)));
    }
    if joined.has_several() {
        list.sort_by(|(_, one), (_, other)| one.event.cmp(&other.event));
        list = each_once(list);
    }
    list.retain(|(_, one)| {
        year.is_none_or(|year| one.is_of_year(year))
            && one.games.len() >= min_games
            && one.players >= min_players
    });
    sort(&mut list, order)?;

    let mut rows = Vec::new();
    for (database, one) in list.iter().skip(before).take(limit) {
        let row = joined.run_one(*database, |request| {
            answer::Tournament::read(&[request.database], None, one)
        })?;
        rows.push(answer::Tournament {
            database: joined.name_of(*database),
            ..row
        });
    }

    let end = before.saturating_add(rows.len());
    Answer::json(&answer::Tournaments {
        tournaments: rows,
        count: list.len(),
        without_event: by_database.iter().map(|one| one.without_event).sum(),
        duplicates: by_database.iter().map(|one| one.duplicates).sum(),
        next: (end < list.len()).then(|| end.to_string()),
    })
}

/// A tournament, and the index of its database.
type Listed<'t> = (usize, &'t Tournament);

/// Drops tournaments that another database has with more games. [`Tournament::is_same_as`] recognises them.
///
/// The list must be in the order of events.
fn each_once(list: Vec<Listed<'_>>) -> Vec<Listed<'_>> {
    let mut kept: Vec<Listed<'_>> = Vec::with_capacity(list.len());
    for of_event in list.chunk_by(|(_, one), (_, other)| one.event == other.event) {
        let mut by_games: Vec<Listed<'_>> = of_event.to_vec();
        by_games.sort_by_key(|(database, one)| (Reverse(one.games.len()), *database));

        let first = kept.len();
        for (database, one) in by_games {
            let is_listed = kept[first..]
                .iter()
                .any(|(other, listed)| *other != database && listed.is_same_as(one));
            if !is_listed {
                kept.push((database, one));
            }
        }
    }
    kept
}

/// The tournaments of the filters. Without filters, the tournaments of all games are read once for all answers.
fn tournaments(
    request: &DatabaseRequest<'_>,
    filter: &Filter,
) -> Result<Arc<Tournaments>, Failure> {
    let database = request.database;
    if filter.is_empty() {
        let budget = request.common.budget;
        return Ok(request.prepared.tournaments(database, budget)?);
    }
    let tournaments = Tournaments::read_watched(&[database], filter, &request.watch)?;
    Ok(Arc::new(tournaments))
}

/// Sorts tournaments, which are in the order of names.
fn sort(list: &mut [(usize, &Tournament)], order: &str) -> Result<(), Failure> {
    match order {
        "" | "date" => list.sort_by_key(|(_, one)| Reverse((one.last, one.first))),
        "games" => list.sort_by_key(|(_, one)| Reverse(one.games.len())),
        "players" => list.sort_by_key(|(_, one)| Reverse(one.players)),
        "elo" => {
            let elo = |one: &Tournament| one.mean_elo.unwrap_or(0.0);
            list.sort_by(|(_, one), (_, other)| elo(other).total_cmp(&elo(one)));
        }
        "name" => {}
        other => {
            let known = "date, games, players, elo or name";
            return Err(Failure::bad_request(format!("sort={other}: give {known}")));
        }
    }
    Ok(())
}

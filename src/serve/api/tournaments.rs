//! `/api/1/tournaments`: which tournaments there are.

use std::cmp::Reverse;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer;
use stamma::study::tournament::Tournament;

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
    let before: usize = parameters.parsed("cursor")?.unwrap_or(0);
    let year: Option<u16> = parameters.parsed("year")?;
    let min_games = parameters.parsed("min-games")?.unwrap_or(1);
    let min_players = parameters.parsed("min-players")?.unwrap_or(1);
    let order = parameters.get("sort").unwrap_or_default();
    let filter = joined.game_options()?.filter;

    let found = joined.tournaments(&filter)?;
    let has_size = |one: &Tournament| one.games.len() >= min_games && one.players >= min_players;
    let is_of_year = |one: &Tournament| year.is_none_or(|year| one.is_of_year(year));
    let mut list: Vec<&Tournament> = found.list.iter().collect();
    list.retain(|one| has_size(one) && is_of_year(one));
    sort(&mut list, order)?;

    let page = list.iter().skip(before).take(limit);
    let names = joined.names_in_answers();
    let rows = joined.together(|databases, _| {
        page.map(|one| answer::Tournament::read(databases, names.as_deref(), one))
            .collect::<stamma::Result<Vec<_>>>()
    })?;

    let end = before.saturating_add(rows.len());
    Answer::json(&answer::Tournaments {
        tournaments: rows,
        count: list.len(),
        without_event: found.without_event,
        duplicates: found.duplicates,
        next: (end < list.len()).then(|| end.to_string()),
    })
}

/// Sorts tournaments, which are in the order of names.
fn sort(list: &mut [&Tournament], order: &str) -> Result<(), Failure> {
    match order {
        "" | "date" => list.sort_by_key(|one| Reverse((one.last, one.first))),
        "games" => list.sort_by_key(|one| Reverse(one.games.len())),
        "players" => list.sort_by_key(|one| Reverse(one.players)),
        "elo" => {
            let elo = |one: &Tournament| one.mean_elo.unwrap_or(0.0);
            list.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        }
        "name" => {}
        other => {
            let known = "date, games, players, elo or name";
            return Err(Failure::bad_request(format!("sort={other}: give {known}")));
        }
    }
    Ok(())
}

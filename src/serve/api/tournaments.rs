//! `/api/1/tournaments`: which tournaments there are.

use std::cmp::Reverse;
use std::sync::Arc;

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Joined, Method, Question, Route, Weight};
use stamma::Filter;
use stamma::storage::GameId;
use stamma::study::tournament::{Tournament, Tournaments};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/tournaments",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "The tournaments of the games that filters match, page by page",
        parameters: &[
            ("year", "only tournaments that were played in this year"),
            ("min-games", "the least number of games of a tournament (default: 1)"),
            ("min-players", "the least number of players of a tournament (default: 1)"),
            ("sort", "date (the latest first, default), games, players, elo or name"),
            ("limit", "the number of tournaments of a page, at most 500 (default: 50)"),
            ("cursor", "the page, as `next` of the page before it has it"),
        ],
        has_filters: true,
        schema: "Tournaments",
    },
};

const USUAL_ROWS: usize = 50;
const MOST_ROWS: usize = 500;

#[derive(Serialize)]
struct Record<'t> {
    tournaments: Vec<Heading<'t>>,
    count: usize,
    without_event: u64,
    duplicates: u64,
    next: Option<String>,
}

/// What a tournament is called, when it was, and how large.
#[derive(Serialize)]
pub(super) struct Heading<'t> {
    /// The name of the database, if the request is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) database: Option<String>,
    /// The first game, by which the crosstable is asked for.
    game: Option<GameId>,
    event: &'t str,
    site: Option<&'t str>,
    first_date: Option<String>,
    last_date: Option<String>,
    games: usize,
    players: u64,
    mean_elo: Option<i64>,
}

impl Heading<'_> {
    pub(super) fn of(tournament: &Tournament) -> Heading<'_> {
        Heading {
            database: None,
            game: tournament.games.iter().chain(&tournament.duplicates).next().copied(),
            event: &tournament.event,
            site: tournament.site.as_deref(),
            first_date: tournament.first.map(|date| date.to_string()),
            last_date: tournament.last.map(|date| date.to_string()),
            games: tournament.games.len(),
            players: tournament.players,
            mean_elo: tournament.mean_elo.map(|elo| elo.round() as i64),
        }
    }
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?;
    let before: usize = parameters.parsed("cursor")?.unwrap_or(0);
    let year: Option<u16> = parameters.parsed("year")?;
    let least_games = parameters.parsed("min-games")?.unwrap_or(1);
    let least_players = parameters.parsed("min-players")?.unwrap_or(1);
    let order = parameters.get("sort").unwrap_or_default();
    let filter = joined.game_options()?.filter;
    let found = joined.ask(|question| tournaments(question, &filter))?;
    let of_all = found.iter().enumerate();
    let mut list: Vec<(usize, &Tournament)> = of_all
        .flat_map(|(database, found)| found.list.iter().map(move |one| (database, one)))
        .collect();
    if joined.has_several() {
        list.sort_by(|(_, one), (_, other)| one.event.cmp(&other.event));
    }
    list.retain(|(_, one)| {
        year.is_none_or(|year| one.is_of_year(year))
            && one.games.len() >= least_games
            && one.players >= least_players
    });
    sort(&mut list, order)?;
    let shown: Vec<_> = list
        .iter()
        .skip(before)
        .take(limit)
        .map(|(database, one)| Heading { database: joined.name_of(*database), ..Heading::of(one) })
        .collect();
    let end = before.saturating_add(shown.len());
    Answer::json(&Record {
        tournaments: shown,
        count: list.len(),
        without_event: found.iter().map(|found| found.without_event).sum(),
        duplicates: found.iter().map(|found| found.duplicates).sum(),
        next: (end < list.len()).then(|| end.to_string()),
    })
}

/// The tournaments of the filters; those of all games are read once.
fn tournaments(question: &Question<'_>, filter: &Filter) -> Result<Arc<Tournaments>, Failure> {
    Ok(match filter.is_empty() {
        true => question.prepared.tournaments(question.database, question.request.budget)?,
        false => Arc::new(Tournaments::read_watched(question.database, filter, &question.watch)?),
    })
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

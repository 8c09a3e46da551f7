//! `/api/1/tournaments`: which tournaments there are.

use std::cmp::Reverse;
use std::sync::Arc;

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::query::tournament::{Tournament, Tournaments};
use stamma::storage::GameId;

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

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let parameters = question.parameters;
    let limit = parameters.rows("limit", USUAL_ROWS, MOST_ROWS)?;
    let before: usize = parameters.parsed("cursor")?.unwrap_or(0);
    let year: Option<u16> = parameters.parsed("year")?;
    let least_games = parameters.parsed("min-games")?.unwrap_or(1);
    let least_players = parameters.parsed("min-players")?.unwrap_or(1);
    let order = parameters.get("sort").unwrap_or_default();
    let found = tournaments(question)?;
    let mut list: Vec<&Tournament> = found.list.iter().collect();
    list.retain(|one| {
        year.is_none_or(|year| one.is_of_year(year))
            && one.games.len() >= least_games
            && one.players >= least_players
    });
    sort(&mut list, order)?;
    let shown: Vec<_> = list.iter().skip(before).take(limit).map(|one| Heading::of(one)).collect();
    let end = before.saturating_add(shown.len());
    Answer::json(&Record {
        tournaments: shown,
        count: list.len(),
        without_event: found.without_event,
        duplicates: found.duplicates,
        next: (end < list.len()).then(|| end.to_string()),
    })
}

/// The tournaments of the filters; those of all games are read once.
fn tournaments(question: &Question<'_>) -> Result<Arc<Tournaments>, Failure> {
    let filter = question.game_options()?.filter;
    Ok(match filter.is_empty() {
        true => question.prepared.tournaments(question.database, question.budget)?,
        false => Arc::new(Tournaments::read_watched(question.database, &filter, &question.watch)?),
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

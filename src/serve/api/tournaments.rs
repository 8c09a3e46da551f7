//! `/api/1/tournaments`: a list of tournaments, page by page.

use std::cmp::{Ordering, Reverse};

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::parameters::Parameters;
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

    // A cursor is the number of tournaments before the page.
    let before: usize = parameters.parse("cursor")?.unwrap_or(0);
    let limits = Limits::read(parameters)?;
    let order = parameters.get("sort").unwrap_or_default();
    let filter = joined.game_options()?.filter;

    let found = joined.tournaments(&filter)?;
    let mut list: Vec<&Tournament> = found.list.iter().collect();
    list.retain(|tournament| limits.include(tournament));
    sort(&mut list, order)?;

    let names = joined.names_in_answers();
    let rows = joined.together(|databases, _| -> stamma::Result<Vec<answer::Tournament>> {
        let mut rows = Vec::new();
        for tournament in list.iter().skip(before).take(limit) {
            let row = answer::Tournament::read(databases, names.as_deref(), tournament)?;
            rows.push(row);
        }
        Ok(rows)
    })?;

    let end = before.saturating_add(rows.len());
    let next = if end < list.len() {
        Some(end.to_string())
    } else {
        None
    };
    Answer::json(&answer::Tournaments {
        tournaments: rows,
        count: list.len(),
        without_event: found.without_event,
        duplicates: found.duplicates,
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

/// Sorts tournaments, which are in the order of names.
fn sort(list: &mut [&Tournament], order: &str) -> Result<(), Failure> {
    // Sorting is stable, so that equal tournaments stay in the order of names.
    match order {
        "" | "date" => list.sort_by_key(|tournament| Reverse((tournament.last, tournament.first))),
        "games" => list.sort_by_key(|tournament| Reverse(tournament.games.len())),
        "players" => list.sort_by_key(|tournament| Reverse(tournament.players)),
        "elo" => list.sort_by(|one, other| by_elo(other, one)),
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

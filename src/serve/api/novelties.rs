//! `/api/1/novelties`: where games first reach positions that no earlier game had.

use std::cmp::Reverse;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer;
use stamma::game::Ply;
use stamma::study::novelty::{JoinedNovelties, Novelty, NoveltyQuery};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/novelties",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The novelties of the games that filters match, at most 5,000 games",
        parameters: &[
            (
                "source",
                "only games of this source, by its path, file name or number; last: the source of the latest import",
            ),
            (
                "after-ply",
                "only novelties after more half-moves than this number (default: 0)",
            ),
            (
                "min-games",
                "only in positions of so many earlier games (default: 1)",
            ),
            (
                "sort",
                "date (the latest game first, default), games (before it) or ply",
            ),
            ("limit", "the most novelties, at most 500 (default: 50)"),
        ],
        has_filters: true,
        schema: Some(schema_of::<answer::Novelties>),
    },
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 500;
/// The maximum number of games whose novelties one answer finds. A week of play has fewer games.
const MAX_GAMES: u64 = 5000;
/// The memory where all games of a small database are replayed.
const MEMORY_BYTES: usize = 64 << 20;

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;
    let sort = parameters.get("sort").unwrap_or_default();
    let sort_key = sort_key(sort)?;

    let filter = joined.game_options()?.filter;
    let after_ply = parameters.parse("after-ply")?;
    let min_games = parameters.parse("min-games")?;
    let query = NoveltyQuery {
        filter,
        new_games: joined.request.new_games(),
        after_ply: after_ply.unwrap_or(Ply::START),
        min_games: min_games.unwrap_or(1),
        memory: MEMORY_BYTES,
    };

    let names = joined.names_in_answers();
    joined.together(|databases, watch| {
        let games = JoinedNovelties::count_games(databases, &query, &watch)?;
        check_size(games)?;

        // The list is in the order of dates. The sort is stable, so the latest of equal novelties stays first.
        let mut found = JoinedNovelties::read(databases, &query, &watch)?;
        found.list.reverse();
        if let Some(key) = sort_key {
            found
                .list
                .sort_by_key(|of_database| Reverse(key(&of_database.novelty)));
        }

        let answer = answer::Novelties::read(databases, names.as_deref(), &found, limit)?;
        Answer::json(&answer)
    })
}

/// A key of a novelty, by which lists are sorted in descending order.
type Key = fn(&Novelty) -> u64;

/// The key of the parameter `sort`; `None` for the order of dates.
fn sort_key(name: &str) -> Result<Option<Key>, Failure> {
    match name {
        "" | "date" => Ok(None),
        "games" => Ok(Some(|novelty| novelty.before)),
        "ply" => Ok(Some(|novelty| novelty.ply.get().into())),
        other => {
            let sentence = format!("sort={other}: give date, games or ply");
            Err(Failure::bad_request(sentence))
        }
    }
}

/// Refuses more games than one answer should look up.
fn check_size(games: u64) -> Result<(), Failure> {
    if games > MAX_GAMES {
        return Err(Failure::bad_request(format!(
            "{games} games match; this route accepts at most {MAX_GAMES}: add event, since or until"
        )));
    }
    Ok(())
}

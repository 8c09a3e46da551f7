//! `/lichess`: the moves of games by speed, rating and month, with the best-rated and the latest games.

use super::explored::Explored;
use super::parameters::{DEFAULT_MOVES, ExplorerParameters, add_filters, is_on, matches_nothing};
use super::reply::{Fields, Reply};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::prepared::MAX_RECENT;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::Filter;
use stamma::query::FeaturedLimits;

/// The maximum number of best-rated games.
const MAX_TOP: usize = 4;

const DESCRIPTION: Description = Description {
    summary: "The moves of games by speed, rating and month, as Lichess's explorer tells them of its players",
    parameters: &[
        (
            "fen",
            "the position, with spaces or underscores (default: the start)",
        ),
        (
            "play",
            "moves from there in UCI notation, separated by commas",
        ),
        (
            "speeds",
            "ultraBullet, bullet, blitz, rapid, classical, correspondence, separated by commas",
        ),
        (
            "ratings",
            "groups of mean ratings by their lower ends: 0, 1000, 1200 … 2200, 2500",
        ),
        ("since", "the first month, 2024-01"),
        ("until", "the last month"),
        ("moves", "the most moves (default: 12)"),
        (
            "topGames",
            "the most best-rated games, at most 4 (default: 4)",
        ),
        (
            "recentGames",
            "the most latest games, at most 8 (default: 8)",
        ),
        ("history", "true counts games by month"),
    ],
    has_filters: false,
    schema: Some(schema_of::<Reply>),
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/lichess",
    interface: Interface::Explorer,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: DESCRIPTION,
};

/// The results by month, without moves.
pub(in crate::serve) const HISTORY_ROUTE: Route = Route {
    path: "/lichess/history",
    handler: Handler::Whole(answer_history),
    description: DESCRIPTION,
    ..ROUTE
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let options = ExplorerParameters::read(parameters, DEFAULT_MOVES, MAX_TOP, MAX_RECENT)?;
    let has_history = is_on(parameters, "history");
    reply(joined, &options, has_history)
}

fn answer_history(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let read = ExplorerParameters::read(parameters, DEFAULT_MOVES, 0, 0)?;

    // This route never answers with moves and games, even if the request has their parameters.
    let options = ExplorerParameters { moves: 0, ..read };
    reply(joined, &options, true)
}

/// The answer for the games that match the filters of the request; `history` adds the results by month.
fn reply(
    joined: &Joined<'_>,
    options: &ExplorerParameters,
    history: bool,
) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let mut filter = Filter::default();
    add_filters(parameters, &mut filter)?;

    // A game of one list is left out of the other list, even if the request limits the first one to no games.
    let limits = FeaturedLimits {
        top: MAX_TOP,
        recent: MAX_RECENT,
        months: history,
    };
    let explored = if matches_nothing(parameters) {
        Explored::nothing()
    } else {
        Explored::read(joined, &options.line.here, &filter, limits)?
    };

    let fields = Fields {
        recent_games: true,
        top_games: true,
        history,
        speeds: true,
        player: None,
    };
    let reply = Reply::new(joined, options, &explored, fields)?;
    Answer::json(&reply)
}

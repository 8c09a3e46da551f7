//! `/masters`: the moves of all games in a position, with the best-rated games.

use super::explored::Explored;
use super::parameters::{DEFAULT_MOVES, ExplorerParameters, add_years};
use super::reply::{Fields, Reply};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::prepared::MAX_TOP;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::Filter;
use stamma::query::FeaturedLimits;

const DESCRIPTION: Description = Description {
    summary: "The moves of all games in a position, as Lichess's explorer tells them of masters",
    parameters: &[
        (
            "fen",
            "the position, with spaces or underscores (default: the start)",
        ),
        (
            "play",
            "moves from there in UCI notation, separated by commas",
        ),
        ("since", "the first year"),
        ("until", "the last year"),
        ("moves", "the most moves (default: 12)"),
        ("topGames", "the most games, at most 15 (default: 15)"),
    ],
    has_filters: false,
    schema: Some(schema_of::<Reply>),
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/masters",
    interface: Interface::Explorer,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: DESCRIPTION,
};

/// The older name of the route.
pub(in crate::serve) const OLDER_ROUTE: Route = Route {
    path: "/master",
    description: DESCRIPTION,
    ..ROUTE
};

const FIELDS: Fields = Fields {
    recent_games: false,
    top_games: true,
    history: false,
    speeds: false,
    player: None,
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let options = ExplorerParameters::read(parameters, DEFAULT_MOVES, MAX_TOP, 0)?;
    let mut filter = Filter::default();
    add_years(parameters, &mut filter)?;

    let limits = FeaturedLimits {
        top: options.top_games,
        ..FeaturedLimits::default()
    };
    let explored = Explored::read(joined, &options.line.here, &filter, limits)?;

    let reply = Reply::new(joined, &options, &explored, FIELDS)?;
    Answer::json(&reply)
}

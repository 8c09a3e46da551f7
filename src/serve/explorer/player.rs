//! `/player`: the moves in the games of one player.

use super::explored::Explored;
use super::parameters::{ExplorerParameters, add_filters, is_on, matches_nothing, misread};
use super::reply::{Fields, Reply};
use crate::serve::answer::{Answer, NDJSON};
use crate::serve::api::player::name_query;
use crate::serve::failure::Failure;
use crate::serve::parameters::Parameters;
use crate::serve::prepared::MAX_RECENT;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::Filter;
use stamma::board::Color;
use stamma::query::{FeaturedLimits, NameQuery};

const DESCRIPTION: Description = Description {
    summary: "The moves in the games of one player, as Lichess's explorer tells them: one line of JSON",
    parameters: &[
        (
            "player",
            "words or word prefixes of the name, or the exact name behind =",
        ),
        ("color", "white or black"),
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
        ("since", "the first month, 2024-01"),
        ("until", "the last month"),
        ("moves", "the most moves (default: all)"),
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
    path: "/player",
    interface: Interface::Explorer,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: DESCRIPTION,
};

/// The older name of the route.
pub(in crate::serve) const OLDER_ROUTE: Route = Route {
    path: "/personal",
    description: DESCRIPTION,
    ..ROUTE
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let parameters = joined.request.parameters;
    let options = ExplorerParameters::read(parameters, usize::MAX, 0, MAX_RECENT)?;
    let history = is_on(parameters, "history");

    let player = player(parameters)?;
    let color = color(parameters)?;
    let mut filter = Filter::default();
    add_filters(parameters, &mut filter)?;
    match color {
        Color::White => filter.white.push(player),
        Color::Black => filter.black.push(player),
    }

    let limits = FeaturedLimits {
        top: 0,
        recent: options.recent_games,
        months: history,
    };
    let explored = if matches_nothing(parameters) {
        Explored::nothing()
    } else {
        Explored::read(joined, &options.line.here, &filter, limits)?
    };

    let fields = Fields {
        recent_games: true,
        top_games: false,
        history,
        speeds: true,
        player: Some(color),
    };
    let reply = Reply::new(joined, &options, &explored, fields)?;

    // Lichess sends a line for each stage of its indexing. Here, the first line is the last one.
    let mut answer = Answer::json(&reply)?;
    answer.body.push(b'\n');
    Ok(Answer {
        content_type: NDJSON,
        is_unbuffered: true,
        ..answer
    })
}

/// The name of the player, which must be given.
fn player(parameters: &Parameters) -> Result<NameQuery, Failure> {
    let Some(text) = parameters.get("player") else {
        return Err(misread("player", "missing field `player`"));
    };

    name_query(text).map_err(|failure| misread("player", &failure.sentence))
}

/// The colour of the player, which must be given.
fn color(parameters: &Parameters) -> Result<Color, Failure> {
    let Some(text) = parameters.get("color") else {
        return Err(misread("color", "missing field `color`"));
    };

    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        other => {
            let why = format!("{other} is not white or black");
            Err(misread("color", &why))
        }
    }
}

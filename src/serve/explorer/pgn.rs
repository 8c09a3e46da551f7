//! `/masters/pgn/{id}`: the game with an id.

use super::ids::game;
use crate::serve::answer::{Answer, PGN};
use crate::serve::failure::Failure;
use crate::serve::route::{DatabaseRequest, Description, Handler, Interface, Route, Weight};
use crate::serve::written::pgn;

const DESCRIPTION: Description = Description {
    summary: "The game with an id, as PGN",
    parameters: &[],
    has_filters: false,
    schema: None,
};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/masters/pgn/{id}",
    interface: Interface::Explorer,
    weight: Weight::Light,
    handler: Handler::OfOne(answer),
    description: DESCRIPTION,
};

/// The same under its older name.
pub(in crate::serve) const OLDER_ROUTE: Route =
    Route { path: "/master/pgn/{id}", description: DESCRIPTION, ..ROUTE };

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    let id = request.common.id.trim_end_matches(".pgn");
    let missing = || Failure::not_found(format!("there is no game {id}"));
    let game = game(id).ok_or_else(missing)?;
    let text = pgn(request.database, game)?.ok_or_else(missing)?;
    Ok(Answer::new(PGN, text))
}

//! `/masters/pgn/{id}`: the game with an id.

use super::ids::{database, game};
use crate::serve::answer::{Answer, PGN};
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight,
};
use crate::serve::written::pgn;
use stamma::query::OnlineGame;

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
    handler: Handler::Whole(answer),
    description: DESCRIPTION,
};

/// The same under its older name.
pub(in crate::serve) const OLDER_ROUTE: Route = Route {
    path: "/master/pgn/{id}",
    description: DESCRIPTION,
    ..ROUTE
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let id = joined.request.id.trim_end_matches(".pgn");
    let missing = || Failure::not_found(format!("there is no game {id}"));
    for database in 0..joined.pools().count() {
        let text = joined.run_one(database, |request| text_of(request, id))?;
        if let Some(text) = text {
            return Ok(Answer::new(PGN, text));
        }
    }
    Err(missing())
}

/// The text of the game of a database with an id, which may be that of Lichess.
fn text_of(request: &DatabaseRequest<'_>, id: &str) -> Result<Option<Vec<u8>>, Failure> {
    if let Some(game) = OnlineGame::with_lichess_id(request.database, id)? {
        return Ok(pgn(request.database, game.get())?);
    }
    match (game(id), database(id)) {
        (Some(game), Some(number)) if number == request.pool.number => {
            Ok(pgn(request.database, game)?)
        }
        _ => Ok(None),
    }
}

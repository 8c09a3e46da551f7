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

/// The older name of the route.
pub(in crate::serve) const OLDER_ROUTE: Route = Route {
    path: "/master/pgn/{id}",
    description: DESCRIPTION,
    ..ROUTE
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let id = joined.request.id.trim_end_matches(".pgn");

    // An id of Lichess does not contain the number of the database.
    for database in 0..joined.pools().count() {
        let found = joined.run_one(database, |request| text_of(request, id))?;
        if let Some(text) = found {
            return Ok(Answer::new(PGN, text));
        }
    }

    let sentence = format!("there is no game {id}");
    Err(Failure::not_found(sentence))
}

/// The PGN of a game of a database, by the game's id here or by the id that the game has at Lichess.
fn text_of(request: &DatabaseRequest<'_>, id: &str) -> Result<Option<Vec<u8>>, Failure> {
    if let Some(game) = OnlineGame::with_lichess_id(request.database, id)? {
        let text = pgn(request.database, game.get())?;
        return Ok(text);
    }

    let (Some(game), Some(number)) = (game(id), database(id)) else {
        return Ok(None);
    };
    if number != request.pool.number {
        return Ok(None);
    }

    let text = pgn(request.database, game)?;
    Ok(text)
}

//! `/api/1/pgn` and `/api/1/games/{id}/pgn`: games as PGN.

use std::io::Write;

use super::game::requested_game;
use crate::serve::answer::{Answer, PGN};
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, Writing,
};
use crate::serve::written::write;
use stamma::error::Error;
use stamma::query::{Hit, Query};
use stamma::storage::{Database, GameReader};

/// All games of a query, written while the search goes on.
pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/pgn",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Streamed(PGN, stream),
    description: Description {
        summary: "All games of a query as PGN",
        parameters: &[
            (
                "fen",
                "a position that games must reach; fields at its end may be left out",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
            ("limit", "the most games (default: all)"),
        ],
        has_filters: true,
        schema: None,
    },
};

/// One game.
pub(in crate::serve) const GAME_ROUTE: Route = Route {
    path: "/api/1/games/{id}/pgn",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::OfOne(answer),
    description: Description {
        summary: "One game as PGN",
        parameters: &[],
        has_filters: false,
        schema: None,
    },
};

fn answer(request: &DatabaseRequest<'_>) -> Result<Answer, Failure> {
    let (id, game) = requested_game(request)?;

    let mut text = Vec::new();
    write(request.database, id, &game, &mut text)?;
    Ok(Answer::new(PGN, text))
}

/// Checks the query. The returned closure writes its games.
fn stream(joined: &Joined<'_>) -> Result<Writing, Failure> {
    let (all_games, _) = joined.game_query()?;
    let query = match joined.request.parameters.parse("limit")? {
        Some(limit) => all_games.limit(limit),
        None => all_games,
    };

    // A condition that cannot be read must fail before the answer begins, as its status is then sent.
    joined.run(|request| {
        request.database.query_watched(&query, request.watch)?;
        Ok(())
    })?;

    Ok(Box::new(move |joined, out| {
        if joined.has_several() {
            return write_joined(joined, &query, out);
        }
        joined.run_one(0, |request| write_all(request, &query, out))
    }))
}

/// Writes the games of one database, in the order of the query.
fn write_all(
    request: &DatabaseRequest<'_>,
    query: &Query,
    out: &mut dyn Write,
) -> stamma::Result<()> {
    let database = request.database;
    let mut results = database.query_watched(query, request.watch)?;

    let mut text = Vec::new();
    for found in results.games()? {
        let (id, game) = found?;
        text.clear();
        write(database, id.get(), &game, &mut text)?;
        out.write_all(&text).map_err(Error::Output)?;
    }
    Ok(())
}

/// Writes the games of several databases, in the order of the query.
fn write_joined(joined: &Joined<'_>, query: &Query, out: &mut dyn Write) -> stamma::Result<()> {
    joined.query(query, |results| {
        for text in results.hits(texts) {
            let (_, text) = text?;
            out.write_all(&text).map_err(Error::Output)?;
        }
        Ok(())
    })
}

/// The games of hits as PGN. A game that is gone is an empty text, so that texts and hits stay side by side.
fn texts(database: &Database, hits: Vec<Hit>) -> stamma::Result<Vec<Vec<u8>>> {
    let mut reader = GameReader::new(database)?;
    let mut texts = Vec::with_capacity(hits.len());
    for hit in hits {
        let mut text = Vec::new();
        if let Some(game) = reader.game(hit.game)? {
            write(database, hit.game.get(), &game, &mut text)?;
        }
        texts.push(text);
    }
    Ok(texts)
}

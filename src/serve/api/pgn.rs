//! `/api/1/pgn` and `/api/1/games/{id}/pgn`: games as PGN.

use std::io::Write;

use super::game::game;
use crate::serve::answer::{Answer, PGN};
use crate::serve::failure::Failure;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight, Writing};
use crate::serve::written::write;
use stamma::error::Error;
use stamma::query::Query;

/// All games of a query, as they are found.
pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/pgn",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Streamed(PGN, stream),
    description: Description {
        summary: "All games of a query as PGN",
        parameters: &[
            ("fen", "a position that games must reach; fields at its end may be left out"),
            ("play", "moves from there in UCI notation, separated by commas"),
            ("limit", "the most games (default: all)"),
        ],
        has_filters: true,
        schema: "",
    },
};

/// One game.
pub(in crate::serve) const GAME_ROUTE: Route = Route {
    path: "/api/1/games/{id}/pgn",
    interface: Interface::Own,
    weight: Weight::Light,
    method: Method::Whole(answer),
    description: Description {
        summary: "One game as PGN",
        parameters: &[],
        has_filters: false,
        schema: "",
    },
};

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let (id, game) = game(question)?;
    let mut text = Vec::new();
    write(question.database, id, &game, &mut text)?;
    Ok(Answer::new(PGN, text))
}

fn stream(question: &Question<'_>) -> Result<Writing, Failure> {
    let (query, _) = question.game_query()?;
    let query = match question.parameters.parsed("limit")? {
        Some(limit) => query.limit(limit),
        None => query,
    };
    // A condition that cannot be read is told before the answer begins.
    drop(question.database.query_watched(&query, question.watch)?);
    Ok(Box::new(move |question, out| write_all(question, &query, out)))
}

fn write_all(question: &Question<'_>, query: &Query, out: &mut dyn Write) -> stamma::Result<()> {
    let mut results = question.database.query_watched(query, question.watch)?;
    let mut text = Vec::new();
    for found in results.games()? {
        let (id, game) = found?;
        text.clear();
        write(question.database, id.get(), &game, &mut text)?;
        out.write_all(&text).map_err(Error::Output)?;
    }
    Ok(())
}

//! `/api/1/transpositions`: how many games reach the positions after each legal move, by this move or by others.

use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::Line;
use crate::serve::route::{Description, Interface, Method, Question, Route, Weight};
use stamma::notation::san;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/transpositions",
    interface: Interface::Own,
    weight: Weight::Heavy,
    method: Method::Whole(answer),
    description: Description {
        summary: "The games that reach the positions after each legal move, by any order of moves",
        parameters: &[
            ("fen", "the position, with spaces or underscores (default: the start)"),
            ("play", "moves from there in UCI notation, separated by commas"),
        ],
        has_filters: true,
        schema: "Transpositions",
    },
};

#[derive(Serialize)]
struct Record {
    moves: Vec<Reached>,
}

/// A legal move whose position games reach.
#[derive(Serialize)]
struct Reached {
    uci: String,
    san: String,
    games: u64,
}

fn answer(question: &Question<'_>) -> Result<Answer, Failure> {
    let line = Line::read(question.parameters)?;
    let options = question.game_options()?;
    let (here, uci) = (&line.here, line.uci());
    let mut moves = Vec::new();
    for mv in here.legal_moves() {
        let mut after = here.clone();
        after.play(mv);
        let query = options.query.clone().positions([after]);
        let games = question.database.query_watched(&query, question.watch)?.count()?;
        if games > 0 {
            moves.push(Reached { uci: uci.text(mv), san: san(here, mv), games });
        }
    }
    moves.sort_by_key(|reached| std::cmp::Reverse(reached.games));
    Answer::json(&Record { moves })
}

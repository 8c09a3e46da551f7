//! `/api/1/pgn-line`: a text that was pasted, as a line of moves: PGN, moves in any notation and language, or a FEN.

use schemars::JsonSchema;
use serde::Serialize;

use super::position::{LineMove, line_moves};
use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::{PlayedLine, position};
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::board::{Move, Position};
use stamma::notation::read_fen;
use stamma::replay::{Problem, Readings};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/pgn-line",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "A pasted text as a line: PGN, moves in any notation and language, or a FEN",
        parameters: &[("text", "the text")],
        has_filters: false,
        schema: Some(schema_of::<PgnLine>),
    },
};

#[derive(Serialize, JsonSchema)]
struct PgnLine {
    fen: String,
    play: String,
    line: Vec<LineMove>,
    problem: Option<String>,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let text = joined.request.parameters.required("text")?;

    if let Ok(position) = position(text.trim()) {
        let line = PlayedLine::at(position);
        return answer_line(&line, None);
    }

    let pgn = format!("{text}\n");
    let replay = Readings::default().replay(&pgn).replay;
    let start = match replay.game.start.as_deref() {
        Some(fen) => start(fen)?,
        None => Position::start(),
    };

    let mut line = PlayedLine::at(start);
    for &mv in &replay.played {
        // A line of the server has legal moves only.
        if mv == Move::NULL {
            break;
        }
        line.push(mv);
    }

    // The first text that is no legal move ends the line, and is reported in the answer.
    let mut problems = replay.problems.into_iter();
    let problem: Option<Problem> = problems.find(|problem| problem.kind.loses_line());
    let message = problem.map(|problem| problem.message);
    if line.moves.is_empty() {
        let sentence = match message {
            Some(message) => message,
            None => "there are no moves in this text".to_owned(),
        };
        return Err(Failure::bad_request(sentence));
    }
    answer_line(&line, message)
}

fn start(fen: &str) -> Result<Position, Failure> {
    let setup = match read_fen(fen) {
        Ok((setup, _)) => setup,
        Err(error) => return Err(Failure::bad_request(error.to_string())),
    };

    match Position::try_from(&setup) {
        Ok(position) => Ok(position),
        Err(faults) => Err(Failure::bad_request(faults.to_string())),
    }
}

fn answer_line(line: &PlayedLine, problem: Option<String>) -> Result<Answer, Failure> {
    let uci = line.uci();
    let mut play = Vec::with_capacity(line.moves.len());
    for (_, mv) in &line.moves {
        play.push(uci.text(*mv));
    }

    Answer::json(&PgnLine {
        fen: line.start.fen(),
        play: play.join(","),
        line: line_moves(line),
        problem,
    })
}

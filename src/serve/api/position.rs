//! `/api/1/position`: a position, its legal moves, and the line that leads to it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::Line;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight, schema_of};
use stamma::answer::OpeningRef;
use stamma::board::{Move, MoveKind, Position, Square};
use stamma::notation::{Uci, san};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/position",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "A position with its legal moves",
        parameters: &[
            (
                "fen",
                "the position, with spaces or underscores (default: the start)",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
        ],
        has_filters: false,
        schema: Some(schema_of::<PositionAnswer>),
    },
};

#[derive(Serialize, JsonSchema)]
struct PositionAnswer {
    fen: String,
    turn: &'static str,
    check: bool,
    status: Option<&'static str>,
    #[serde(flatten)]
    opening: OpeningRef,
    moves: Vec<LegalMove>,
    line: Vec<LineMove>,
}

#[derive(Serialize, JsonSchema)]
struct LegalMove {
    uci: String,
    san: String,
    from: String,
    to: String,
    promotion: Option<char>,
}

/// A move of a line with the position after it.
#[derive(Serialize, JsonSchema)]
pub(in crate::serve) struct LineMove {
    uci: String,
    san: String,
    fen: String,
}

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let line = Line::read(joined.request.parameters)?;
    let (here, uci) = (&line.here, line.uci());
    Answer::json(&PositionAnswer {
        fen: here.fen(),
        turn: if here.turn().is_white() {
            "white"
        } else {
            "black"
        },
        check: here.is_check(),
        status: status(here),
        opening: OpeningRef::of(joined.openings(), line.positions_back()),
        moves: here
            .legal_moves()
            .into_iter()
            .map(|mv| legal_move(here, mv, uci))
            .collect(),
        line: line_moves(&line),
    })
}

/// The moves of a line, each with the position after it.
pub(in crate::serve) fn line_moves(line: &Line) -> Vec<LineMove> {
    let uci = line.uci();
    let after = line
        .moves
        .iter()
        .skip(1)
        .map(|(before, _)| before)
        .chain([&line.here]);
    let moves = line
        .moves
        .iter()
        .zip(after)
        .map(|((before, mv), after)| LineMove {
            uci: uci.text(*mv),
            san: san(before, *mv),
            fen: after.fen(),
        });
    moves.collect()
}

fn legal_move(position: &Position, mv: Move, uci: Uci) -> LegalMove {
    LegalMove {
        uci: uci.text(mv),
        san: san(position, mv),
        from: mv.from.to_string(),
        to: target(mv, uci).to_string(),
        promotion: mv
            .promotion
            .map(|role| role.letter().to_ascii_lowercase() as char),
    }
}

/// The square to which people drag a piece: when castling, the king's target, and in Chess960 the rook.
fn target(mv: Move, uci: Uci) -> Square {
    match mv.kind {
        MoveKind::Castle if !uci.king_takes_rook() => mv.destination(),
        _ => mv.to,
    }
}

/// How the game is over in a position, if it is.
fn status(position: &Position) -> Option<&'static str> {
    if position.is_checkmate() {
        Some("checkmate")
    } else if position.is_stalemate() {
        Some("stalemate")
    } else {
        position
            .is_insufficient_material()
            .then_some("insufficient-material")
    }
}

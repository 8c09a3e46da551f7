//! `/api/1/position`: a position, its legal moves, and the line that leads to it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::line::PlayedLine;
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
    let line = PlayedLine::read(joined.request.parameters)?;
    let here = &line.here;
    let turn = if here.turn().is_white() {
        "white"
    } else {
        "black"
    };

    let mut moves = Vec::new();
    for mv in here.legal_moves() {
        moves.push(legal_move(here, mv, line.uci()));
    }

    Answer::json(&PositionAnswer {
        fen: here.fen(),
        turn,
        check: here.is_check(),
        status: end_of_game(here),
        opening: OpeningRef::of(joined.openings(), line.positions_back()),
        moves,
        line: line_moves(&line),
    })
}

/// The moves of a line, each with the position after it.
pub(in crate::serve) fn line_moves(line: &PlayedLine) -> Vec<LineMove> {
    let uci = line.uci();
    let mut moves = Vec::with_capacity(line.moves.len());
    for (at, (before, mv)) in line.moves.iter().enumerate() {
        // The position after a move is the position before the next one.
        let after = match line.moves.get(at + 1) {
            Some((position, _)) => position,
            None => &line.here,
        };
        moves.push(LineMove {
            uci: uci.text(*mv),
            san: san(before, *mv),
            fen: after.fen(),
        });
    }
    moves
}

fn legal_move(position: &Position, mv: Move, uci: Uci) -> LegalMove {
    let promotion = mv
        .promotion
        .map(|role| role.letter().to_ascii_lowercase() as char);

    LegalMove {
        uci: uci.text(mv),
        san: san(position, mv),
        from: mv.from.to_string(),
        to: drop_square(mv, uci).to_string(),
        promotion,
    }
}

/// The square to which people drag a piece. To castle, they drag the king to its target, and in Chess960 to the rook.
fn drop_square(mv: Move, uci: Uci) -> Square {
    match mv.kind {
        MoveKind::Castle if !uci.king_takes_rook() => mv.destination(),
        _ => mv.to,
    }
}

/// Why the game is over in a position; `None` if it is not.
fn end_of_game(position: &Position) -> Option<&'static str> {
    if position.is_checkmate() {
        Some("checkmate")
    } else if position.is_stalemate() {
        Some("stalemate")
    } else if position.is_insufficient_material() {
        Some("insufficient-material")
    } else {
        None
    }
}

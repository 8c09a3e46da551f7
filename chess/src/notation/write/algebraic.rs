//! Writers of the algebraic notations, which differ in origin squares, signs and marks.

use super::notations::Notation;
use super::parts::{Threat, push_square, threat};
use crate::board::{CastlingSide, Move, MoveKind, Position, Role};
use crate::notation::PieceLetters;
use crate::notation::constraints::captured_role;
use crate::notation::san::{Disambiguation, disambiguation, rivals};

/// Appends a move other than a null move.
pub(super) fn write(
    notation: Notation,
    position: &Position,
    mv: Move,
    letters: &PieceLetters,
    out: &mut String,
) {
    match (mv.kind, notation) {
        (MoveKind::Castle, _) => out.push_str(castling(notation, mv)),
        (_, Notation::San | Notation::Fide) => write_short(notation, position, mv, letters, out),
        _ => write_long(notation, position, mv, letters, out),
    }

    let is_en_passant = mv.kind == MoveKind::EnPassant;
    if is_en_passant && notation == Notation::Full {
        out.push_str("ep");
    }

    out.push_str(check_sign(notation, position, mv));

    if is_en_passant && notation == Notation::Fide {
        out.push_str(" e.p.");
    }
}

/// The sign of check or mate behind a move.
pub(super) fn check_sign(notation: Notation, position: &Position, mv: Move) -> &'static str {
    match (threat(position, mv), notation) {
        (Threat::None, _) => "",
        (Threat::DoubleCheck, Notation::Full) => "++",
        (Threat::Check | Threat::DoubleCheck, _) => "+",
        (Threat::Mate, Notation::Full) => "mat",
        (Threat::Mate, _) => "#",
    }
}

/// The text of castling: with letters in the notations of PGN files, with zeros in the others.
fn castling(notation: Notation, mv: Move) -> &'static str {
    let side = CastlingSide::of_rook(mv.from, mv.to);

    match (notation, side) {
        (Notation::San | Notation::Lan, _) => side.san(),
        (_, CastlingSide::King) => "0-0",
        (_, CastlingSide::Queen) => "0-0-0",
    }
}

/// Writes as much of the origin as needed (PGN §8.2.3.4).
fn write_short(
    notation: Notation,
    position: &Position,
    mv: Move,
    letters: &PieceLetters,
    out: &mut String,
) {
    let is_capture = captured_role(position, mv).is_some();
    let rivals = rivals(position, mv);

    // A pawn's capture always begins with its file.
    let written = match mv.role {
        Role::Pawn => Disambiguation {
            file: is_capture,
            rank: false,
        },
        _ if rivals.is_empty() => Disambiguation {
            file: false,
            rank: false,
        },
        _ => disambiguation(mv.from, rivals),
    };

    if mv.role != Role::Pawn {
        out.push_str(letters.letter(mv.role));
    }
    if written.file {
        out.push(mv.from.file().letter() as char);
    }
    if written.rank {
        out.push(mv.from.rank().digit() as char);
    }
    if is_capture {
        out.push('x');
    }
    push_square(mv.to, out);

    if let Some(role) = mv.promotion {
        if notation == Notation::San {
            out.push('=');
        }
        out.push_str(letters.letter(role));
    }
}

/// Writes the full origin, a dash or a cross, and in some notations the captured piece.
fn write_long(
    notation: Notation,
    position: &Position,
    mv: Move,
    letters: &PieceLetters,
    out: &mut String,
) {
    if mv.role != Role::Pawn && notation != Notation::Coordinate {
        out.push_str(letters.letter(mv.role));
    }
    push_square(mv.from, out);

    match captured_role(position, mv) {
        None => out.push('-'),
        Some(role) if role != Role::Pawn && notation == Notation::Full => {
            out.push('x');
            out.push_str(letters.letter(role));
        }
        Some(_) => out.push('x'),
    }
    push_square(mv.to, out);

    if let Some(role) = mv.promotion {
        out.push('=');
        out.push_str(letters.letter(role));
    }
}

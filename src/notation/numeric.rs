//! The numeric notation of correspondence chess: files and ranks as digits, and what a pawn becomes.
//!
//! `5254` is e2-e4, `5171` castling, `57581` promotes to a queen, `57582` to a rook. In the wild
//! promotions have four digits, too: without the piece, which then is a queen, or without the last
//! rank, `5752`; and six, where the piece is said with two, `575801`.

use super::constraints::{Constraints, MoveText, Roles};
use super::note::Note;
use crate::board::{Bitboard, Color, Role, Square};

/// What digits may mean, one after the other: the first that has a legal move decides.
pub(super) fn parse(text: &str, turn: Color) -> Option<[Option<(MoveText, Option<Note>)>; 3]> {
    let mut digits = [0; 6];
    let mut length = 0;
    for c in text.chars().filter(|&c| !matches!(c, '-' | '–' | ' ')) {
        *digits.get_mut(length)? = c.to_digit(10)? as u8;
        length += 1;
    }
    match digits[..length] {
        [a, b, c, d] => Some(four(square(a, b)?, c, d, turn)),
        [a, b, c, d, piece] => {
            let text = promotion(square(a, b)?, square(c, d)?, role(piece)?);
            Some([Some((text, None)), None, None])
        }
        [a, b, c, d, 0, piece] | [a, b, c, d, piece, 0] => {
            let text = promotion(square(a, b)?, square(c, d)?, role(piece)?);
            Some([Some((text, Some(Note::Slip))), None, None])
        }
        _ => None,
    }
}

fn four(from: Square, c: u8, d: u8, turn: Color) -> [Option<(MoveText, Option<Note>)>; 3] {
    let target = square(c, d);
    let plain = target.map(|to| (MoveText::Piece(whole(from, to)), None));
    let queen = target.map(|to| (promotion(from, to, Role::Queen), Some(Note::QueenAssumed)));
    let last_rank = if turn.is_white() { 7 } else { 0 };
    let short = match (c, role(d)) {
        (1..=8, Some(role)) => {
            let text = promotion(from, Square::at(c - 1, last_rank), role);
            Some((text, Some(Note::Slip)))
        }
        _ => None,
    };
    [plain, queen, short]
}

fn whole(from: Square, to: Square) -> Constraints {
    Constraints { from: Bitboard::of(from), ..Constraints::to(Bitboard::of(to)) }
}

fn promotion(from: Square, to: Square, into: Role) -> MoveText {
    MoveText::Piece(Constraints {
        roles: Roles::of(Role::Pawn),
        promotion: Some(into),
        ..whole(from, to)
    })
}

fn square(file: u8, rank: u8) -> Option<Square> {
    match (file, rank) {
        (1..=8, 1..=8) => Some(Square::at(file - 1, rank - 1)),
        _ => None,
    }
}

fn role(digit: u8) -> Option<Role> {
    Role::PROMOTIONS.get(usize::from(digit).checked_sub(1)?).copied()
}

//! The numeric notation of correspondence chess: files and ranks as digits, and a digit for promotions.
//!
//! `5254` is e2-e4, `5171` castling, `57581` promotes to a queen, `57582` to a rook. In the wild, promotions also have
//! four digits: without the piece, which is then a queen, or without the last rank, `5752`; and six, with the piece as
//! two digits, `575801`.

use super::constraints::{Constraints, MoveText, Roles};
use super::note::Note;
use crate::board::{Bitboard, Color, File, Rank, Role, Square};

/// A reading of the digits, and a note on it.
type Meaning = (MoveText, Option<Note>);

/// All readings of the digits; the first that has a legal move decides.
pub(super) fn parse(text: &str, turn: Color) -> impl Iterator<Item = Meaning> {
    let mut digits = [0; 6];
    let mut length = 0;
    for c in text.chars().filter(|&c| !matches!(c, '-' | '–' | ' ')) {
        match (c.to_digit(10), digits.get_mut(length)) {
            (Some(digit), Some(place)) => *place = digit as u8,
            _ => return meanings(&[], turn).into_iter().flatten(),
        }
        length += 1;
    }
    meanings(&digits[..length], turn).into_iter().flatten()
}

fn meanings(digits: &[u8], turn: Color) -> [Option<Meaning>; 3] {
    match *digits {
        [a, b, c, d] => four(square(a, b), c, d, turn),
        [a, b, c, d, piece] => [
            promotion(square(a, b), square(c, d), role(piece), None),
            None,
            None,
        ],
        [a, b, c, d, 0, piece] | [a, b, c, d, piece, 0] => {
            let note = Some(Note::Slip);
            [
                promotion(square(a, b), square(c, d), role(piece), note),
                None,
                None,
            ]
        }
        _ => [None; 3],
    }
}

/// The readings of four digits: a move, a promotion to a queen, or a promotion without its last rank.
fn four(from: Option<Square>, c: u8, d: u8, turn: Color) -> [Option<Meaning>; 3] {
    let target = square(c, d);
    let plain = from
        .zip(target)
        .map(|(from, to)| (MoveText::Piece(whole(from, to)), None));
    let queen = promotion(from, target, Some(Role::Queen), Some(Note::QueenAssumed));
    let last_rank = if turn.is_white() { 8 } else { 1 };
    let short = promotion(from, square(c, last_rank), role(d), Some(Note::Slip));
    [plain, queen, short]
}

fn whole(from: Square, to: Square) -> Constraints {
    Constraints {
        from: Bitboard::of(from),
        ..Constraints::to(Bitboard::of(to))
    }
}

fn promotion(
    from: Option<Square>,
    to: Option<Square>,
    into: Option<Role>,
    note: Option<Note>,
) -> Option<Meaning> {
    let roles = Roles::of(Role::Pawn);
    let constraints = Constraints {
        roles,
        promotion: Some(into?),
        ..whole(from?, to?)
    };
    Some((MoveText::Piece(constraints), note))
}

fn square(file: u8, rank: u8) -> Option<Square> {
    match (file, rank) {
        (1..=8, 1..=8) => Some(Square::at(File::new(file - 1), Rank::new(rank - 1))),
        _ => None,
    }
}

fn role(digit: u8) -> Option<Role> {
    Role::PROMOTIONS
        .get(usize::from(digit).checked_sub(1)?)
        .copied()
}

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

/// All readings of the digits, the most likely first; the caller takes the first reading that has a legal move.
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

/// The readings of four to six digits; no reading for any other number of digits.
fn meanings(digits: &[u8], turn: Color) -> [Option<Meaning>; 3] {
    match *digits {
        [from_file, from_rank, third, fourth] => {
            let from = square(from_file, from_rank);
            meanings_of_four(from, third, fourth, turn)
        }
        [from_file, from_rank, to_file, to_rank, piece] => {
            let from = square(from_file, from_rank);
            let to = square(to_file, to_rank);

            [promotion(from, to, role(piece), None), None, None]
        }
        // The piece as two digits, `01` or `10`.
        [from_file, from_rank, to_file, to_rank, 0, piece]
        | [from_file, from_rank, to_file, to_rank, piece, 0] => {
            let from = square(from_file, from_rank);
            let to = square(to_file, to_rank);

            [
                promotion(from, to, role(piece), Some(Note::Slip)),
                None,
                None,
            ]
        }
        _ => [None; 3],
    }
}

/// The readings of four digits, of which the first two are the origin: a move, a promotion to a queen, or a promotion
/// without its last rank.
fn meanings_of_four(
    from: Option<Square>,
    third: u8,
    fourth: u8,
    turn: Color,
) -> [Option<Meaning>; 3] {
    let target = square(third, fourth);
    let plain = match (from, target) {
        (Some(from), Some(to)) => Some((MoveText::Piece(between(from, to)), None)),
        _ => None,
    };

    let queen = promotion(from, target, Some(Role::Queen), Some(Note::QueenAssumed));

    // `5752`: the target's file, then the digit of the piece.
    let last_rank = if turn.is_white() { 8 } else { 1 };
    let last_square = square(third, last_rank);
    let without_rank = promotion(from, last_square, role(fourth), Some(Note::Slip));

    [plain, queen, without_rank]
}

/// Any move between two squares.
fn between(from: Square, to: Square) -> Constraints {
    Constraints {
        from: Bitboard::of(from),
        ..Constraints::to(Bitboard::of(to))
    }
}

/// A pawn's promotion; `None` if a square or the piece is missing.
fn promotion(
    from: Option<Square>,
    to: Option<Square>,
    into: Option<Role>,
    note: Option<Note>,
) -> Option<Meaning> {
    let constraints = Constraints {
        roles: Roles::of(Role::Pawn),
        promotion: Some(into?),
        ..between(from?, to?)
    };

    Some((MoveText::Piece(constraints), note))
}

fn square(file: u8, rank: u8) -> Option<Square> {
    let is_on_board = matches!((file, rank), (1..=8, 1..=8));
    if !is_on_board {
        return None;
    }

    Some(Square::at(File::new(file - 1), Rank::new(rank - 1)))
}

/// The piece of a promotion's digit: 1 for a queen to 4 for a knight.
fn role(digit: u8) -> Option<Role> {
    let index = usize::from(digit).checked_sub(1)?;
    Role::PROMOTIONS.get(index).copied()
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::notation::{MoveFault, Note, PieceLetters, Reading, System, read};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const BEFORE_PROMOTION: &str = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    const BEFORE_CASTLING: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

    /// The move that digits mean in a position, with the notes on it.
    fn meaning(fen: &str, digits: &str) -> Result<(String, Vec<Note>), MoveFault> {
        let position = Position::from_fen(fen).expect("a legal position");
        let reading = Reading {
            letters: PieceLetters::english(),
            system: System::Numeric,
        };

        match read(digits, reading, &position) {
            Ok(found) => Ok((found.mv().to_string(), found.notes)),
            Err(unread) => Err(unread.why),
        }
    }

    macro_rules! means {
        ($($name:ident: $fen:ident, $digits:literal => $mv:literal $(, $note:ident)*;)*) => {$(
            #[test]
            fn $name() {
                let expected = ($mv.to_owned(), vec![$(Note::$note),*]);
                assert_eq!(meaning($fen, $digits), Ok(expected));
            }
        )*};
    }

    means! {
        a_move: START, "5254" => "e2e4";
        a_move_with_a_dash: START, "52-54" => "e2e4";
        castling: BEFORE_CASTLING, "5171" => "e1h1";
        a_promotion: BEFORE_PROMOTION, "57581" => "e7e8q";
        a_promotion_to_a_knight: BEFORE_PROMOTION, "57584" => "e7e8n";
        a_promotion_without_a_piece: BEFORE_PROMOTION, "5758" => "e7e8q", QueenAssumed;
        a_promotion_without_a_rank: BEFORE_PROMOTION, "5752" => "e7e8r", Slip;
        a_promotion_with_two_digits: BEFORE_PROMOTION, "575802" => "e7e8r", Slip;
    }

    #[test]
    fn other_digits_are_no_moves() {
        for digits in ["525", "5254545", "9999", "5204"] {
            assert_eq!(
                meaning(START, digits),
                Err(MoveFault::NoMoveText),
                "{digits}"
            );
        }
        assert_eq!(meaning(START, "5255"), Err(MoveFault::Illegal));
    }
}

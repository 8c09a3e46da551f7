//! The last position of a game as its column stores it: packed, or as a FEN if packing is not exact.
//!
//! The view `games` unpacks it with functions that every SQLite has; `docs/database.md` specifies the digits.

use crate::board::{Bitboard, Color, Piece, Position, Rank, Square};

/// The number of digits before the squares: two for the half-move clock, one for the castling rights.
const FIRST_DIGITS: usize = 3;
/// The maximum number of digits: the digits before the squares, 64 squares, 7 ends of ranks, and a digit to fill the
/// last byte.
const MAX_DIGITS: usize = FIRST_DIGITS + 64 + 7 + 1;

/// A FEN as hexadecimal digits: two decimal digits for the half-move clock, one digit for the castling rights, then the
/// squares. The side to move and the move number follow from the number of half-moves, and there is no en passant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedFen {
    digits: [u8; MAX_DIGITS.next_multiple_of(2)],
    bytes: u8,
}

/// The castling rights of a digit.
const CASTLING: [&str; 16] = [
    "-", "q", "k", "kq", "Q", "Qq", "Qk", "Qkq", "K", "Kq", "Kk", "Kkq", "KQ", "KQq", "KQk", "KQkq",
];
/// The rooks of the letters `q`, `k`, `Q` and `K`, each a bit of the digit, wherever other rooks are.
const CORNERS: [Square; 4] = [Square::A8, Square::H8, Square::A1, Square::H1];

/// The digits of pieces, pawn to king, of White and of Black. The remaining digits are for empty squares (1, 2 and 4)
/// and for the end of a rank (0).
const PIECES: [[u8; 6]; 2] = [
    [0x3, 0x5, 0xb, 0x6, 0x7, 0x8],
    [0x9, 0xa, 0xc, 0xd, 0xe, 0xf],
];
/// The digits of a run of empty squares: a sum of 1, 2 and 4.
const RUNS: [&[u8]; 9] = [
    &[],
    &[1],
    &[2],
    &[2, 1],
    &[4],
    &[4, 1],
    &[4, 2],
    &[4, 2, 1],
    &[4, 4],
];

/// The largest half-move clock of two decimal digits.
const MAX_CLOCK: u8 = 99;

impl PackedFen {
    /// Packs a position after a number of half-moves; `None` if it does not fit.
    pub(super) fn new(position: &Position, plies: u32) -> Option<PackedFen> {
        let turn = if plies.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        let is_expected = position.turn() == turn
            && position.fullmove_number() == plies / 2 + 1
            && position.en_passant().is_none();
        let clock = u8::try_from(position.halfmove_clock()).ok()?;
        if !is_expected || clock > MAX_CLOCK {
            return None;
        }

        let mut packed = PackedFen {
            digits: [0; _],
            bytes: 0,
        };
        let first_digits = [clock / 10, clock % 10, castling(position)?];
        packed.digits[..FIRST_DIGITS].copy_from_slice(&first_digits);

        let count = packed.append_squares(position, FIRST_DIGITS);
        // If the count is odd, a zero, which is an end of a rank, fills the last byte.
        packed.pack(count + count % 2);
        Some(packed)
    }

    /// Appends the digits of all squares to the first `count` digits; returns the number of all digits.
    fn append_squares(&mut self, position: &Position, mut count: usize) -> usize {
        let mut append = |digits: &[u8]| {
            self.digits[count..count + digits.len()].copy_from_slice(digits);
            count += digits.len();
        };

        for rank in Rank::ALL.into_iter().rev() {
            let mut next = 0;
            for square in position.occupied() & Bitboard::rank(rank) {
                let file = square.file().number();
                append(RUNS[usize::from(file - next)]);
                append(&[position.piece_at(square).map_or(0, digit)]);
                next = file + 1;
            }
            append(RUNS[usize::from(8 - next)]);
            if rank > Rank::ONE {
                append(&[0]);
            }
        }
        count
    }

    /// Packs the first `digits` digits, two in each byte.
    fn pack(&mut self, digits: usize) {
        for at in 0..digits / 2 {
            self.digits[at] = self.digits[2 * at] << 4 | self.digits[2 * at + 1];
        }
        self.bytes = (digits / 2) as u8;
    }

    /// The value of the column.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.digits[..usize::from(self.bytes)]
    }
}

/// The digit of a piece.
fn digit(piece: Piece) -> u8 {
    let color = usize::from(!piece.color.is_white());
    PIECES[color][piece.role.index()]
}

/// The digit of the castling rights; `None` if they are written with files of rooks.
fn castling(position: &Position) -> Option<u8> {
    let rooks = position.castling();
    let corners: Bitboard = CORNERS.into_iter().collect();
    if (rooks & !corners).is_empty() {
        let mut digit = 0;
        for (bit, corner) in CORNERS.into_iter().enumerate() {
            digit |= u8::from(rooks.contains(corner)) << bit;
        }
        return Some(digit);
    }

    // In Chess960, a rook on another square may still have a usual letter.
    let fen = position.fen();
    let rights = fen.split(' ').nth(2)?;
    let digit = CASTLING.iter().position(|&known| known == rights)?;
    Some(digit as u8)
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, params};

    use super::*;

    /// The FEN that the view unpacks, and the number of packed bytes; `None` if the position is not packed.
    fn unpacked(fen: &str, plies: u32) -> Option<(String, usize)> {
        let mut connection = Connection::open_in_memory().expect("a database");
        crate::storage::schema::SCHEMA
            .to_latest(&mut connection)
            .expect("the schema");
        let position = Position::from_fen(fen).expect("a position");
        let packed = PackedFen::new(&position, plies)?;

        let insert = "INSERT INTO tag_order VALUES (1, '[]')";
        connection
            .pragma_update(None, "foreign_keys", 0)
            .expect("a setting");
        connection.execute_batch(insert).expect("rows");
        connection
            .execute(
                "INSERT INTO game (id, source_id, byte_offset, byte_length, result, ply_count,
                final_fen, moves_hash, tag_order_id) VALUES (1, 1, 0, 0, '*', ?1, ?2, 0, 1)",
                params![plies, packed.bytes()],
            )
            .expect("a row");
        connection
            .execute("INSERT INTO movetext (game_id, moves) VALUES (1, '')", [])
            .expect("a row");

        let found = connection.query_row("SELECT final_fen FROM games", [], |row| row.get(0));
        let fen = found.expect("a FEN");
        Some((fen, packed.bytes().len()))
    }

    macro_rules! packs {
        ($($name:ident: $fen:expr, $plies:expr => $bytes:expr;)*) => {$(
            #[test]
            fn $name() {
                let expected: Option<usize> = $bytes;
                let expected = expected.map(|bytes| ($fen.to_owned(), bytes));
                assert_eq!(unpacked($fen, $plies), expected);
            }
        )*};
    }

    packs! {
        start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0 => Some(25);
        every_run: "k7/1p6/2n5/3b4/4r3/5q2/P5K1/1NBRQ3 w - - 99 60", 118 => Some(23);
        two_kings: "8/8/8/3k4/8/3K4/8/8 w - - 7 100", 198 => Some(15);
        some_rights: "r3k3/8/8/8/8/8/8/4K2R w Kq - 12 31", 60 => Some(16);
        long_clock: "8/8/8/3k4/8/3K4/8/8 w - - 100 101", 200 => None;
        en_passant: "8/8/8/3pP3/8/3K4/8/k7 w - d6 0 11", 20 => None;
        another_turn: "8/8/8/3k4/8/3K4/8/8 b - - 7 100", 198 => None;
        another_number: "8/8/8/3k4/8/3K4/8/8 w - - 7 101", 198 => None;
        rooks_that_are_outermost: "1r2k3/8/8/8/8/8/8/4K1R1 w Kq - 0 1", 0 => Some(17);
        files_of_rooks: "rr2k3/8/8/8/8/8/8/4K2R w Kb - 0 1", 0 => None;
    }

    #[test]
    fn every_castling_right_is_unpacked() {
        for rights in CASTLING {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R b {rights} - 3 9");
            let found = unpacked(&fen, 17).map(|(fen, _)| fen);
            assert_eq!(found, Some(fen));
        }
    }
}

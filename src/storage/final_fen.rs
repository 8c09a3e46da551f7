//! The last position of a game as its column holds it: packed, or as a FEN where that is not exact.
//!
//! The view `games` unpacks it with functions that every SQLite has; `docs/database.md` specifies the digits.

/// The digits before those of the squares, 64 squares, 7 ends of ranks, and a digit to fill the last byte.
const MOST_DIGITS: usize = 3 + 64 + 7 + 1;

/// A FEN as hexadecimal digits: two decimal ones for the half-move clock, one for the castling rights, then the
/// squares. Side to move and move number follow from the number of half-moves, and there is no en passant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedFen {
    digits: [u8; MOST_DIGITS.next_multiple_of(2)],
    bytes: u8,
}

/// The castling rights of a digit.
const CASTLING: [&str; 16] = [
    "-", "q", "k", "kq", "Q", "Qq", "Qk", "Qkq", "K", "Kq", "Kk", "Kkq", "KQ", "KQq", "KQk", "KQkq",
];

/// The largest half-move clock of two decimal digits.
const MOST_CLOCK: u8 = 99;

impl PackedFen {
    /// Packs a FEN after some half-moves; `None` if it does not fit.
    pub(super) fn new(fen: &str, plies: u32) -> Option<PackedFen> {
        let mut fields = fen.split(' ');
        let mut next = || fields.next();
        let [squares, turn, castling, en_passant, clock, number] =
            [next()?, next()?, next()?, next()?, next()?, next()?];
        let is_expected = turn == if plies.is_multiple_of(2) { "w" } else { "b" }
            && number.parse() == Ok(plies / 2 + 1)
            && en_passant == "-";
        let clock = clock.parse().ok().filter(|&clock: &u8| clock <= MOST_CLOCK && is_expected)?;
        let castling = CASTLING.iter().position(|&rights| rights == castling)?;
        let mut packed = PackedFen { digits: [0; _], bytes: 0 };
        let digits = [clock / 10, clock % 10, castling as u8].into_iter();
        let digits = digits.chain(squares.bytes().flat_map(digits_of).copied());
        let mut count = 0;
        for (digit, place) in digits.zip(&mut packed.digits) {
            *place = digit;
            count += 1;
        }
        // An end of a rank behind the last one fills the byte.
        packed.pack(count + count % 2);
        Some(packed)
    }

    /// Puts two digits into each byte.
    fn pack(&mut self, digits: usize) {
        for at in 0..digits / 2 {
            self.digits[at] = self.digits[2 * at] << 4 | self.digits[2 * at + 1];
        }
        self.bytes = (digits / 2) as u8;
    }

    /// The blob.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.digits[..usize::from(self.bytes)]
    }
}

/// The digits of a character of the first field of a FEN; runs of empty squares are sums of 1, 2 and 4.
fn digits_of(character: u8) -> &'static [u8] {
    match character {
        b'1' => &[1],
        b'2' => &[2],
        b'3' => &[2, 1],
        b'4' => &[4],
        b'5' => &[4, 1],
        b'6' => &[4, 2],
        b'7' => &[4, 2, 1],
        b'8' => &[4, 4],
        b'P' => &[0x3],
        b'N' => &[0x5],
        b'R' => &[0x6],
        b'Q' => &[0x7],
        b'K' => &[0x8],
        b'p' => &[0x9],
        b'n' => &[0xa],
        b'B' => &[0xb],
        b'b' => &[0xc],
        b'r' => &[0xd],
        b'q' => &[0xe],
        b'k' => &[0xf],
        _ => &[0],
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, params};

    use super::*;

    /// The FEN that the view reads from what was packed, and the number of bytes; nothing where it is not packed.
    fn unpacked(fen: &str, plies: u32) -> Option<(String, usize)> {
        let mut connection = Connection::open_in_memory().expect("a database");
        crate::storage::schema::SCHEMA.to_latest(&mut connection).expect("the schema");
        let packed = PackedFen::new(fen, plies)?;
        let insert = "INSERT INTO source VALUES (1, '', 0, x'', '', 1, 1, 1, 0, NULL, NULL, NULL, 0, x'', x'', NULL, NULL);
            INSERT INTO tag_order VALUES (1, '[]')";
        connection.pragma_update(None, "foreign_keys", 0).expect("a setting");
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
        Some((found.expect("a FEN"), packed.bytes().len()))
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
        every_run: "k7/1p6/2n5/3b4/4r3/5q2/6K1/PNBRQ3 b - - 99 60", 119 => Some(23);
        two_kings: "8/8/8/3k4/8/3K4/8/8 w - - 7 100", 198 => Some(15);
        some_rights: "r3k3/8/8/8/8/8/8/4K2R w Kq - 12 31", 60 => Some(16);
        full: "qqqqqqqq/qqqqqqqq/kNNNNNNK/bbbbbbbb/BBBBBBBB/RRRRRRRR/PPPPPPPP/pppppppp w - - 0 2", 2 =>
            Some(37);
        long_clock: "8/8/8/3k4/8/3K4/8/8 w - - 100 101", 200 => None;
        en_passant: "8/8/8/3pP3/8/3K4/8/k7 w - d6 0 11", 20 => None;
        another_turn: "8/8/8/3k4/8/3K4/8/8 b - - 7 100", 198 => None;
        another_number: "8/8/8/3k4/8/3K4/8/8 w - - 7 101", 198 => None;
        files_of_rooks: "1r2k3/8/8/8/8/8/8/4K2R w Hb - 0 1", 0 => None;
    }

    #[test]
    fn every_castling_right_is_unpacked() {
        for rights in CASTLING {
            let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R b {rights} - 3 9");
            assert_eq!(unpacked(&fen, 17).map(|found| found.0), Some(fen));
        }
    }
}

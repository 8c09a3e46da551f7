//! The board on which the moves of a Scid game are decoded, and the SAN of these moves.
//!
//! A move names its piece by a number. The pieces of a side are numbered in the order of the FEN, from a8 to h1, except
//! that the king and the first piece are exchanged. In the standard start position, the numbers have a special order.
//! When a piece is captured, the last piece of its side gets its number. The replay checks the moves, so this board
//! knows neither checks nor castling rights: it only makes sure that the SAN of a damaged move is not the SAN of
//! another move.

use crate::board::CastlingSide;

/// No square, and no piece of a list.
const NONE: u8 = 64;

const EMPTY: u8 = 0;
const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const BISHOP: u8 = 3;
const ROOK: u8 = 4;
const QUEEN: u8 = 5;
const KING: u8 = 6;
/// The bit of black pieces.
const BLACK: u8 = 8;

const LETTERS: [u8; 7] = *b" PNBRQK";

/// The codes of king moves other than steps to adjacent squares.
const NULL_MOVE: u8 = 0;
const CASTLE_QUEENSIDE: u8 = 9;
const CASTLE_KINGSIDE: u8 = 10;
/// The code of a pawn's double step.
const DOUBLE_STEP: u8 = 15;
/// The number added to the square in the second byte of a queen's diagonal move.
const SQUARE_IN_SECOND_BYTE: u8 = 64;

const KING_STEPS: [i8; 9] = [0, -9, -8, -7, -1, 1, 7, 8, 9];
const KNIGHT_STEPS: [i8; 9] = [0, -17, -15, -10, -6, 6, 10, 15, 17];
/// The roles of promotions. Each role has three codes; the first three codes are moves without a promotion.
const PROMOTIONS: [u8; 5] = [EMPTY, QUEEN, ROOK, BISHOP, KNIGHT];

/// The error of a byte that is not a move in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoMove;

/// Piece placement, the numbers of pieces, and the side to move.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pieces: [u8; 64],
    /// The number of the piece on each square.
    numbers: [u8; 64],
    /// The squares of each side's pieces, by their numbers.
    squares: [[u8; 16]; 2],
    counts: [u8; 2],
    /// The rooks that castle, by color and side, where a FEN names their files.
    castling_rooks: [[u8; 2]; 2],
    black_to_move: bool,
}

impl Board {
    fn empty() -> Board {
        Board {
            pieces: [EMPTY; 64],
            numbers: [NONE; 64],
            squares: [[NONE; 16]; 2],
            counts: [0; 2],
            castling_rooks: [[NONE; 2]; 2],
            black_to_move: false,
        }
    }

    /// The standard start position.
    pub(super) fn standard() -> Board {
        let mut board = Board::empty();
        for side in [0, BLACK] {
            let (back_rank, pawn_rank) = if side == 0 { (0, 8) } else { (56, 48) };
            board.add(KING | side, back_rank + 4);
            for (file, role) in [
                (0, ROOK),
                (1, KNIGHT),
                (2, BISHOP),
                (3, QUEEN),
                (5, BISHOP),
                (6, KNIGHT),
                (7, ROOK),
            ] {
                board.add(role | side, back_rank + file);
            }
            for file in 0..8 {
                board.add(PAWN | side, pawn_rank + file);
            }
        }
        board
    }

    /// The position of a FEN; `None` if its first two fields do not have a king and at most 16 pieces of each side, and
    /// a side to move.
    pub(super) fn of_fen(fen: &[u8]) -> Option<Board> {
        let mut fields = fen
            .split(|&byte| byte == b' ')
            .filter(|field| !field.is_empty());

        let mut board = Board::empty();
        board.place(fields.next()?)?;

        board.black_to_move = match fields.next()? {
            b"w" => false,
            b"b" => true,
            _ => return None,
        };

        if let Some(rights) = fields.next() {
            board.note_castling_rooks(rights);
        }
        Some(board)
    }

    /// Adds the pieces of the first field of a FEN; `None` if a side has no king, two kings, or more than 16 pieces.
    fn place(&mut self, placement: &[u8]) -> Option<()> {
        let mut rows = placement.split(|&byte| byte == b'/');
        for rank in (0..8).rev() {
            let mut file = 0;
            for &byte in rows.next()? {
                if let digit @ b'1'..=b'8' = byte {
                    file += digit - b'0';
                    if file > 8 {
                        return None;
                    }
                    continue;
                }

                let piece = piece_of(byte)?;
                let side = side_index(piece & BLACK);
                let has_room = file < 8 && self.counts[side] < 16;
                let is_second_king = piece & !BLACK == KING && self.pieces.contains(&piece);
                if !has_room || is_second_king {
                    return None;
                }

                self.add(piece, rank * 8 + file);
                file += 1;
            }
        }

        let has_both_kings = self.pieces.contains(&KING) && self.pieces.contains(&(KING | BLACK));
        has_both_kings.then_some(())
    }

    /// Notes the rooks that Shredder-FEN names by their files.
    fn note_castling_rooks(&mut self, rights: &[u8]) {
        for &right in rights {
            let file = right.to_ascii_lowercase().wrapping_sub(b'a');
            if file > 7 {
                continue;
            }

            let side = if right.is_ascii_lowercase() { BLACK } else { 0 };
            let king = self.squares[side_index(side)][0];
            let rook = king / 8 * 8 + file;
            let castling_side = if rook > king {
                CastlingSide::King
            } else {
                CastlingSide::Queen
            };
            self.castling_rooks[side_index(side)][castling_side as usize] = rook;
        }
    }

    /// Adds a piece with the next number of its side; a king takes the first number.
    fn add(&mut self, piece: u8, square: u8) {
        let side = side_index(piece & BLACK);
        let mut number = self.counts[side];

        if piece & !BLACK == KING && number > 0 {
            let first = self.squares[side][0];
            self.squares[side][usize::from(number)] = first;
            self.numbers[usize::from(first)] = number;
            number = 0;
        }

        self.counts[side] += 1;
        self.put(piece, square, number);
    }

    /// Puts a piece with a number on a square.
    fn put(&mut self, piece: u8, square: u8, number: u8) {
        let side = side_index(piece & BLACK);
        let index = usize::from(square);

        self.pieces[index] = piece;
        self.numbers[index] = number;
        self.squares[side][usize::from(number)] = square;
    }

    /// Removes a piece from a square, but not from the list of its side.
    fn lift(&mut self, square: u8) {
        self.pieces[usize::from(square)] = EMPTY;
        self.numbers[usize::from(square)] = NONE;
    }

    /// Removes a captured piece: the last piece of its side gets its number.
    fn capture(&mut self, square: u8) {
        let piece = self.pieces[usize::from(square)];
        let number = self.numbers[usize::from(square)];
        self.lift(square);

        let side = side_index(piece & BLACK);
        self.counts[side] -= 1;
        let last = usize::from(self.counts[side]);
        let last_square = self.squares[side][last];
        self.squares[side][last] = NONE;
        if last_square != square {
            self.squares[side][usize::from(number)] = last_square;
            self.numbers[usize::from(last_square)] = number;
        }
    }

    fn piece(&self, square: u8) -> u8 {
        self.pieces[usize::from(square)]
    }

    /// The color bit of the side to move.
    fn us(&self) -> u8 {
        if self.black_to_move { BLACK } else { 0 }
    }

    /// Plays the move of a byte, and appends its SAN without check marks. `second` is the next byte; returns `true` if
    /// the move uses it, as the diagonal moves of a queen do.
    ///
    /// # Errors
    /// If the byte is no move of a piece on the board. Then the board is unchanged.
    pub(super) fn play(
        &mut self,
        byte: u8,
        second: Option<u8>,
        san: &mut Vec<u8>,
    ) -> Result<bool, NoMove> {
        // The upper four bits are the number of the piece, the lower four bits depend on its role.
        let number = byte >> 4;
        let code = byte & 15;
        let side = side_index(self.us());
        if number >= self.counts[side] {
            return Err(NoMove);
        }
        let from = self.squares[side][usize::from(number)];

        let mut uses_second = false;
        match self.piece(from) & !BLACK {
            PAWN => self.play_pawn(from, code, san)?,
            KNIGHT => {
                let knight_step = KNIGHT_STEPS.get(usize::from(code)).copied();
                let to = step(from, knight_step, 2)?;
                self.play_piece(from, to, san)?;
            }
            BISHOP => self.play_piece(from, bishop_target(from, code)?, san)?,
            ROOK => self.play_piece(from, rook_target(from, code), san)?,
            // The codes of a queen are the codes of a rook. The code of the queen's own file means a diagonal move,
            // whose target is in the second byte.
            QUEEN if code == from % 8 => {
                let to = queen_diagonal_target(from, second).ok_or(NoMove)?;
                self.play_piece(from, to, san)?;
                uses_second = true;
            }
            QUEEN => self.play_piece(from, rook_target(from, code), san)?,
            KING if code == NULL_MOVE => san.extend_from_slice(b"--"),
            KING if code == CASTLE_KINGSIDE => self.castle(from, CastlingSide::King, san)?,
            KING if code == CASTLE_QUEENSIDE => self.castle(from, CastlingSide::Queen, san)?,
            KING => {
                let king_step = KING_STEPS.get(usize::from(code)).copied();
                let to = step(from, king_step, 1)?;
                self.play_piece(from, to, san)?;
            }
            _ => return Err(NoMove),
        }

        self.black_to_move = !self.black_to_move;
        Ok(uses_second)
    }

    /// Plays a pawn move by its code, and appends its SAN.
    fn play_pawn(&mut self, from: u8, code: u8, san: &mut Vec<u8>) -> Result<(), NoMove> {
        let us = self.us();
        let (forward, start_rank, last_rank): (i8, u8, u8) =
            if us == 0 { (1, 1, 7) } else { (-1, 6, 0) };
        let one_step = step(from, Some(8 * forward), 0)?;

        if code == DOUBLE_STEP {
            let to = step(one_step, Some(8 * forward), 0)?;
            let is_free = self.piece(one_step) == EMPTY && self.piece(to) == EMPTY;
            if !is_free || from / 8 != start_rank {
                return Err(NoMove);
            }
            write_square(to, san);
            self.relocate(from, to);
            return Ok(());
        }

        // The code is the direction plus three times the promotion.
        let promotion = PROMOTIONS[usize::from(code / 3)];
        let to = match code % 3 {
            0 => step(from, Some(7 * forward), 1)?,
            1 => one_step,
            _ => step(from, Some(9 * forward), 1)?,
        };
        let is_last_rank = to / 8 == last_rank;
        if (promotion != EMPTY) != is_last_rank {
            return Err(NoMove);
        }

        if to == one_step {
            if self.piece(to) != EMPTY {
                return Err(NoMove);
            }
        } else {
            // En passant, the captured pawn is on the rank of the capturing pawn, and on the file of its target.
            let captured = if self.piece(to) == EMPTY {
                from / 8 * 8 + to % 8
            } else {
                to
            };
            let is_en_passant = captured != to;
            if is_en_passant && self.piece(captured) != PAWN | (us ^ BLACK) {
                return Err(NoMove);
            }
            self.check_capture(captured)?;
            self.capture(captured);
            san.extend_from_slice(&[b'a' + from % 8, b'x']);
        }

        write_square(to, san);
        self.relocate(from, to);
        if promotion != EMPTY {
            san.extend_from_slice(&[b'=', LETTERS[usize::from(promotion)]]);
            self.pieces[usize::from(to)] = promotion | us;
        }
        Ok(())
    }

    /// Moves a piece other than a pawn.
    fn play_piece(&mut self, from: u8, to: u8, san: &mut Vec<u8>) -> Result<(), NoMove> {
        if to == from {
            return Err(NoMove);
        }
        // All checks come before the first change of the board and of the SAN.
        let is_capture = self.piece(to) != EMPTY;
        if is_capture {
            self.check_capture(to)?;
        }

        let piece = self.piece(from);
        san.push(LETTERS[usize::from(piece & !BLACK)]);
        self.write_origin(piece, from, to, san);
        if is_capture {
            san.push(b'x');
            self.capture(to);
        }
        write_square(to, san);
        self.relocate(from, to);
        Ok(())
    }

    /// Checks that a square has a piece of the other side, but not the king.
    fn check_capture(&self, square: u8) -> Result<(), NoMove> {
        let piece = self.piece(square);
        let is_theirs = piece != EMPTY && piece & BLACK != self.us();
        let is_king = piece & !BLACK == KING;
        if is_theirs && !is_king {
            Ok(())
        } else {
            Err(NoMove)
        }
    }

    /// Appends the file or rank, or both, of a piece's origin, if another piece of its kind reaches the target too.
    /// Pins are ignored: the reader of the SAN accepts an origin that is not needed.
    fn write_origin(&self, piece: u8, from: u8, to: u8, san: &mut Vec<u8>) {
        let side = side_index(piece & BLACK);
        let count = usize::from(self.counts[side]);
        let mut has_rival = false;
        let mut is_on_file = false;
        let mut is_on_rank = false;
        for &other in &self.squares[side][..count] {
            let is_rival = other != from && self.piece(other) == piece && self.reaches(other, to);
            if is_rival {
                has_rival = true;
                is_on_file |= other % 8 == from % 8;
                is_on_rank |= other / 8 == from / 8;
            }
        }

        // PGN §8.2.3.4: the file if it is enough, otherwise the rank if that is enough, otherwise both.
        if has_rival && (!is_on_file || is_on_rank) {
            san.push(b'a' + from % 8);
        }
        if has_rival && is_on_file {
            san.push(b'1' + from / 8);
        }
    }

    /// Returns `true` if the piece on a square could move to another, pins aside.
    fn reaches(&self, from: u8, to: u8) -> bool {
        let files = (from % 8).abs_diff(to % 8);
        let ranks = (from / 8).abs_diff(to / 8);
        let is_straight = files == 0 || ranks == 0;
        let is_on_line = match self.piece(from) & !BLACK {
            KNIGHT => return files * ranks == 2,
            BISHOP => files == ranks,
            ROOK => is_straight,
            QUEEN => is_straight || files == ranks,
            _ => return false,
        };
        is_on_line && self.is_open(from, to)
    }

    /// Returns `true` if nothing stands between two squares on a line.
    fn is_open(&self, from: u8, to: u8) -> bool {
        let toward = |from: u8, to: u8| (to as i8 - from as i8).signum();
        let rank_step = toward(from / 8, to / 8);
        let file_step = toward(from % 8, to % 8);
        let step = 8 * rank_step + file_step;

        let mut square = from as i8 + step;
        while square != to as i8 {
            if self.piece(square as u8) != EMPTY {
                return false;
            }
            square += step;
        }
        true
    }

    /// Moves a piece to an empty square. It keeps its number.
    fn relocate(&mut self, from: u8, to: u8) {
        let piece = self.piece(from);
        let number = self.numbers[usize::from(from)];
        self.lift(from);
        self.put(piece, to, number);
    }

    /// Castles, and appends the SAN.
    fn castle(&mut self, king: u8, side: CastlingSide, san: &mut Vec<u8>) -> Result<(), NoMove> {
        let us = self.us();
        let rook = self.castling_rook(king, side).ok_or(NoMove)?;
        let number = self.numbers[usize::from(rook)];
        let rank = king / 8 * 8;
        let (king_to, rook_to) = match side {
            CastlingSide::King => (rank + 6, rank + 5),
            CastlingSide::Queen => (rank + 2, rank + 3),
        };

        // Only the targets are checked. The replay checks the squares between.
        let is_occupied = |square| {
            let is_mover = square == king || square == rook;
            !is_mover && self.piece(square) != EMPTY
        };
        if is_occupied(king_to) || is_occupied(rook_to) {
            return Err(NoMove);
        }

        // King and rook are lifted first, since in Chess960 the king may move to the square of the rook, or the rook to
        // the square of the king.
        self.lift(rook);
        self.lift(king);
        self.put(KING | us, king_to, 0);
        self.put(ROOK | us, rook_to, number);
        san.extend_from_slice(side.san().as_bytes());
        Ok(())
    }

    /// The rook that the FEN names, or else the outermost rook on this side of the king.
    fn castling_rook(&self, king: u8, side: CastlingSide) -> Option<u8> {
        let us = self.us();
        let our_rook = ROOK | us;
        let is_rook = |&square: &u8| self.pieces.get(usize::from(square)) == Some(&our_rook);

        let named = self.castling_rooks[side_index(us)][side as usize];
        if is_rook(&named) {
            return Some(named);
        }

        let rank = king / 8 * 8;
        match side {
            CastlingSide::King => (king + 1..rank + 8).rev().find(is_rook),
            CastlingSide::Queen => (rank..king).find(is_rook),
        }
    }
}

/// The index of a side by its color bit: 0 for White, 1 for Black.
fn side_index(side: u8) -> usize {
    usize::from(side == BLACK)
}

/// The piece of a letter in a FEN.
fn piece_of(letter: u8) -> Option<u8> {
    let upper_case = letter.to_ascii_uppercase();
    let role = LETTERS.iter().position(|&known| known == upper_case)? as u8;
    if role == EMPTY {
        return None;
    }
    let side = if letter.is_ascii_lowercase() {
        BLACK
    } else {
        0
    };
    Some(role | side)
}

/// The square at an offset from a square.
///
/// # Errors
/// If the offset is `None` or 0, or the square is not on the board or more than `max_files` files away.
fn step(from: u8, by: Option<i8>, max_files: u8) -> Result<u8, NoMove> {
    let by = by.filter(|&by| by != 0).ok_or(NoMove)?;
    let to = from
        .checked_add_signed(by)
        .filter(|&to| to < 64)
        .ok_or(NoMove)?;

    // An offset across the left or right edge of the board would reach the other side of an adjacent rank.
    let files = (from % 8).abs_diff(to % 8);
    if files <= max_files {
        Ok(to)
    } else {
        Err(NoMove)
    }
}

/// The target of a rook's move: a file of its rank, or a rank of its file.
fn rook_target(from: u8, code: u8) -> u8 {
    if code < 8 {
        from / 8 * 8 + code
    } else {
        (code - 8) * 8 + from % 8
    }
}

/// The target of a bishop's move: a file, on the rising or the falling diagonal.
fn bishop_target(from: u8, code: u8) -> Result<u8, NoMove> {
    let is_rising = code < 8;
    let files = (code & 7) as i8 - (from % 8) as i8;
    let offset = if is_rising { 9 * files } else { -7 * files };

    let to = u8::try_from(from as i8 + offset).map_err(|_| NoMove)?;
    if to < 64 && is_diagonal(from, to) {
        Ok(to)
    } else {
        Err(NoMove)
    }
}

/// The target of a queen's diagonal move, which is in the second byte.
fn queen_diagonal_target(from: u8, second: Option<u8>) -> Option<u8> {
    let to = second?.checked_sub(SQUARE_IN_SECOND_BYTE)?;
    (to < 64 && is_diagonal(from, to)).then_some(to)
}

fn is_diagonal(from: u8, to: u8) -> bool {
    let files = (from % 8).abs_diff(to % 8);
    files > 0 && files == (from / 8).abs_diff(to / 8)
}

fn write_square(square: u8, san: &mut Vec<u8>) {
    san.extend_from_slice(&[b'a' + square % 8, b'1' + square / 8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SAN of moves from a position, or `!` in the place of a move that is none.
    fn san(fen: &str, bytes: &[u8]) -> String {
        let mut board = if fen.is_empty() {
            Board::standard()
        } else {
            Board::of_fen(fen.as_bytes()).expect("a position")
        };
        let mut out = Vec::new();
        let mut rest = bytes;
        while let [byte, behind @ ..] = rest {
            let before = out.len();
            match board.play(*byte, behind.first().copied(), &mut out) {
                Ok(uses_second) => rest = &behind[usize::from(uses_second)..],
                Err(NoMove) => {
                    assert_eq!(out.len(), before);
                    out.push(b'!');
                    rest = behind;
                }
            }
            out.push(b' ');
        }
        String::from_utf8(out).expect("SAN")
    }

    macro_rules! plays {
        ($($name:ident: $fen:expr, $bytes:expr => $san:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(san($fen, $bytes), $san);
            }
        )*};
    }

    plays! {
        steps_of_pawns: "", &[0xcf, 0xcf, 0xbf, 0xbf] => "e4 e5 d4 d5 ";
        a_pawn_that_captures: "", &[0xcf, 0xbf, 0xc0] => "e4 d5 exd5 ";
        // The h-pawn has the number of the captured d-pawn.
        numbers_after_a_capture: "", &[0xcf, 0xbf, 0xc0, 0xbf] => "e4 d5 exd5 h5 ";
        en_passant: "", &[0xcf, 0x81, 0xc1, 0xbf, 0xc0] => "e4 a6 e5 d5 exd6 ";
        a_knight: "", &[0x67, 0x22] => "Nf3 Nc6 ";
        castling: "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[10] => "O-O ";
        castling_queenside: "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", &[9] => "O-O-O ";
        castling_by_the_file: "4k3/8/8/8/8/8/8/1K1R3R w D - 0 1", &[10] => "O-O ";
        no_rook: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[10] => "! ";
        a_null_move: "", &[0, 0xcf] => "-- e5 ";
        a_promotion: "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", &[0x1d] => "a8=N ";
        a_promotion_too_early: "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", &[0x14] => "! ";
        // The piece on a8 is the first, and the king takes its number.
        a_queen_s_diagonal: "q3k3/8/8/8/8/8/8/4K3 b - - 0 1", &[0x10, 64 + 49, 0] => "Qb7 -- ";
        a_queen_s_second_byte_is_a_marker: "q3k3/8/8/8/8/8/8/4K3 b - - 0 1", &[0x10, 15] => "! ! ";
        a_file_is_told: "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &[0x13] => "Rd1 ";
        a_rank_is_told: "R3k3/8/8/8/8/8/8/R3K3 w - - 0 1", &[0x2b] => "R8a4 ";
        // The first queen takes the king's place in the list, behind the others.
        both_are_told: "4k3/8/8/8/Q6Q/8/8/4K2Q w - - 0 1", &[0x17, 64 + 4] => "! ! ";
        no_number: "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[0x11] => "! ";
        off_the_board: "", &[0x67, 0x81, 0x63, 0x60] => "Nf3 a6 ! ! ";
        over_the_edge: "4k3/8/8/8/8/8/7N/4K3 w - - 0 1", &[0x16] => "! ";
        onto_an_own_piece: "", &[0x10 + 8 + 1] => "! ";
        a_king_is_not_captured: "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", &[0x1f] => "! ";
    }

    #[test]
    fn fens_without_a_board_are_refused() {
        for fen in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            "4k3/8/8/8/8/8/8 w - - 0 1",
            "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/88888888888888888888888888888888/8/8/8/8/8/4K3 w - - 0 1",
            "4kk2/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1",
        ] {
            assert!(Board::of_fen(fen.as_bytes()).is_none(), "{fen}");
        }
    }
}

//! Positions with their boards, for the column `fen`.

use super::position::{Played, PositionRow, ROW_BYTES, Row};
use crate::board::{Bitboard, Color, Piece, Position, Role, Setup, Square};

/// The bytes of a board: two squares a byte, then the castling rooks of either side, then en passant square and turn.
const BOARD_BYTES: usize = 35;

/// The byte of the castling rooks on the first rank.
const FIRST_RANK_ROOKS: usize = 32;

/// The byte of the castling rooks on the last rank.
const LAST_RANK_ROOKS: usize = 33;

/// The byte of the en passant square and of the side to move.
const EN_PASSANT_AND_TURN: usize = 34;

/// The first bit of the last rank in a bitboard.
const LAST_RANK_SHIFT: u32 = 56;

/// Two squares without a piece.
const EMPTY_SQUARES: u8 = Piece::NO_KIND << 4 | Piece::NO_KIND;

/// Room for nearly all FENs.
const FEN_BYTES: usize = 80;

/// The number for a missing en passant square.
const NO_SQUARE: u8 = 64;

/// The bit of the last byte that is set if Black is to move.
const BLACK: u8 = 1 << 7;

/// The first four fields of a FEN: four bits for each square, castling rooks on the first and on the last rank,
/// en passant square and side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Board([u8; BOARD_BYTES]);

impl Board {
    fn new(position: &Position) -> Board {
        let mut bytes = [EMPTY_SQUARES; BOARD_BYTES];

        // By the sets of pieces, which is faster than a look at each square.
        for color in Color::ALL {
            for role in Role::ALL {
                let kind = Piece { color, role }.kind();
                // Adds the difference from an empty square, so that the other square of the byte stays unchanged.
                let difference = kind ^ Piece::NO_KIND;
                for square in position.pieces(color, role) {
                    let at = square.index();
                    bytes[at / 2] ^= difference << (4 * (at % 2));
                }
            }
        }

        let castling = position.castling().0;
        bytes[FIRST_RANK_ROOKS] = castling as u8;
        bytes[LAST_RANK_ROOKS] = (castling >> LAST_RANK_SHIFT) as u8;

        let en_passant = match position.en_passant() {
            Some(square) => square.index() as u8,
            None => NO_SQUARE,
        };
        let turn = if position.turn().is_white() { 0 } else { BLACK };
        bytes[EN_PASSANT_AND_TURN] = en_passant | turn;

        Board(bytes)
    }

    /// The first four fields of the position's FEN.
    fn fen(&self) -> String {
        let Board(bytes) = self;
        let mut setup = Setup::EMPTY;
        for (at, piece) in setup.pieces.iter_mut().enumerate() {
            let kind = bytes[at / 2] >> (4 * (at % 2)) & 15;
            *piece = Piece::from_kind(kind);
        }

        let first_rank = u64::from(bytes[FIRST_RANK_ROOKS]);
        let last_rank = u64::from(bytes[LAST_RANK_ROOKS]) << LAST_RANK_SHIFT;
        setup.castling = Bitboard(first_rank | last_rank);
        setup.turn = if bytes[EN_PASSANT_AND_TURN] & BLACK == 0 {
            Color::White
        } else {
            Color::Black
        };
        let en_passant = bytes[EN_PASSANT_AND_TURN] & !BLACK;
        if en_passant < NO_SQUARE {
            setup.en_passant = Some(Square::new(en_passant));
        }

        // The last two fields of a FEN are clocks. They belong to a game, not to a position.
        let mut fen = String::with_capacity(FEN_BYTES);
        setup.write_fields(&mut fen);
        fen
    }
}

/// The first four fields of a position's FEN.
pub(super) fn fen_of(position: &Position) -> String {
    Board::new(position).fen()
}

/// A position with its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BoardRow {
    position: PositionRow,
    board: Board,
}

impl Row for BoardRow {
    const BYTES: usize = ROW_BYTES + BOARD_BYTES;

    fn position(&self) -> &PositionRow {
        &self.position
    }

    fn fen(&self) -> Option<String> {
        Some(self.board.fen())
    }

    fn write(&self, out: &mut [u8]) {
        let (position, board) = out.split_at_mut(ROW_BYTES);
        self.position.write(position);
        board.copy_from_slice(&self.board.0);
    }

    fn read(bytes: &[u8]) -> BoardRow {
        let (position, board) = bytes.split_at(ROW_BYTES);
        let board = Board(board.first_chunk().copied().unwrap_or([0; BOARD_BYTES]));
        BoardRow {
            position: PositionRow::read(position),
            board,
        }
    }
}

/// The boards of rows of a game, which is played from its start. The rows are in the order of their plies.
pub(super) fn with_boards(
    played: &Played<'_>,
    start: Option<&Position>,
    rows: &[PositionRow],
) -> Vec<BoardRow> {
    let mut position = start.cloned().unwrap_or_default();
    let mut boards = Vec::with_capacity(rows.len());
    let mut ply = 0;
    for &row in rows {
        // Only the first visit of a position has a row. Moves to repeated positions are played without a row.
        for &mv in &played.moves[ply..usize::from(row.ply)] {
            position.play(mv);
        }
        ply = row.ply.into();

        boards.push(BoardRow {
            position: row,
            board: Board::new(&position),
        });
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_fields_of_positions() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6",
            "4k3/8/8/8/8/8/8/4KRR1 w F -",
            "8/4P2k/8/8/8/8/8/4K3 b - -",
        ] {
            let position = Position::from_fen(fen).expect("a legal position");
            assert_eq!(fen_of(&position), fen);
        }
    }
}

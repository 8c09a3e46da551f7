//! A legal position. Moves are played on it in place.
//!
//! The board is kept twice, as bitboards and as a mailbox: bitboards find the pieces that reach a square, the mailbox
//! finds the piece on a square, and a replay needs both at every move. There is no unmake: a mainline is never taken
//! back, and a variation starts from a copy.
//!
//! Expensive values are updated incrementally: the [key](Position::key), the pieces that give
//! [check](Position::checkers), and the en passant square, which is set only if a pawn may legally capture there (FIDE
//! Laws 9.2: positions are equal if the possible moves of all pieces are equal).

mod play;
mod polyglot;
mod safety;
mod set_up;

use std::sync::LazyLock;

use super::attacks::{self, Through};
use super::{Bitboard, CastlingSide, Color, File, Move, Piece, Rank, Role, Setup, Square, zobrist};

/// The number of bits of the sum that a check key has.
const SUM_BITS: u32 = 13;

/// The difference of the two square numbers of a pawn's double step: two ranks of eight squares. No other move of a
/// pawn has this difference.
const DOUBLE_STEP: usize = 16;

/// A legal position in standard chess or Chess960.
#[derive(Clone, Debug)]
pub struct Position {
    /// Pieces by role; the seventh set belongs to the kind of empty squares and stays empty.
    by_role: [Bitboard; 8],
    by_color: [Bitboard; 2],
    /// The [kind](Piece::kind) of piece on each square.
    mailbox: [u8; 64],
    kings: [Square; 2],
    turn: Color,
    castling: Bitboard,
    en_passant: Option<Square>,
    checkers: Bitboard,
    key: u64,
    /// The sum of the random numbers whose exclusive or is in the key.
    sum: u64,
    halfmove_clock: u32,
    fullmove_number: u32,
}

/// Positions are equal if the possible moves are equal: board, side to move, castling rooks, legal en passant.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.by_role == other.by_role
            && self.by_color == other.by_color
            && self.turn == other.turn
            && self.castling == other.castling
            && self.en_passant == other.en_passant
    }
}

impl Eq for Position {}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

impl Position {
    /// The start position of standard chess. Its key is `463b96181691fc9c`.
    pub fn start() -> Position {
        static START: LazyLock<Position> = LazyLock::new(Position::set_up_start);
        START.clone()
    }

    /// Builds the standard start position.
    fn set_up_start() -> Position {
        const HOME: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];

        let mut position = Position::empty(Color::White);
        for color in Color::ALL {
            let home_rank = Rank::ONE.of_side(color);
            let pawn_rank = Rank::TWO.of_side(color);
            let pawn = Piece {
                color,
                role: Role::Pawn,
            };
            for (file, role) in File::ALL.into_iter().zip(HOME) {
                position.put(Square::at(file, home_rank), Piece { color, role });
                position.put(Square::at(file, pawn_rank), pawn);
            }
        }

        // Black's king first, as the discriminants of `Color` are ordered.
        position.kings = [Square::E8, Square::E1];
        let rooks = [Square::A1, Square::H1, Square::A8, Square::H8];
        position.set_castling(rooks.into_iter().collect());
        position
    }

    /// A board without pieces, at move 1.
    fn empty(turn: Color) -> Position {
        let key = if turn.is_white() {
            zobrist::WHITE_TO_MOVE
        } else {
            0
        };
        Position {
            by_role: [Bitboard::EMPTY; 8],
            by_color: [Bitboard::EMPTY; 2],
            mailbox: [Piece::NO_KIND; 64],
            kings: [Square::new(0); 2],
            turn,
            castling: Bitboard::EMPTY,
            en_passant: None,
            checkers: Bitboard::EMPTY,
            key,
            sum: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_kind(self.mailbox[square.index()])
    }

    /// Returns `true` if a square is empty.
    #[inline]
    pub fn is_free(&self, square: Square) -> bool {
        self.mailbox[square.index()] == Piece::NO_KIND
    }

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The squares of all pieces of one role.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// The squares of one side's pieces of one role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.side(color) & self.role(role)
    }

    /// The square of this side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns `true` if the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The squares of the rooks that may still castle.
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The square behind a pawn that has just made a double step and may legally be captured en passant.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the next full move.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The 64-bit key of this position: the exclusive or of the published Polyglot numbers of its pieces, castling
    /// rights and side to move, and of its en passant file if a legal capture exists.
    #[inline]
    pub fn key(&self) -> u64 {
        match self.en_passant {
            Some(square) => self.key ^ zobrist::en_passant(square),
            None => self.key,
        }
    }

    /// A 14-bit check key, which nearly always differs between different positions with equal [keys](Position::key).
    ///
    /// The lowest bit is 1 if White is to move. The others are the highest 13 of the *sum* of the pieces' numbers,
    /// whose exclusive or is in the key: sums carry, so numbers that cancel out there do not cancel out here.
    #[inline]
    pub fn check_key(&self) -> u16 {
        let highest_bits = (self.sum >> (u64::BITS - SUM_BITS)) as u16;
        let white_to_move = u16::from(self.turn.is_white());
        highest_bits << 1 | white_to_move
    }

    /// The rook with which a color may still castle on a side of its king.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.castling & Bitboard::home_rank(color);
        rooks
            .into_iter()
            .find(|&rook| CastlingSide::of_rook(king, rook) == side)
    }

    /// This side's pieces that attack a square, given the occupied squares; ignores pieces on other squares.
    #[inline]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let theirs = self.side(color);
        let straight = self.role(Role::Rook) | self.role(Role::Queen);
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);

        // Attacks are mutual: the knights that attack a square stand where a knight on the square would attack. A
        // pawn's attack goes back along the attack of an opposing pawn.
        let knights = attacks::knight(square) & self.role(Role::Knight);
        let kings = attacks::king(square) & self.role(Role::King);
        let pawns = attacks::pawn(!color, square) & self.role(Role::Pawn);
        let mut found = knights | kings | pawns;

        // The occupied squares matter only if a sliding piece stands on a line through the square.
        if (attacks::rook_lines(square) & straight & theirs).any() {
            found |= attacks::rook(square, occupied) & straight;
        }
        if (attacks::bishop_lines(square) & diagonal & theirs).any() {
            found |= attacks::bishop(square, occupied) & diagonal;
        }

        found & theirs & occupied
    }

    /// The pieces of one kind that attack a square.
    ///
    /// Tests the few pieces on the right lines for obstacles, which for one kind is faster than following the lines.
    #[inline]
    pub fn attackers_of(&self, piece: Piece, square: Square) -> Bitboard {
        let found = attacks::origins(piece, square) & self.pieces(piece.color, piece.role);
        with_free_way(found, square, self.occupied())
    }

    /// This side's sliding pieces on a line along which they move.
    #[inline(always)]
    fn sliders_on(&self, color: Color, line: Through) -> Bitboard {
        let queens = self.role(Role::Queen);
        let rooks_and_queens = self.role(Role::Rook) | queens;
        let bishops_and_queens = self.role(Role::Bishop) | queens;

        let straight = line.straight & rooks_and_queens;
        let diagonal = line.diagonal & bishops_and_queens;
        (straight | diagonal) & self.side(color)
    }

    /// The position as the fields of a FEN.
    pub fn setup(&self) -> Setup {
        Setup {
            pieces: self.mailbox.map(Piece::from_kind),
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }
}

/// The squares with no piece between them and the target.
#[inline]
fn with_free_way(mut squares: Bitboard, target: Square, occupied: Bitboard) -> Bitboard {
    for square in squares {
        if (attacks::between(target, square) & occupied).any() {
            squares = squares.without(square);
        }
    }
    squares
}

/// Returns `true` for the double step of a pawn.
#[inline]
fn is_double_step(mv: Move) -> bool {
    mv.role == Role::Pawn && mv.from.index().abs_diff(mv.to.index()) == DOUBLE_STEP
}

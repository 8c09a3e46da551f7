//! The contents of a FEN, and its faults as a position.
//!
//! A [`Setup`] may have three kings and pawns on the first rank. [`Position::try_from`] turns it into a legal position.
//!
//! [`Position::try_from`]: super::Position

use std::fmt;

use super::{Bitboard, Color, Piece, Role, Square, attacks};

/// The six fields of a FEN, not yet known to be a legal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, from a1 to h8.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The squares of the rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn has just passed.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the next full move.
    pub fullmove_number: u32,
}

/// A reason why a [`Setup`] is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupFault {
    /// This side has no king.
    NoKing(Color),
    /// This side has more than one king.
    SeveralKings(Color),
    /// A pawn is on the first or the eighth rank.
    PawnOnBackRank(Square),
    /// This side has more than sixteen pieces.
    TooManyPieces(Color),
    /// This side has more than eight pawns.
    TooManyPawns(Color),
    /// The side that is not to move is in check.
    OpponentInCheck(Color),
    /// The check to the side to move cannot result from one move.
    ImpossibleCheck(Color),
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupFault::NoKing(color) => write!(f, "{} has no king", color.name()),
            SetupFault::SeveralKings(color) => {
                write!(f, "{} has more than one king", color.name())
            }
            SetupFault::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            SetupFault::TooManyPieces(color) => {
                write!(f, "{} has more than sixteen pieces", color.name())
            }
            SetupFault::TooManyPawns(color) => {
                write!(f, "{} has more than eight pawns", color.name())
            }
            SetupFault::OpponentInCheck(color) => {
                write!(f, "{} is in check but not to move", color.name())
            }
            SetupFault::ImpossibleCheck(color) => {
                write!(
                    f,
                    "{} is in a check that no move can have given",
                    color.name()
                )
            }
        }
    }
}

/// All faults of a [`Setup`]; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupFaults(pub Vec<SetupFault>);

impl fmt::Display for SetupFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let separator = if i > 0 { "; " } else { "" };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupFaults {}

impl Setup {
    /// The empty board, White to move.
    pub const EMPTY: Setup = Setup {
        pieces: [None; 64],
        turn: Color::White,
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The squares of one side's pieces of one role.
    pub fn squares_of(&self, color: Color, role: Role) -> Bitboard {
        self.squares(|piece| piece == Piece { color, role })
    }

    /// The squares whose piece satisfies the predicate.
    pub fn squares(&self, condition: impl Fn(Piece) -> bool) -> Bitboard {
        Square::all()
            .filter(|square| self.pieces[square.index()].is_some_and(&condition))
            .collect()
    }

    /// All faults of this setup as a position, in a fixed order.
    ///
    /// Impossible castling rights and en passant squares are not faults: they are dropped.
    pub fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            self.piece_faults(color, &mut faults);
        }

        let pawns = self.squares(|piece| piece.role == Role::Pawn);
        for square in pawns & Bitboard::BACK_RANKS {
            faults.push(SetupFault::PawnOnBackRank(square));
        }

        // Checks mean something only if each side has one king.
        if faults.is_empty() {
            self.check_faults(&mut faults);
        }
        faults
    }

    /// Adds the faults in the numbers of a side's pieces.
    fn piece_faults(&self, color: Color, faults: &mut Vec<SetupFault>) {
        let kings = self.squares_of(color, Role::King);
        if kings.is_empty() {
            faults.push(SetupFault::NoKing(color));
        }
        if kings.more_than_one() {
            faults.push(SetupFault::SeveralKings(color));
        }
        if self.squares(|piece| piece.color == color).count() > 16 {
            faults.push(SetupFault::TooManyPieces(color));
        }
        if self.squares_of(color, Role::Pawn).count() > 8 {
            faults.push(SetupFault::TooManyPawns(color));
        }
    }

    /// Adds a check against the side that has moved, and a check that no move can give.
    fn check_faults(&self, faults: &mut Vec<SetupFault>) {
        if self.checkers(!self.turn).any() {
            faults.push(SetupFault::OpponentInCheck(!self.turn));
        }
        if !self.check_is_possible() {
            faults.push(SetupFault::ImpossibleCheck(self.turn));
        }
    }

    /// Returns `true` if one move can have given the check, with the moved piece, with an uncovered piece, or with
    /// both: there are at most two checkers, and of two at least one is a sliding piece.
    ///
    /// Two checkers on opposite sides of the king on one line are impossible, too, but composers and testers use such
    /// positions, and they can be played.
    fn check_is_possible(&self) -> bool {
        let checkers = self.checkers(self.turn);
        let sliders =
            self.squares(|piece| matches!(piece.role, Role::Bishop | Role::Rook | Role::Queen));

        match checkers.count() {
            0 | 1 => true,
            2 => (checkers & sliders).any(),
            _ => false,
        }
    }

    /// The pieces that attack this side's king.
    fn checkers(&self, color: Color) -> Bitboard {
        let Some(king) = self.squares_of(color, Role::King).first() else {
            return Bitboard::EMPTY;
        };
        let occupied = self.squares(|_| true);

        let mut checkers = Bitboard::EMPTY;
        for role in Role::ALL {
            let origins = attacks::of_role(role, color, king, occupied);
            checkers |= origins & self.squares_of(!color, role);
        }
        checkers
    }
}

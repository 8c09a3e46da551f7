//! A move, as it is played on a position.

use std::fmt;

use super::{Role, Square};

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece goes from one square to another, taking what stands there.
    Normal,
    /// A pawn takes a pawn that has just passed it.
    EnPassant,
    /// King and rook move together; `from` is the king's square, `to` the rook's.
    Castle,
    /// The side to move passes (`--` in PGN files).
    Null,
}

/// A move of one piece, or of two when castling.
///
/// A move says nothing about its legality, which only a position knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes; when castling, the square of the rook.
    pub to: Square,
    /// What it is.
    pub role: Role,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// What is special about it.
    pub kind: MoveKind,
}

impl Move {
    /// A move with nothing special about it.
    #[inline]
    pub const fn normal(role: Role, from: Square, to: Square) -> Move {
        Move { from, to, role, promotion: None, kind: MoveKind::Normal }
    }

    /// A pawn's step or capture on the last rank.
    #[inline]
    pub const fn promotion(from: Square, to: Square, into: Role) -> Move {
        Move { from, to, role: Role::Pawn, promotion: Some(into), kind: MoveKind::Normal }
    }

    /// A capture in passing; `to` is the square behind the captured pawn.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move { from, to, role: Role::Pawn, promotion: None, kind: MoveKind::EnPassant }
    }

    /// Castling with the rook on a square.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move { from: king, to: rook, role: Role::King, promotion: None, kind: MoveKind::Castle }
    }

    /// A null move.
    pub const NULL: Move = Move {
        from: Square::new(0),
        to: Square::new(0),
        role: Role::King,
        promotion: None,
        kind: MoveKind::Null,
    };

    /// Sixteen bits that tell the moves of one position apart: origin (bits 0 to 5), target
    /// (6 to 11) and promotion (12 to 14: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen).
    ///
    /// Castling is king takes own rook. A null move is 0, which no other move is.
    #[inline]
    pub const fn code(self) -> u16 {
        let promotion = match self.promotion {
            Some(role) => role as u16,
            None => 0,
        };
        self.from.index() as u16 | (self.to.index() as u16) << 6 | promotion << 12
    }
}

/// Coordinate notation as chess programs use it, castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == MoveKind::Null {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase() as char),
            None => Ok(()),
        }
    }
}

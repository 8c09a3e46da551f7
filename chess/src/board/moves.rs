//! A move to be played on a position.

use std::fmt;

use super::{File, Role, Square};

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece moves from one square to another, capturing any piece there.
    Normal,
    /// A pawn captures a pawn that has just passed it.
    EnPassant,
    /// King and rook move together; `from` is the king's square, `to` the rook's.
    Castle,
    /// The side to move passes (`--` in PGN files).
    Null,
}

/// The side on which a king castles. The discriminants follow the order of Polyglot's random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// Short castling, with the rook to the right of the king as White sees it: the king goes to the g-file.
    King = 0,
    /// Long castling, with the rook to the left: the king goes to the c-file.
    Queen = 1,
}

impl CastlingSide {
    /// Both sides, the king's side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side of a king on which a rook stands. In Chess960, the file of the rook alone does not tell it.
    #[inline]
    pub fn of_rook(king: Square, rook: Square) -> CastlingSide {
        if rook.file() > king.file() {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        }
    }

    /// The SAN of castling on this side: `O-O` or `O-O-O`.
    pub const fn san(self) -> &'static str {
        match self {
            CastlingSide::King => "O-O",
            CastlingSide::Queen => "O-O-O",
        }
    }
}

/// A move of one piece, or of two when castling.
///
/// A move carries no claim of legality, which depends on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The origin.
    pub from: Square,
    /// The target; when castling, the square of the rook.
    pub to: Square,
    /// The moving piece.
    pub role: Role,
    /// The piece that a pawn promotes to.
    pub promotion: Option<Role>,
    /// The kind of move.
    pub kind: MoveKind,
}

impl Move {
    /// A normal move.
    #[inline]
    pub const fn normal(role: Role, from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            role,
            promotion: None,
            kind: MoveKind::Normal,
        }
    }

    /// A pawn's advance or capture to the last rank.
    #[inline]
    pub const fn promotion(from: Square, to: Square, into: Role) -> Move {
        Move {
            from,
            to,
            role: Role::Pawn,
            promotion: Some(into),
            kind: MoveKind::Normal,
        }
    }

    /// An en passant capture; `to` is the square behind the captured pawn.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            role: Role::Pawn,
            promotion: None,
            kind: MoveKind::EnPassant,
        }
    }

    /// Castling with the rook on this square.
    #[inline]
    pub const fn castle(king: Square, rook: Square) -> Move {
        Move {
            from: king,
            to: rook,
            role: Role::King,
            promotion: None,
            kind: MoveKind::Castle,
        }
    }

    /// A null move.
    pub const NULL: Move = Move {
        from: Square::new(0),
        to: Square::new(0),
        role: Role::King,
        promotion: None,
        kind: MoveKind::Null,
    };

    /// The side on which the king castles; `None` if the move is not castling.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        match self.kind {
            MoveKind::Castle => Some(CastlingSide::of_rook(self.from, self.to)),
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Null => None,
        }
    }

    /// The square on which the moving piece stands afterwards. When castling, it is the king's new square on the c- or
    /// the g-file, not [`to`](Move::to), which is the square of the rook.
    #[inline]
    pub fn destination(self) -> Square {
        if self.kind != MoveKind::Castle {
            return self.to;
        }

        let (king_to, _) = castling_targets(self.from, self.to);
        king_to
    }

    /// A 16-bit code, unique among the moves of one position: origin (bits 0 to 5), target (6 to 11) and promotion (12
    /// to 14: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen).
    ///
    /// Castling is king takes own rook. The code 0 is the null move.
    #[inline]
    pub const fn code(self) -> u16 {
        let promotion = match self.promotion {
            Some(role) => role as u16,
            None => 0,
        };
        let origin = self.from.index() as u16;
        let target = self.to.index() as u16;

        origin | target << 6 | promotion << 12
    }
}

/// The squares of king and rook after castling: on the g- and f-file, or on the c- and d-file.
pub(crate) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = match CastlingSide::of_rook(king, rook) {
        CastlingSide::King => (File::G, File::F),
        CastlingSide::Queen => (File::C, File::D),
    };

    (
        Square::at(king_file, king.rank()),
        Square::at(rook_file, king.rank()),
    )
}

/// Writes long coordinate notation as chess programs use it, castling as king takes rook: `e2e4`, `e7e8q`, `e1h1`.
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

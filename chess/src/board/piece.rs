//! Kinds of pieces, and pieces with their colour.

use super::Color;

/// A kind of piece, in the order of the Polyglot random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// ♙
    Pawn = 0,
    /// ♘
    Knight = 1,
    /// ♗
    Bishop = 2,
    /// ♖
    Rook = 3,
    /// ♕
    Queen = 4,
    /// ♔
    King = 5,
}

impl Role {
    /// All six roles, pawn first.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// The roles that a pawn may promote to, most common first.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The index of this role in arrays of six.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital English letter, `P` for the pawn (PGN §8.2.3.2).
    #[inline]
    pub const fn letter(self) -> u8 {
        b"PNBRQK"[self as usize]
    }

    /// The role with this capital English letter.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Role> {
        Some(match letter {
            b'P' => Role::Pawn,
            b'N' => Role::Knight,
            b'B' => Role::Bishop,
            b'R' => Role::Rook,
            b'Q' => Role::Queen,
            b'K' => Role::King,
            _ => return None,
        })
    }

    /// The role with this [index](Role::index).
    #[inline]
    pub const fn from_index(index: usize) -> Option<Role> {
        if index < 6 {
            Some(Role::ALL[index])
        } else {
            None
        }
    }

    /// The English word, in lower case.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// A piece: a role and the side it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// The role of the piece.
    pub role: Role,
}

impl Piece {
    /// The kind of an empty square.
    pub const NO_KIND: u8 = 12;

    /// The Polyglot number of this piece: black pawn 0, white pawn 1, … white king 11.
    #[inline]
    pub const fn kind(self) -> u8 {
        (self.role as u8) << 1 | self.color as u8
    }

    /// The piece of a kind; `None` for [`Piece::NO_KIND`].
    #[inline]
    pub const fn from_kind(kind: u8) -> Option<Piece> {
        let color = if kind & 1 == 0 {
            Color::Black
        } else {
            Color::White
        };
        match Role::from_index(kind as usize >> 1) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// The piece with this FEN letter: capitals are white (PGN §16.1.3.1).
    pub const fn from_fen_letter(letter: u8) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        match Role::from_letter(letter.to_ascii_uppercase()) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// The FEN letter of this piece.
    pub const fn fen_letter(self) -> u8 {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The Unicode chess symbol.
    pub const fn figurine(self) -> char {
        let symbols = match self.color {
            Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
            Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
        };
        symbols[self.role as usize]
    }
}

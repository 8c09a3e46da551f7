//! The two sides.

use std::ops::Not;

/// The side a piece belongs to, or the side to move.
///
/// The discriminants follow the order of the Polyglot random numbers: Black 0, White 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves second.
    Black = 0,
    /// The side that moves first.
    White = 1,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The index of this side in arrays of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `true` for White.
    #[inline]
    pub const fn is_white(self) -> bool {
        matches!(self, Color::White)
    }

    /// The letter of the side-to-move field of a FEN: `w` or `b`.
    pub const fn letter(self) -> char {
        if self.is_white() { 'w' } else { 'b' }
    }

    /// The capitalized English word: `White` or `Black`.
    pub const fn name(self) -> &'static str {
        if self.is_white() { "White" } else { "Black" }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

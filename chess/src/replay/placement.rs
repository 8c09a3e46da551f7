//! Piece placement, side to move and material, which is all that a pattern needs of a position.

use std::sync::LazyLock;

use crate::board::{Bitboard, Color, Piece, Position, Role, Square};

/// The number of pieces of each kind on a board, pawns included.
///
/// Four bits for each of the twelve kinds: black pawns lowest, then white pawns, and so on up to white kings. In a
/// legal position no count overflows, since a side has at most sixteen pieces, one of them a king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MaterialKey(u64);

impl MaterialKey {
    /// The increment for one piece of each kind; 0 for an empty square.
    const ONE: [u64; 16] = ones();

    /// The number of pieces of a side and role.
    #[inline]
    pub fn count(self, color: Color, role: Role) -> u32 {
        (self.0 >> (4 * Piece { color, role }.kind()) & 15) as u32
    }

    /// Adds a piece of a kind.
    #[inline(always)]
    fn add(&mut self, kind: u8) {
        self.0 = self.0.wrapping_add(MaterialKey::ONE[kind as usize & 15]);
    }

    /// Removes a piece of a kind.
    #[inline(always)]
    fn remove(&mut self, kind: u8) {
        self.0 = self.0.wrapping_sub(MaterialKey::ONE[kind as usize & 15]);
    }
}

/// The table of [`MaterialKey::ONE`].
const fn ones() -> [u64; 16] {
    let mut ones = [0; 16];

    let mut kind = 0;
    while kind < 12 {
        ones[kind] = 1 << (4 * kind);
        kind += 1;
    }

    ones
}

/// The piece on each square, and the side to move.
///
/// A [`Position`] without the state that only the rules need, so that a move takes few instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The squares of each [kind](Piece::kind) of piece; the set of [`Piece::NO_KIND`] stays empty.
    by_kind: [Bitboard; 16],
    by_color: [Bitboard; 2],
    /// The kind of piece on each square.
    mailbox: [u8; 64],
    material: MaterialKey,
    turn: Color,
}

impl From<&Position> for Placement {
    fn from(position: &Position) -> Placement {
        let mut placement = Placement {
            by_kind: [Bitboard::EMPTY; 16],
            by_color: [Bitboard::EMPTY; 2],
            mailbox: [Piece::NO_KIND; 64],
            material: MaterialKey::default(),
            turn: position.turn(),
        };

        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                placement.put(square, piece);
            }
        }

        placement
    }
}

impl Placement {
    /// The placement of the standard start position.
    #[inline]
    pub fn start() -> Placement {
        static START: LazyLock<Placement> = LazyLock::new(|| Placement::from(&Position::start()));
        START.clone()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The number of pieces of each kind.
    #[inline]
    pub fn material(&self) -> MaterialKey {
        self.material
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_kind(self.mailbox[square.index()])
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn side(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The squares of one side's pieces of one role.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        self.of_kind(piece.kind())
    }

    /// The squares of the pieces of one kind, see [`Piece::kind`].
    #[inline(always)]
    pub fn of_kind(&self, kind: u8) -> Bitboard {
        self.by_kind[kind as usize & 15]
    }

    /// `true` if a square is empty.
    #[inline(always)]
    pub(super) fn is_free(&self, square: Square) -> bool {
        self.mailbox[square.index()] == Piece::NO_KIND
    }

    /// Gives the turn to the other side.
    #[inline(always)]
    pub(super) fn pass(&mut self) {
        self.turn = !self.turn;
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        let kind = piece.kind();

        // The mask spares the check of a bound, here and below.
        self.by_kind[kind as usize & 15] |= bit;
        self.by_color[piece.color.index()] |= bit;
        self.mailbox[square.index()] = kind;
        self.material.add(kind);
    }

    /// Empties a square, which may be empty already. This takes no branch on the content of the square.
    #[inline(always)]
    pub(super) fn clear(&mut self, square: Square) {
        let kind = std::mem::replace(&mut self.mailbox[square.index()], Piece::NO_KIND);
        let bit = Bitboard::of(square);

        self.by_kind[kind as usize & 15] &= !bit;
        // The lowest bit of a kind is its colour.
        self.by_color[kind as usize & 1] &= !bit;
        self.material.remove(kind);
    }

    /// Moves a piece from the first square to the second, which must be empty.
    #[inline(always)]
    pub(super) fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        let kind = piece.kind();

        self.by_kind[kind as usize & 15] ^= both;
        self.by_color[piece.color.index()] ^= both;
        self.mailbox[from.index()] = Piece::NO_KIND;
        self.mailbox[to.index()] = kind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_counted_by_kind() {
        let fen = "qqqqqqqk/qqqqqqqq/8/8/8/8/PPPP4/KN6 w - - 0 1";
        let position = Position::from_fen(fen).expect("a legal position");
        let placement = Placement::from(&position);
        let count = |color, role| placement.material().count(color, role);

        // Four bits hold up to fifteen pieces of a kind.
        assert_eq!(count(Color::Black, Role::Queen), 15);
        assert_eq!(count(Color::Black, Role::King), 1);
        assert_eq!(count(Color::White, Role::Pawn), 4);
        assert_eq!(count(Color::White, Role::Knight), 1);
        assert_eq!(count(Color::White, Role::Queen), 0);
    }
}

//! Contents of a square: the set of pieces that it may hold, possibly with the empty square.

use crate::board::{Bitboard, Color, Piece, Role};
use crate::replay::Placement;

/// A set of the twelve [kinds](Piece::kind) of pieces and, as the thirteenth, the empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Contents(u16);

/// The estimated frequency of pawns of a colour beyond the frequency of another kind of piece.
const PAWN_FREQUENCY: u32 = 3;
/// The estimated frequency of empty squares.
const EMPTY_FREQUENCY: u32 = 20;
/// A bound of all frequencies: even twelve kinds, pawns of both colours and the empty square are 38.
const MAX_FREQUENCY: u32 = 40;

impl Contents {
    pub(super) const NOTHING: Contents = Contents(0);
    pub(super) const ANYTHING: Contents = Contents(0x1fff);
    pub(super) const EMPTY: Contents = Contents(1 << Piece::NO_KIND);
    pub(super) const OCCUPIED: Contents = Contents(0x0fff);
    /// The even kinds.
    const BLACK: Contents = Contents(0x0555);
    /// The odd kinds.
    const WHITE: Contents = Contents(0x0aaa);

    /// The contents that allow one piece only.
    pub(super) const fn piece(piece: Piece) -> Contents {
        Contents(1 << piece.kind())
    }

    /// The contents that `self` or `other` allows.
    pub(super) const fn union(self, other: Contents) -> Contents {
        Contents(self.0 | other.0)
    }

    /// The contents that `self` does not allow; the empty square counts as one of them.
    pub(super) const fn complement(self) -> Contents {
        Contents(!self.0 & Contents::ANYTHING.0)
    }

    /// `true` if `self` allows everything that `other` allows.
    pub(super) const fn includes(self, other: Contents) -> bool {
        self.0 & other.0 == other.0
    }

    /// The piece, if it is the only content allowed.
    pub(super) fn only_piece(self) -> Option<Piece> {
        let is_one_piece = self.0.is_power_of_two() && self != Contents::EMPTY;
        if !is_one_piece {
            return None;
        }
        Piece::from_kind(self.0.trailing_zeros() as u8)
    }

    /// The contents with the colours of the pieces swapped.
    pub(super) const fn recolored(self) -> Contents {
        // The two colours of a role have neighbouring kinds, Black's first.
        let black = self.0 & Contents::BLACK.0;
        let white = self.0 & Contents::WHITE.0;
        let empty = self.0 & Contents::EMPTY.0;
        Contents(empty | black << 1 | white >> 1)
    }

    /// The contents for a letter of a pattern: a piece, `A`, `a`, and, outside of brackets, `?`, `!` and `_`.
    pub(super) fn from_letter(letter: char) -> Option<Contents> {
        Some(match letter {
            'A' => Contents::WHITE,
            'a' => Contents::BLACK,
            '?' => Contents::ANYTHING,
            '!' => Contents::OCCUPIED,
            '_' => Contents::EMPTY,
            letter => {
                let piece = u8::try_from(letter).ok().and_then(Piece::from_fen_letter);
                return piece.map(Contents::piece);
            }
        })
    }

    /// The squares with these contents.
    #[inline]
    pub(super) fn squares(self, placement: &Placement) -> Bitboard {
        match self {
            // A placement has these four sets without a loop. All other sets are unions of the squares of kinds of
            // pieces.
            Contents::WHITE => placement.side(Color::White),
            Contents::BLACK => placement.side(Color::Black),
            Contents::OCCUPIED => placement.occupied(),
            Contents::EMPTY => !placement.occupied(),
            others => others.union_of_kinds(placement),
        }
    }

    /// The squares with these contents, as the union of the squares of each kind of piece.
    #[inline]
    fn union_of_kinds(self, placement: &Placement) -> Bitboard {
        let mut rest = self.0 & Contents::OCCUPIED.0;
        let mut found = Bitboard::EMPTY;
        while rest != 0 {
            found |= placement.of_kind(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }

        if self.includes(Contents::EMPTY) {
            found | !placement.occupied()
        } else {
            found
        }
    }

    /// An estimate of the rarity of these contents in the middle of a game. It only decides the order of tests.
    pub(super) fn rarity(self) -> u32 {
        let kinds = (self.0 & Contents::OCCUPIED.0).count_ones();
        let mut frequency = kinds;
        for color in Color::ALL {
            let role = Role::Pawn;
            if self.includes(Contents::piece(Piece { color, role })) {
                frequency += PAWN_FREQUENCY;
            }
        }
        if self.includes(Contents::EMPTY) {
            frequency += EMPTY_FREQUENCY;
        }
        MAX_FREQUENCY - frequency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_change_and_emptiness_stays() {
        let of = |letter| Contents::from_letter(letter).expect("a letter");
        assert_eq!(of('N').recolored(), of('n'));
        assert_eq!(of('a').recolored(), of('A'));
        assert_eq!(of('p').union(of('_')).recolored(), of('P').union(of('_')));
        assert_eq!(of('!').complement(), of('_'));
        assert_eq!(of('A').union(of('a')), of('!'));
    }
}

//! Counts and sums over the pieces on a board, and their ranges.

use crate::board::{Bitboard, Color, Piece, Role};
use crate::replay::{MaterialKey, Placement};

/// A number that depends on the material alone: the weighted sum of the pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// The weight of each kind, in the order of their [numbers](Piece::kind), without zero weights.
    weights: Vec<(Piece, i32)>,
}

impl Measure {
    /// The number of pieces of some kinds.
    pub(super) fn count(is_counted: impl Fn(Piece) -> bool) -> Measure {
        Measure::weighted(|piece| i32::from(is_counted(piece)))
    }

    /// The sum of the weights of all pieces.
    pub(super) fn weighted(weight: impl Fn(Piece) -> i32) -> Measure {
        let mut weights = Vec::new();
        for piece in all_kinds() {
            let weight_of_piece = weight(piece);
            if weight_of_piece != 0 {
                weights.push((piece, weight_of_piece));
            }
        }
        Measure { weights }
    }

    /// The measure with a name.
    pub(super) fn from_word(word: &str) -> Option<Measure> {
        let of_side = |color| Measure::count(|piece: Piece| piece.color == color);
        let measure = match word {
            "pieces" => Measure::count(|_| true),
            "white" => of_side(Color::White),
            "black" => of_side(Color::Black),
            "pawns" => Measure::count(|piece| piece.role == Role::Pawn),
            "difference" => Measure::weighted(points),
            _ => {
                let &[letter] = word.as_bytes() else {
                    return None;
                };
                let kind = Piece::from_fen_letter(letter)?;
                Measure::count(|piece| piece == kind)
            }
        };
        Some(measure)
    }

    /// The value of the measure for some material.
    pub(super) fn value(&self, material: MaterialKey) -> i32 {
        self.weights
            .iter()
            .map(|&(piece, weight)| weight * material.count(piece.color, piece.role) as i32)
            .sum()
    }

    /// The least and the greatest value when the count of each kind is within `bounds`.
    pub(super) fn range(&self, bounds: impl Fn(Piece) -> (u32, u32)) -> (i32, i32) {
        let mut low = 0;
        let mut high = 0;
        for &(piece, weight) in &self.weights {
            let (least, greatest) = bounds(piece);
            let with_least = weight * least as i32;
            let with_greatest = weight * greatest as i32;

            // A negative weight turns the ends round.
            low += with_least.min(with_greatest);
            high += with_least.max(with_greatest);
        }
        (low, high)
    }

    /// The greatest number of pieces of a kind with which the value can be at most `limit` when the count of each kind
    /// is within `bounds`. `None` if `limit` does not bound their number.
    pub(super) fn max_count(
        &self,
        piece: Piece,
        bounds: impl Fn(Piece) -> (u32, u32),
        limit: i32,
    ) -> Option<u32> {
        let mut weights = self.weights.iter();
        let &(_, weight) = weights.find(|(kind, _)| *kind == piece)?;
        // More pieces of this kind would only lower the value.
        if weight <= 0 {
            return None;
        }

        // The least value of all other kinds leaves the rest of the limit to this kind.
        let bounds_of_others = |kind| if kind == piece { (0, 0) } else { bounds(kind) };
        let (others, _) = self.range(bounds_of_others);
        let left = limit.saturating_sub(others);
        Some(u32::try_from(left / weight).unwrap_or(0))
    }

    /// The measure with the colours swapped.
    pub(super) fn recolored(&self) -> Measure {
        let weight_of_other = |piece: Piece| {
            let other = Piece {
                color: !piece.color,
                ..piece
            };
            let mut weights = self.weights.iter();
            match weights.find(|(kind, _)| *kind == other) {
                Some(&(_, weight)) => weight,
                None => 0,
            }
        };
        Measure::weighted(weight_of_other)
    }
}

/// The twelve kinds of pieces, in the order of their numbers.
fn all_kinds() -> impl Iterator<Item = Piece> {
    (0..12).filter_map(Piece::from_kind)
}

/// The points of a piece, negative for Black's.
fn points(piece: Piece) -> i32 {
    let points = match piece.role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    if piece.color.is_white() {
        points
    } else {
        -points
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// The signs, each before its prefixes.
    pub(super) const SIGNS: [(&str, Comparison); 8] = [
        ("!=", Comparison::Unequal),
        ("<>", Comparison::Unequal),
        ("==", Comparison::Equal),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

    /// `true` if the comparison of `left` with `right` is true.
    pub(super) fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }

    /// The greatest left number for which the comparison holds; `None` if there is no greatest number.
    pub(super) fn max_left(self, right: i32) -> Option<i32> {
        match self {
            Comparison::Equal | Comparison::AtMost => Some(right),
            Comparison::Less => Some(right.saturating_sub(1)),
            Comparison::Unequal | Comparison::Greater | Comparison::AtLeast => None,
        }
    }

    /// `true` if the comparison of some number from `low` to `high` with `right` is true.
    pub(super) fn may_hold(self, (low, high): (i32, i32), right: i32) -> bool {
        match self {
            Comparison::Equal => (low..=high).contains(&right),
            // Every number of the range equals `right` only if both ends do.
            Comparison::Unequal => low != right || high != right,
            // If the comparison holds for any number of the range, it holds for the lower or the upper end.
            Comparison::Less | Comparison::AtMost => self.holds(low, right),
            Comparison::Greater | Comparison::AtLeast => self.holds(high, right),
        }
    }
}

/// `true` if the bishops are on squares of one colour; `None` unless each side has exactly one bishop.
#[inline]
pub(super) fn single_bishops_agree(placement: &Placement) -> Option<bool> {
    let bishop_of = |color| {
        let role = Role::Bishop;
        placement.pieces(Piece { color, role }).single()
    };
    let is_light = |square| Bitboard::LIGHT_SQUARES.contains(square);

    let white = bishop_of(Color::White)?;
    let black = bishop_of(Color::Black)?;
    Some(is_light(white) == is_light(black))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_may_hold_if_it_holds_for_a_number_of_the_range() {
        for (sign, comparison) in Comparison::SIGNS {
            for low in -3..=3 {
                for high in low..=3 {
                    for right in -4..=4 {
                        let expected = (low..=high).any(|left| comparison.holds(left, right));
                        let may_hold = comparison.may_hold((low, high), right);
                        assert_eq!(may_hold, expected, "{low}..={high} {sign} {right}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_comparison_holds_beyond_its_greatest_number() {
        for (sign, comparison) in Comparison::SIGNS {
            if let Some(max) = comparison.max_left(2) {
                assert!(comparison.holds(max, 2), "{sign}");
                assert!(!comparison.holds(max + 1, 2), "{sign}");
            }
        }
    }

    #[test]
    fn words_name_measures() {
        for (word, is_measure) in [
            ("pieces", true),
            ("difference", true),
            ("Q", true),
            ("x", false),
            ("QQ", false),
            ("", false),
        ] {
            assert_eq!(Measure::from_word(word).is_some(), is_measure, "{word}");
        }

        // A queen, a rook, a bishop, a knight and a pawn have 21 points.
        let difference = Measure::from_word("difference").expect("a measure");
        assert_eq!(difference.range(|_| (0, 1)), (-21, 21));
        let white = Measure::from_word("white").expect("a measure");
        assert_eq!(Some(white.recolored()), Measure::from_word("black"));
    }
}

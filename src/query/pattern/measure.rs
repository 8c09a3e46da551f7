//! What is counted of the men on a board, and what it may come to.

use crate::board::{Bitboard, Color, Piece, Role};
use crate::replay::{Men, Placement};

/// A number that depends on the men alone: each kind counts so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// By the [number](Piece::kind) of the kind.
    weights: [i32; 12],
}

impl Measure {
    /// The number of men of some kinds.
    pub(super) fn count(is_counted: impl Fn(Piece) -> bool) -> Measure {
        Measure::weighted(|piece| i32::from(is_counted(piece)))
    }

    /// The sum of what each man counts.
    pub(super) fn weighted(weight: impl Fn(Piece) -> i32) -> Measure {
        let mut weights = [0; 12];
        for piece in all_kinds() {
            weights[piece.kind() as usize] = weight(piece);
        }
        Measure { weights }
    }

    /// The measure that a word stands for.
    pub(super) fn named(word: &str) -> Option<Measure> {
        let of_side = |color| Measure::count(|piece: Piece| piece.color == color);
        Some(match word {
            "pieces" => Measure::count(|_| true),
            "white" => of_side(Color::White),
            "black" => of_side(Color::Black),
            "pawns" => Measure::count(|piece| piece.role == Role::Pawn),
            "difference" => Measure::weighted(points),
            word => {
                let &[letter] = word.as_bytes() else { return None };
                let wanted = Piece::from_fen_letter(letter)?;
                Measure::count(|piece| piece == wanted)
            }
        })
    }

    /// What it comes to for some men.
    pub(super) fn of(&self, men: Men) -> i32 {
        self.sum(|piece, weight| weight * men.count(piece.color, piece.role) as i32)
    }

    /// The least and the most that it can come to where each kind has at least and at most so many men.
    pub(super) fn range(&self, bounds: impl Fn(Piece) -> (u32, u32)) -> (i32, i32) {
        let ends = |piece: Piece, weight: i32| {
            let (least, most) = bounds(piece);
            (weight * least as i32, weight * most as i32)
        };
        let low = self.sum(|piece, weight| {
            let (a, b) = ends(piece, weight);
            a.min(b)
        });
        let high = self.sum(|piece, weight| {
            let (a, b) = ends(piece, weight);
            a.max(b)
        });
        (low, high)
    }

    fn sum(&self, part: impl Fn(Piece, i32) -> i32) -> i32 {
        all_kinds().map(|piece| part(piece, self.weights[piece.kind() as usize])).sum()
    }

    /// The same with the colours changed.
    pub(super) fn recolored(&self) -> Measure {
        let mut weights = self.weights;
        for pair in weights.as_chunks_mut::<2>().0 {
            pair.swap(0, 1);
        }
        Measure { weights }
    }
}

fn all_kinds() -> impl Iterator<Item = Piece> {
    (0..12).filter_map(Piece::from_kind)
}

/// White's men count for it, Black's against.
fn points(piece: Piece) -> i32 {
    let points = match piece.role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    if piece.color.is_white() { points } else { -points }
}

/// How two numbers compare.
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
    /// The signs, the longer ones before those that they begin with.
    pub(super) const SIGNS: [(&str, Comparison); 6] = [
        ("!=", Comparison::Unequal),
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

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

    /// `true` when it holds for some number of a range.
    pub(super) fn may_hold(self, (low, high): (i32, i32), right: i32) -> bool {
        match self {
            Comparison::Equal => low <= right && right <= high,
            Comparison::Unequal => low != right || high != right,
            Comparison::Less | Comparison::AtMost => self.holds(low, right),
            Comparison::Greater | Comparison::AtLeast => self.holds(high, right),
        }
    }
}

/// Whether the bishops of both sides, of which each has one, stand on squares of the same colour.
#[inline]
pub(super) fn single_bishops_agree(placement: &Placement) -> Option<bool> {
    let of = |color| placement.pieces(Piece { color, role: Role::Bishop }).single();
    let is_light = |square| Bitboard::LIGHT_SQUARES.contains(square);
    Some(is_light(of(Color::White)?) == is_light(of(Color::Black)?))
}

//! Keys under which positions are indexed.

use crate::board::{Bitboard, CastlingSide, Color, Position, Rank, Role, Square};
use crate::game::Variant;

/// A 64-bit position key: [`Position::key`], combined with the variant and with the choice between two rooks on one
/// side of the king that may castle.
///
/// Where neither matters, which is nearly always, it is the published Zobrist key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionKey(pub u64);

impl PositionKey {
    /// The key of a position in a variant.
    #[inline]
    pub fn new(position: &Position, variant: Variant) -> PositionKey {
        let key = position.key() ^ variant.salt();

        // A rook in the corner has no rook outside of it.
        if (position.castling() & !Bitboard::CORNERS).is_empty() {
            PositionKey(key)
        } else {
            PositionKey(key ^ inner_rooks(position))
        }
    }
}

/// A number for castling rooks that have another rook outside of them; 0 if there is none.
#[cold]
fn inner_rooks(position: &Position) -> u64 {
    const SALT: u64 = 0x6c62_272e_07bb_0142;

    let mut salt = 0;
    for rook in position.castling() {
        if is_inner(rook, position) {
            salt ^= SALT.rotate_left(rook.index() as u32);
        }
    }

    salt
}

/// Returns `true` if another rook of the side is further from the king than a castling rook.
fn is_inner(rook: Square, position: &Position) -> bool {
    let color = match rook.rank() {
        Rank::ONE => Color::White,
        _ => Color::Black,
    };
    let side = CastlingSide::of_rook(position.king(color), rook);

    let rooks = position.pieces(color, Role::Rook) & Bitboard::home_rank(color);
    rooks.into_iter().any(|other| match side {
        CastlingSide::King => other.file() > rook.file(),
        CastlingSide::Queen => other.file() < rook.file(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(fen: &str) -> PositionKey {
        PositionKey::new(
            &Position::from_fen(fen).expect("a legal position"),
            Variant::Standard,
        )
    }

    #[test]
    fn which_rook_castles_matters() {
        let (outer, inner) = (
            "4k3/8/8/8/8/8/8/4KRR1 w G - 0 1",
            "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1",
        );
        assert_ne!(key(outer), key(inner));
        assert_eq!(key(outer), key("4k3/8/8/8/8/8/8/4KRR1 w K - 7 9"));
    }

    #[test]
    fn corner_rooks_are_the_usual_ones() {
        let usual = key("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert_eq!(usual, key("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"));
    }
}

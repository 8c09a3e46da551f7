//! Keys under which positions are indexed.

use crate::board::{Bitboard, Color, Position, Rank, Role, Square};
use crate::game::Variant;

/// A 64-bit position key: [`Position::key`], combined with what that key omits, namely the variant and which of two
/// rooks on one side of the king may castle.
///
/// Where neither matters, which is nearly always, it is the published Zobrist key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionKey(pub u64);

impl PositionKey {
    /// The key of a position in a variant.
    #[inline]
    pub fn new(position: &Position, variant: Variant) -> PositionKey {
        const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
        let key = position.key() ^ variant.salt();
        if (position.castling() & !CORNERS).is_empty() {
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
    let is_inner = |rook: &Square| {
        let color = if rook.rank() == Rank::ONE {
            Color::White
        } else {
            Color::Black
        };
        let king = position.king(color);
        let outside = |other: Square| {
            if rook.file() > king.file() {
                other.file() > rook.file()
            } else {
                other.file() < rook.file()
            }
        };
        let rooks = position.pieces(color, Role::Rook) & Bitboard::home_rank(color);
        rooks.into_iter().any(outside)
    };
    let inner = position.castling().into_iter().filter(is_inner);
    inner.fold(0, |salt, rook| salt ^ SALT.rotate_left(rook.index() as u32))
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

//! Postings, and the widths of their fields in blocks.

use crate::board::Color;

/// The version of the bytes of a segment, in `position_segment.format`.
pub(super) const FORMAT: i64 = 1;
/// The maximum size of a block in bytes: with its row, it fills a page of 4096 bytes.
pub(super) const BLOCK_BYTES: usize = 4040;
/// The bytes of a block's header: the Rice parameter of the keys, and the number of units.
pub(super) const HEADER_BYTES: usize = 3;
/// The minimum number of games of a segment that reach a popular position.
///
/// A position in fewer games is counted by a replay of these games, which takes a few microseconds per game.
pub(super) const POPULAR_GAMES: usize = 32;
/// The maximum width of a truncated key in bits, which must fit into a block's row number.
pub(super) const MAX_KEY_BITS: u32 = 32;

/// The width of the code of a move in a group.
pub(super) const MOVE_CODE_BITS: u32 = 16;
/// The width of the Rice parameter of the indexes of moves in a group.
pub(super) const RANK_RICE_BITS: u32 = 4;
/// The width of a mean rating, which has four decimal digits at most.
pub(super) const RATING_BITS: u32 = 14;
/// The width of a year, which has four decimal digits at most.
pub(super) const YEAR_BITS: u32 = 14;

/// A posting: a position in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// The full key of the position.
    pub(super) key: u64,
    /// The game, numbered from the first of the segment.
    pub(super) game: u32,
    /// The position's [check key](crate::board::Position::check_key).
    pub(super) check_key: u16,
    /// The next move, as in [`Visit::next`](crate::replay::Visit::next).
    pub(super) next: u16,
}

/// The number of bits of a check key.
pub(super) const CHECK_KEY_BITS: u32 = 14;
/// The size of a posting in a temporary file, in bytes.
pub(super) const POSTING_BYTES: usize = 16;

impl Posting {
    /// `true` if both postings are for one position: the 64 bits of the key and the 14 bits of the check key are equal.
    pub(super) fn is_same_position(&self, other: &Posting) -> bool {
        self.key == other.key && self.check_key == other.check_key
    }

    /// The side to move.
    pub(super) fn turn(&self) -> Color {
        turn(self.check_key)
    }

    /// The posting as bytes.
    #[inline]
    pub(super) fn to_bytes(self) -> [u8; POSTING_BYTES] {
        let game = u64::from(self.game) << 32;
        let check_key = u64::from(self.check_key) << 16;
        let low = game | check_key | u64::from(self.next);

        let bytes = u128::from(self.key) << 64 | u128::from(low);
        bytes.to_le_bytes()
    }

    /// The posting that [`Posting::to_bytes`] wrote.
    #[inline]
    pub(super) fn from_bytes(bytes: [u8; POSTING_BYTES]) -> Posting {
        let all = u128::from_le_bytes(bytes);

        Posting {
            key: (all >> 64) as u64,
            game: (all >> 32) as u32,
            check_key: (all >> 16) as u16,
            next: all as u16,
        }
    }
}

/// The side to move, which is a bit of the check key.
pub(super) fn turn(check_key: u16) -> Color {
    if check_key & 1 == 1 {
        Color::White
    } else {
        Color::Black
    }
}

/// The widths that a reader of a segment's blocks needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    /// The bits of a truncated key, from 1 to [`MAX_KEY_BITS`].
    pub(super) key: u32,
    /// The bits of a game's number, 32 at most.
    pub(super) game: u32,
}

impl Widths {
    /// The widths for a number of postings and games. With two bits more than the postings need, only one lookup in
    /// four hits the unit of another position, which costs a replay. Each further bit would cost a bit in most
    /// postings.
    pub(super) fn for_size(postings: u64, games: usize) -> Widths {
        let bits = |count: u64| u64::BITS - count.saturating_sub(1).leading_zeros();

        Widths {
            key: (bits(postings) + 2).min(MAX_KEY_BITS),
            game: bits(games as u64),
        }
    }

    /// The number of bits of a key that [`Widths::truncate`] drops.
    #[inline]
    pub(super) fn rest_bits(self) -> u32 {
        u64::BITS - self.key
    }

    /// The first bits of a key, as blocks store them.
    #[inline]
    pub(super) fn truncate(self, key: u64) -> u64 {
        key >> self.rest_bits()
    }

    /// The bits of a key that [`Widths::truncate`] drops.
    pub(super) fn rest(self, key: u64) -> u64 {
        key & !(!0 << self.rest_bits())
    }

    /// The Rice parameter for a list of this many games of the segment. Damaged bytes may hold any length, but never
    /// `u64::MAX`, because a length is stored plus 1.
    #[inline]
    pub(super) fn game_rice(self, games: u64) -> u32 {
        // The mean difference is about the number of games of the segment, divided by the length of the list.
        self.game.saturating_sub((games + 1).ilog2() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_come_back_from_bytes() {
        let posting = Posting {
            key: !7,
            game: 0x1234_5678,
            check_key: 0x1abd,
            next: 0xfedc,
        };
        assert_eq!(Posting::from_bytes(posting.to_bytes()), posting);
        assert_eq!(posting.turn(), Color::White);
    }
}

//! The positions that the games of a database reach, as a Bloom filter: a look-up may err for a position that no game
//! has.

use crate::error::Result;
use crate::memory::Memory;
use crate::replay::PositionKey;
use crate::storage::{Database, InDatabase, PlayedGame, replay_stored};
use crate::store_fault::StoreError;

/// The bits of memory for each position. With 24 bits, about one in ten thousand positions that no game has is taken
/// for a known position.
const BITS_PER_POSITION: u64 = 24;
/// The number of bits that a position sets, all in one block.
const BITS_SET: u32 = 8;
/// The number of 64-bit words of a block. A block is as large as a cache line, so a look-up reads memory once.
const WORDS: usize = 8;
/// The number of bits of a word.
const WORD_BITS: usize = u64::BITS as usize;
/// The number of bits of a block, a power of two.
const BLOCK_BITS: usize = WORDS * WORD_BITS;

/// A Bloom filter of positions. All added positions are in the set. With [`BITS_PER_POSITION`] for each position, one
/// in ten thousand other positions is taken for a member; a million games need 180 MB.
pub(super) struct KnownPositions {
    blocks: Vec<[u64; WORDS]>,
}

impl KnownPositions {
    /// The set of the positions of all games, by a replay of all games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn read(database: &Database, memory: Memory) -> Result<KnownPositions> {
        let positions = database.count_visited_positions()?;
        let wanted_bytes = positions.saturating_mul(BITS_PER_POSITION) / 8;
        let bytes = wanted_bytes.min(memory.known_position_bytes());
        let block_bytes = (BLOCK_BITS / 8) as u64;
        // A set without a block could not hold any position.
        let blocks = (bytes / block_bytes).max(1) as usize;
        let mut known = KnownPositions {
            blocks: vec![[0; WORDS]; blocks],
        };

        let add_keys = |keys: Vec<PositionKey>| {
            for key in keys {
                known.add(key);
            }
            Ok::<(), StoreError>(())
        };

        let connection = &database.connection;
        let all = (i64::MIN, i64::MAX);
        let lines = database.indexed_lines()?;
        let replayed = replay_stored(connection, all, None, lines, keys_of_games, add_keys);
        replayed.in_database(database)?;
        Ok(known)
    }

    fn add(&mut self, key: PositionKey) {
        let (block, mask) = self.block_and_mask(key);
        for (word, mask) in self.blocks[block].iter_mut().zip(mask) {
            *word |= mask;
        }
    }

    /// Returns `false` for a position that no game has.
    pub(super) fn may_have(&self, key: PositionKey) -> bool {
        let (block, mask) = self.block_and_mask(key);
        self.blocks[block]
            .iter()
            .zip(mask)
            .all(|(word, mask)| word & mask == mask)
    }

    /// The index of the block of a position, and the bits of the position in the block.
    fn block_and_mask(&self, PositionKey(key): PositionKey) -> (usize, [u64; WORDS]) {
        // The upper half of the product is an index that is evenly distributed over the blocks.
        let block = (u128::from(key) * self.blocks.len() as u128) >> 64;

        // The upper bits of the key determine the block, so the bits within the block come from another mix of all
        // bits.
        let mut bits = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits ^= bits >> 32;
        let mut mask = [0; WORDS];
        for _ in 0..BITS_SET {
            bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
            // The upper bits of a product are mixed best. They select one of the bits of a block.
            let bit = (bits >> (u64::BITS - BLOCK_BITS.ilog2())) as usize;
            mask[bit / WORD_BITS] |= 1 << (bit % WORD_BITS);
        }
        (block as usize, mask)
    }
}

/// The keys of the positions of some games.
fn keys_of_games(games: &[PlayedGame]) -> Vec<PositionKey> {
    let mut keys = Vec::new();
    for game in games {
        keys.extend(game.visits().iter().map(|visit| visit.key));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys as random as the keys of positions.
    fn key(number: u64) -> PositionKey {
        let mut bits = number
            .wrapping_add(0x9e37_79b9_7f4a_7c15)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits ^= bits >> 29;
        PositionKey(bits.wrapping_mul(0x94d0_49bb_1331_11eb) ^ bits >> 31)
    }

    #[test]
    fn it_has_all_that_were_added_and_few_others() {
        const POSITIONS: u64 = 100_000;
        let blocks = (POSITIONS * BITS_PER_POSITION) as usize / BLOCK_BITS;
        let mut known = KnownPositions {
            blocks: vec![[0; WORDS]; blocks],
        };
        for number in 0..POSITIONS {
            known.add(key(number));
        }

        let has = |number: &u64| known.may_have(key(*number));
        assert!((0..POSITIONS).all(|number| has(&number)));
        let others = (POSITIONS..11 * POSITIONS).filter(has).count();
        assert!(others < 300, "{others} of a million");
    }
}

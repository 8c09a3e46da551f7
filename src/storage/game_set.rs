//! Sets of games.

use std::collections::BTreeMap;

use super::GameId;

/// The number of games in a block, as a power of two.
pub(crate) const BLOCK_BITS: u32 = 12;
/// The number of games in a block.
pub(crate) const BLOCK_GAMES: usize = 1 << BLOCK_BITS;

/// The block of a game, and its place there.
pub(crate) fn block_and_slot(game: GameId) -> (i64, usize) {
    let number = game.get();
    let block = number >> BLOCK_BITS;
    let slot = number & (BLOCK_GAMES as i64 - 1);
    (block, slot as usize)
}

/// The number of games in a word of a block.
const WORD_GAMES: usize = u64::BITS as usize;
const WORDS: usize = BLOCK_GAMES / WORD_GAMES;

/// A set of games: a bit each, in blocks of 4096 numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSet {
    blocks: BTreeMap<i64, Box<[u64; WORDS]>>,
}

/// The block of a game, the index of its word in the block, and its bit in the word.
fn block_word_and_bit(game: GameId) -> (i64, usize, u64) {
    let (block, slot) = block_and_slot(game);
    (block, slot / WORD_GAMES, 1 << (slot % WORD_GAMES))
}

impl GameSet {
    /// `true` if a game is in the set.
    pub fn contains(&self, game: GameId) -> bool {
        let (block, word, bit) = block_word_and_bit(game);
        let Some(words) = self.blocks.get(&block) else {
            return false;
        };
        words[word] & bit != 0
    }

    /// Adds a game.
    pub fn insert(&mut self, game: GameId) {
        let (block, word, bit) = block_word_and_bit(game);
        let words = self
            .blocks
            .entry(block)
            .or_insert_with(|| Box::new([0; WORDS]));
        words[word] |= bit;
    }

    /// Removes a game.
    pub fn remove(&mut self, game: GameId) {
        let (block, word, bit) = block_word_and_bit(game);
        if let Some(words) = self.blocks.get_mut(&block) {
            words[word] &= !bit;
        }
    }

    /// The number of games in the set.
    pub fn len(&self) -> u64 {
        let mut games = 0;
        for (_, word) in self.words() {
            games += u64::from(word.count_ones());
        }
        games
    }

    /// `true` if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words().all(|(_, word)| word == 0)
    }

    /// The games, ascending.
    pub fn iter(&self) -> impl Iterator<Item = GameId> {
        self.words().flat_map(|(first, word)| {
            let game_of_bit = move |bit: u32| GameId::new(first + i64::from(bit));
            bits(word).map(game_of_bit)
        })
    }

    /// Keeps the games that are also in another set.
    pub fn intersect(&mut self, other: &GameSet) {
        self.blocks.retain(|block, words| {
            let Some(others) = other.blocks.get(block) else {
                return false;
            };
            for (word, other) in words.iter_mut().zip(others.iter()) {
                *word &= other;
            }
            true
        });
    }

    /// The words, ascending, each with the number of its first game.
    fn words(&self) -> impl Iterator<Item = (i64, u64)> {
        self.blocks.iter().flat_map(|(&block, words)| {
            let first_of_block = block << BLOCK_BITS;
            words.iter().enumerate().map(move |(word, &bits)| {
                let first = first_of_block + (word * WORD_GAMES) as i64;
                (first, bits)
            })
        })
    }

    /// Adds the games of a block for whose places, below `slots`, a condition holds.
    pub(crate) fn insert_in(&mut self, block: i64, slots: usize, holds: impl Fn(usize) -> bool) {
        let mut words = Box::new([0; WORDS]);
        for slot in 0..slots.min(BLOCK_GAMES) {
            let bit = u64::from(holds(slot)) << (slot % WORD_GAMES);
            words[slot / WORD_GAMES] |= bit;
        }
        self.blocks.insert(block, words);
    }

    /// The blocks that contain a game of the set.
    pub(crate) fn block_numbers(&self) -> Vec<i64> {
        let mut numbers = Vec::new();
        for (&block, words) in &self.blocks {
            // Removed games may have left a block without any.
            let has_game = words.iter().any(|&word| word != 0);
            if has_game {
                numbers.push(block);
            }
        }
        numbers
    }

    /// The places of the games of a block.
    pub(crate) fn of_block(&self, block: i64) -> impl Iterator<Item = usize> {
        let words: &[u64] = match self.blocks.get(&block) {
            Some(words) => &words[..],
            None => &[],
        };

        words.iter().enumerate().flat_map(|(number, &word)| {
            let first_slot = number * WORD_GAMES;
            bits(word).map(move |bit| first_slot + bit as usize)
        })
    }

    /// Keeps the games of a block for whose places a condition holds.
    pub(crate) fn retain_in(&mut self, block: i64, mut holds: impl FnMut(usize) -> bool) {
        let Some(words) = self.blocks.get_mut(&block) else {
            return;
        };

        for (number, word) in words.iter_mut().enumerate() {
            let first_slot = number * WORD_GAMES;
            for bit in bits(*word) {
                if !holds(first_slot + bit as usize) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
}

/// The numbers of the bits that are set in a word, ascending.
fn bits(word: u64) -> impl Iterator<Item = u32> {
    let mut left = word;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let bit = left.trailing_zeros();
        // Clears the lowest bit that is set.
        left &= left - 1;
        Some(bit)
    })
}

impl FromIterator<GameId> for GameSet {
    fn from_iter<I: IntoIterator<Item = GameId>>(games: I) -> GameSet {
        let mut set = GameSet::default();
        for game in games {
            set.insert(game);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_of(games: &[i64]) -> GameSet {
        games.iter().copied().map(GameId::new).collect()
    }

    fn numbers(set: &GameSet) -> Vec<i64> {
        set.iter().map(GameId::get).collect()
    }

    #[test]
    fn games_come_in_their_order() {
        let games = [-5, 1, 63, 64, 4095, 4096, 1 << 40];
        let mut set: GameSet = games.into_iter().rev().map(GameId::new).collect();
        assert_eq!(numbers(&set), games);

        set.intersect(&set_of(&[64, 65, 1 << 40]));
        assert_eq!(numbers(&set), [64, 1 << 40]);

        set.remove(GameId::new(64));
        assert!(set.contains(GameId::new(1 << 40)));
        assert!(!set.contains(GameId::new(64)));
        assert_eq!(set.len(), 1);

        let slots = |set: &GameSet, block| set.of_block(block).collect::<Vec<_>>();
        let two_blocks = set_of(&[63, 64, 4095, 4096]);
        assert_eq!(slots(&two_blocks, 0), [63, 64, 4095]);
        assert!(slots(&set, 0).is_empty());
        assert_eq!(slots(&set, 1 << 28), [0]);
        assert!(slots(&set, 7).is_empty());

        set.retain_in(1 << 28, |slot| slot > 0);
        assert!(set.is_empty());
    }
}

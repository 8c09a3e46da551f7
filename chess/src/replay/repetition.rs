//! Counts the earlier occurrences of a position in a game.

use std::collections::HashMap;

use super::PositionKey;

/// The length of the windows that are searched, in plies; longer windows use a table.
const SEARCHED_PLIES: usize = 128;

/// The keys of a game's positions, searched for repetitions as they are added.
///
/// Only positions since the last capture or pawn move can recur. In nearly every game that is a handful of keys; if
/// players shuffle for thousands of moves, a table takes over, so that time stays linear.
#[derive(Debug, Default)]
pub(super) struct Repetition {
    keys: Vec<PositionKey>,
    /// A filter of the keys since the last capture or pawn move, with a bit for each value of a key's lowest byte.
    ///
    /// Without the filter, each position is compared with ten others, and the processor cannot predict their number.
    filter: [u64; 4],
    /// The number of occurrences of each key in a long window.
    counts: Option<HashMap<PositionKey, u32>>,
}

impl Repetition {
    /// An empty history with room for this many positions.
    pub(super) fn with_capacity(positions: usize) -> Repetition {
        Repetition {
            keys: Vec::with_capacity(positions),
            ..Repetition::default()
        }
    }

    /// Makes room for this many positions.
    pub(super) fn reserve(&mut self, positions: usize) {
        self.keys.reserve(positions);
    }

    /// Adds a position, and returns the number of its earlier occurrences.
    ///
    /// `reversible` is the number of plies since the last irreversible one.
    #[inline]
    pub(super) fn visit(&mut self, key: PositionKey, reversible: u32) -> u32 {
        let window = self.keys.len().min(reversible as usize);
        let may_recur = self.may_recur(key, window);

        let earlier = match window {
            // A position needs at least two half-moves to come back.
            0..2 => 0,
            2..SEARCHED_PLIES if !may_recur => 0,
            2..SEARCHED_PLIES => {
                let recent = &self.keys[self.keys.len() - window..];
                recent.iter().filter(|&&earlier| earlier == key).count() as u32
            }
            _ => return self.visit_long(key, window),
        };

        self.counts = None;
        self.keys.push(key);
        earlier
    }

    /// Adds a key to the filter; returns `false` if it has certainly not occurred in the window.
    #[inline]
    fn may_recur(&mut self, key: PositionKey, window: usize) -> bool {
        if window == 0 {
            self.filter = [0; 4];
        }

        // The lowest six bits of the key number the bit, the next two the word.
        let bits = &mut self.filter[key.0 as usize >> 6 & 3];
        let bit = 1 << (key.0 & 63);
        let may_recur = *bits & bit != 0;

        *bits |= bit;
        may_recur
    }

    /// Adds a position whose window is too long to be searched.
    #[cold]
    fn visit_long(&mut self, key: PositionKey, window: usize) -> u32 {
        let recent = &self.keys[self.keys.len() - window..];
        let counts = self.counts.get_or_insert_with(|| count_keys(recent));

        let count = counts.entry(key).or_default();
        let earlier = *count;
        *count += 1;

        self.keys.push(key);
        earlier
    }
}

/// The number of occurrences of each key.
fn count_keys(keys: &[PositionKey]) -> HashMap<PositionKey, u32> {
    let mut counts = HashMap::new();
    for &key in keys {
        *counts.entry(key).or_default() += 1;
    }

    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_like_a_full_search() {
        let mut state = 7_u64;
        for length in [10, 127, 128, 129, 1000] {
            let mut repetition = Repetition::default();
            let mut keys = Vec::new();
            let mut reversible = 0;

            for _ in 0..length {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                if state >> 50 == 0 {
                    reversible = 0;
                }

                // Few keys, so that they are often repeated.
                let key = PositionKey(state >> 60);
                let window = reversible.min(keys.len());
                let recent = &keys[keys.len() - window..];
                let equal = recent.iter().filter(|&&earlier| earlier == key).count();
                let expected = if window < 2 { 0 } else { equal };

                let counted = repetition.visit(key, reversible as u32);
                assert_eq!(counted, expected as u32);

                keys.push(key);
                reversible += 1;
            }
        }
    }
}

//! A set of 64-bit keys within a limit of memory.

use std::collections::HashSet;

/// The number of parts that the keys are divided into, so that only a small part grows at a time.
const PARTS: usize = 64;

/// The maximum memory of a key, in a part that has just grown: 8 bytes and one byte for control, in a table that is
/// seven sixteenths full.
const MAX_KEY_BYTES: u64 = 21;

/// Keys that are evenly distributed, such as hashes.
#[derive(Debug)]
pub(crate) struct KeySet {
    parts: Vec<HashSet<u64, foldhash::fast::RandomState>>,
    keys: u64,
    max_keys: u64,
}

/// The outcome of inserting a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    /// The key was not in the set, and is now.
    New,
    /// The key was in the set.
    Known,
    /// The key is not in the set, and there is no room for it.
    Full,
}

impl KeySet {
    /// An empty set that takes up to this many bytes.
    pub(crate) fn new(bytes: u64) -> KeySet {
        let parts = (0..PARTS).map(|_| HashSet::default()).collect();
        KeySet {
            parts,
            keys: 0,
            max_keys: bytes / MAX_KEY_BYTES,
        }
    }

    /// The maximum number of keys.
    pub(crate) fn max_keys(&self) -> u64 {
        self.max_keys
    }

    /// Adds a key, if there is room for it.
    pub(crate) fn insert(&mut self, key: u64) -> Inserted {
        let part = &mut self.parts[key as usize % PARTS];

        if self.keys == self.max_keys {
            return if part.contains(&key) {
                Inserted::Known
            } else {
                Inserted::Full
            };
        }

        if !part.insert(key) {
            return Inserted::Known;
        }

        self.keys += 1;
        Inserted::New
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_still_knows_its_keys() {
        let mut keys = KeySet::new(2 * MAX_KEY_BYTES);
        let inserted = [7, 8, 7, 9, 8, 9].map(|key| keys.insert(key));
        let expected = [
            Inserted::New,
            Inserted::New,
            Inserted::Known,
            Inserted::Full,
            Inserted::Known,
            Inserted::Full,
        ];
        assert_eq!(inserted, expected);
    }
}

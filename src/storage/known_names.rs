//! Row numbers of names in little memory: by a hash of 128 bits, without the text.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// The first 128 bits of a name's BLAKE3 hash, which no two names share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameHash([u32; 4]);

impl NameHash {
    pub(super) fn of(name: &str) -> NameHash {
        let hash = blake3::hash(name.as_bytes());
        let (words, _) = hash.as_bytes().as_chunks::<4>();
        NameHash(std::array::from_fn(|word| u32::from_le_bytes(words[word])))
    }
}

/// The bytes of an entry in a hash table: the hash, the number, and a byte of the table.
const ENTRY_BYTES: usize = size_of::<(NameHash, u32)>() + 1;
/// A table of this size is enlarged to the limit at once, so that no second large one is in memory while it grows.
const SMALL_NAMES: usize = 1 << 16;

/// Numbers of names, up to a limit to memory. When it is full, it keeps what it has: frequent names come early.
pub(super) struct KnownNames {
    ids: HashMap<NameHash, u32, RandomState>,
    most: usize,
}

impl KnownNames {
    /// No names, within a limit in bytes.
    pub(super) fn within(bytes: usize) -> KnownNames {
        // A table has 2^n places, of which seven eighths are used.
        let places = (bytes / ENTRY_BYTES).checked_ilog2().map_or(0, |bits| 1 << bits);
        KnownNames { ids: HashMap::default(), most: places / 8 * 7 }
    }

    pub(super) fn get(&self, name: NameHash) -> Option<i64> {
        self.ids.get(&name).map(|&id| i64::from(id))
    }

    /// Adds a name; `false` if there is no room for it.
    pub(super) fn insert(&mut self, name: NameHash, id: i64) -> bool {
        let (Ok(id), true) = (u32::try_from(id), self.ids.len() < self.most) else { return false };
        if self.ids.len() == self.ids.capacity() && self.ids.len() >= SMALL_NAMES {
            self.ids.reserve(self.most - self.ids.len());
        }
        self.ids.insert(name, id);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_up_to_the_limit() {
        let mut names = KnownNames::within(1 << 12);
        let hash = |name: usize| NameHash::of(&format!("player{name}"));
        let known = (1..=1000).take_while(|&id| names.insert(hash(id), id as i64)).count();
        assert_eq!(known, 112);
        assert!((1..=known).all(|id| names.get(hash(id)) == Some(id as i64)));
        assert_eq!(names.get(hash(known + 1)), None);
        assert!(names.ids.capacity() <= names.most);
    }

    #[test]
    fn a_large_table_stays_within_its_limit() {
        let mut names = KnownNames::within(100 * SMALL_NAMES);
        let known = (1..).take_while(|&id| names.insert(NameHash::of(&id.to_string()), id)).count();
        assert_eq!(known, names.most);
        assert!(names.most > SMALL_NAMES && names.ids.capacity() == names.most);
    }

    #[test]
    fn numbers_that_are_too_large_are_not_kept() {
        let mut names = KnownNames::within(1 << 12);
        let hash = NameHash::of("Tal");
        assert!(!names.insert(hash, 1 << 40) && names.get(hash).is_none());
    }
}

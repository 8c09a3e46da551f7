//! Row numbers of names in little memory: by a hash of 128 bits, without the text.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use foldhash::fast::RandomState as FastState;
use foldhash::quality::RandomState as QualityState;

/// 128 bits of a name's hash by random keys, which no two names share: 64 of them are by a hash whose equal values
/// cannot be made up without the key, and chance finds no two that share all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameHash([u32; 4]);

/// The bytes of an entry in a hash table: the hash, the number, and a byte of the table.
const ENTRY_BYTES: usize = size_of::<(NameHash, u32)>() + 1;
/// A table of this part of the limit is enlarged to the limit at once, so that no second large one is in memory while it
/// grows.
const SMALL_PART: usize = 8;

/// Numbers of names, up to a limit to memory. When it is full, it keeps what it has: frequent names come early.
pub(super) struct KnownNames {
    ids: HashMap<NameHash, u32, FastState>,
    most: usize,
    /// The keys of the hashes, which are stored nowhere.
    keys: (RandomState, QualityState),
}

impl KnownNames {
    /// No names, within a limit in bytes.
    pub(super) fn within(bytes: usize) -> KnownNames {
        // A table has 2^n places, of which seven eighths are used.
        let places = (bytes / ENTRY_BYTES)
            .checked_ilog2()
            .map_or(0, |bits| 1 << bits);
        KnownNames {
            ids: HashMap::default(),
            most: places / 8 * 7,
            keys: Default::default(),
        }
    }

    /// The hash of a name for look-ups here: half by the standard library's keyed hash (SipHash), whose equal hashes
    /// nobody can find without the key, and half by a faster one, so that chance finds none either.
    pub(super) fn hash(&self, name: &str) -> NameHash {
        let [low, high] = [self.keys.0.hash_one(name), self.keys.1.hash_one(name)];
        NameHash([
            low as u32,
            (low >> 32) as u32,
            high as u32,
            (high >> 32) as u32,
        ])
    }

    /// The memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.ids.capacity() / 7 * 8 * ENTRY_BYTES
    }

    pub(super) fn get(&self, name: NameHash) -> Option<i64> {
        self.ids.get(&name).map(|&id| i64::from(id))
    }

    /// Adds a name; `false` if there is no room for it.
    pub(super) fn insert(&mut self, name: NameHash, id: i64) -> bool {
        let (Ok(id), true) = (u32::try_from(id), self.ids.len() < self.most) else {
            return false;
        };
        if self.ids.len() == self.ids.capacity() && self.ids.len() >= self.most / SMALL_PART {
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
        let name = |number: usize| format!("player{number}");
        let mut add = |id: usize| names.insert(names.hash(&name(id)), id as i64);
        let known = (1..=1000).take_while(|&id| add(id)).count();
        assert_eq!(known, 112);
        let get = |number: usize| names.get(names.hash(&name(number)));
        assert!((1..=known).all(|id| get(id) == Some(id as i64)));
        assert_eq!(get(known + 1), None);
        assert!(names.ids.capacity() <= names.most);
    }

    #[test]
    fn a_large_table_stays_within_its_limit() {
        let mut names = KnownNames::within(1 << 22);
        let mut add = |id: i64| names.insert(names.hash(&id.to_string()), id);
        let known = (1..).take_while(|&id| add(id)).count();
        assert_eq!(known, names.most);
        assert!(names.ids.capacity() == names.most && (1 << 21..=1 << 22).contains(&names.bytes()));
    }

    #[test]
    fn numbers_that_are_too_large_are_not_kept() {
        let mut names = KnownNames::within(1 << 12);
        let hash = names.hash("Tal");
        assert!(!names.insert(hash, 1 << 40) && names.get(hash).is_none());
    }
}

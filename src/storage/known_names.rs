//! Row numbers of names in little memory: by a hash of 128 bits, without the text.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use foldhash::fast::RandomState as FastState;
use foldhash::quality::RandomState as QualityState;

/// 128 bits of a name's hash by random keys. No two names share them: nobody can construct equal values of the first 64
/// bits without the key, and equal values of all bits by chance are practically impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameHash([u32; 4]);

/// The bytes of an entry in a hash table: the hash, the number, and a byte of the table.
const ENTRY_BYTES: usize = size_of::<(NameHash, u32)>() + 1;
/// A table that exceeds the limit divided by this number grows to the limit at once. So no second large table is in
/// memory while a large table grows.
const SMALL_PART: usize = 8;
/// Of eight places of the standard library's hash table, this number is used at most.
const USED_OF_EIGHT: usize = 7;

/// Row numbers of names, within a memory limit. When the limit is reached, no name is added or removed, since frequent
/// names occur early.
pub(super) struct KnownNames {
    ids: HashMap<NameHash, u32, FastState>,
    /// The maximum number of names.
    max_names: usize,
    /// The keys of the hashes, which are stored nowhere.
    keys: (RandomState, QualityState),
}

impl KnownNames {
    /// No names, within a limit in bytes.
    pub(super) fn within(bytes: usize) -> KnownNames {
        // A table has 2^n places.
        let entries = bytes / ENTRY_BYTES;
        let places = entries.checked_ilog2().map_or(0, |bits| 1 << bits);

        KnownNames {
            ids: HashMap::default(),
            max_names: places / 8 * USED_OF_EIGHT,
            keys: Default::default(),
        }
    }

    /// The hash of a name for look-ups here. Half of it is the standard library's keyed hash (SipHash), for which
    /// nobody can find equal hashes without the key; half is a faster hash, which makes equal hashes by chance
    /// improbable.
    pub(super) fn hash(&self, name: &str) -> NameHash {
        let (sip_keys, fold_keys) = &self.keys;
        let low = sip_keys.hash_one(name);
        let high = fold_keys.hash_one(name);

        NameHash([
            low as u32,
            (low >> 32) as u32,
            high as u32,
            (high >> 32) as u32,
        ])
    }

    /// The memory of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        let places = self.ids.capacity() / USED_OF_EIGHT * 8;
        places * ENTRY_BYTES
    }

    /// The row number of a name; `None` if it is not in memory.
    pub(super) fn get(&self, name: NameHash) -> Option<i64> {
        self.ids.get(&name).map(|&id| i64::from(id))
    }

    /// Adds a name; `false` if there is no room for it.
    pub(super) fn insert(&mut self, name: NameHash, id: i64) -> bool {
        let Ok(id) = u32::try_from(id) else {
            return false;
        };
        let count = self.ids.len();
        if count >= self.max_names {
            return false;
        }

        let is_full = count == self.ids.capacity();
        if is_full && count >= self.max_names / SMALL_PART {
            self.ids.reserve(self.max_names - count);
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
        assert!(names.ids.capacity() <= names.max_names);
    }

    #[test]
    fn a_large_table_stays_within_its_limit() {
        let mut names = KnownNames::within(1 << 22);
        let mut add = |id: i64| names.insert(names.hash(&id.to_string()), id);
        let known = (1..).take_while(|&id| add(id)).count();
        assert_eq!(known, names.max_names);
        assert_eq!(names.ids.capacity(), names.max_names);
        assert!((1 << 21..=1 << 22).contains(&names.bytes()));
    }

    #[test]
    fn numbers_that_are_too_large_are_not_kept() {
        let mut names = KnownNames::within(1 << 12);
        let hash = names.hash("Tal");
        assert!(!names.insert(hash, 1 << 40));
        assert_eq!(names.get(hash), None);
    }
}

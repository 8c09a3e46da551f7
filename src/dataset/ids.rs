//! The ids of games, which depend on the content of their source alone.

use std::collections::HashMap;
use std::ops::Range;

/// Games of at least this many bytes are numbered by the units of this size in which they begin.
pub(super) const UNIT_BYTES: u64 = 256;

/// The bits of an id: ids are signed numbers of 64 bits that are never negative.
const ID_MASK: u64 = u64::MAX >> 1;

/// The beginning of the hashed bytes, which separates these hashes from hashes for other purposes.
const DOMAIN: &[u8] = b"Stamma data set: game ids 1\0";

/// The place from which the games of a source are numbered.
///
/// A game of at least [`UNIT_BYTES`] has the id *base + offset / unit*, since two such games never begin in one unit. A
/// shorter game has the id *base - 1 - offset*. Both wrap at 2^63. So the ids of a source are close together, and a
/// column of ids compresses well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IdBase(pub(super) u64);

impl IdBase {
    /// The base of a source with this head. Sources of a run with equal heads are numbered by `occurrence`, from 0.
    pub(super) fn new(head_hash: &[u8], salt: &str, occurrence: u64) -> IdBase {
        let mut hasher = blake3::Hasher::new();
        hasher.update(DOMAIN);
        hasher.update(head_hash);
        // The length separates the salt from the hash of the head.
        hasher.update(&(salt.len() as u64).to_le_bytes());
        hasher.update(salt.as_bytes());
        hasher.update(&occurrence.to_le_bytes());

        let hash = hasher.finalize();
        let first = hash.as_bytes().first_chunk().copied().unwrap_or_default();
        IdBase(u64::from_le_bytes(first) & ID_MASK)
    }

    /// The id of the game with these bytes of the source.
    pub(super) fn id(self, bytes: &Range<u64>) -> i64 {
        let IdBase(base) = self;
        let length = bytes.end - bytes.start;

        let id = if length >= UNIT_BYTES {
            base.wrapping_add(bytes.start / UNIT_BYTES)
        } else {
            base.wrapping_sub(1).wrapping_sub(bytes.start)
        };
        (id & ID_MASK).cast_signed()
    }
}

/// The bases of the sources of a run.
#[derive(Debug, Default)]
pub(super) struct IdBases {
    salt: String,
    occurrences: HashMap<Vec<u8>, u64>,
}

impl IdBases {
    pub(super) fn new(salt: &str) -> IdBases {
        IdBases {
            salt: salt.to_owned(),
            occurrences: HashMap::new(),
        }
    }

    /// The base of the next source, by its head.
    pub(super) fn next(&mut self, head_hash: &[u8]) -> IdBase {
        let occurrence = self.occurrences.entry(head_hash.to_owned()).or_default();
        let base = IdBase::new(head_hash, &self.salt, *occurrence);
        *occurrence += 1;
        base
    }

    /// Undoes the last call of [`IdBases::next`] with this head, because the source had no game.
    pub(super) fn discard(&mut self, head_hash: &[u8]) {
        if let Some(occurrence) = self.occurrences.get_mut(head_hash) {
            *occurrence = occurrence.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_close_together_and_do_not_wrap_to_negative_numbers() {
        let base = IdBase(5);

        // Games of a unit and more are numbered upwards.
        assert_eq!(base.id(&(0..UNIT_BYTES)), 5);
        assert_eq!(base.id(&(UNIT_BYTES..UNIT_BYTES + 400)), 6);

        // Shorter games are numbered downwards, below 0 from the highest number.
        assert_eq!(base.id(&(0..UNIT_BYTES - 1)), 4);
        assert_eq!(base.id(&(10..20)), i64::MAX - 5);

        assert_eq!(IdBase(ID_MASK).id(&(UNIT_BYTES..3 * UNIT_BYTES)), 0);
    }

    #[test]
    fn games_side_by_side_have_different_ids() {
        let lengths = [
            UNIT_BYTES,
            1,
            7,
            UNIT_BYTES - 1,
            UNIT_BYTES,
            UNIT_BYTES + 1,
            3,
            UNIT_BYTES,
            UNIT_BYTES,
            5 * UNIT_BYTES,
            1,
            1,
        ];
        let (mut ids, mut start) = (std::collections::BTreeSet::new(), 0);
        for length in lengths {
            assert!(ids.insert(IdBase(1 << 40).id(&(start..start + length))));
            start += length;
        }
    }

    #[test]
    fn equal_heads_are_told_apart_within_a_run_only() {
        let mut run = IdBases::new("");
        let first = run.next(b"head");
        let second = run.next(b"head");
        assert_ne!(first, second);

        let mut other_run = IdBases::new("");
        assert_eq!(other_run.next(b"head"), first);
        assert_eq!(other_run.next(b"head"), second);

        let mut salted_run = IdBases::new("salt");
        assert_ne!(salted_run.next(b"head"), first);
    }
}

//! Signatures of tag pairs in 64 bits, as in a Bloom filter.

use std::hash::Hasher;

use fnv::FnvHasher;

/// The tags that have columns of their own.
const IN_COLUMNS: [&str; 10] = [
    "Event", "Site", "Date", "White", "Black", "Result", "ECO", "WhiteElo", "BlackElo", "FEN",
];

/// The bits of the number of a bit among 64.
const BIT_NUMBER_BITS: u32 = 6;
const BIT_NUMBER_MASK: u64 = (1 << BIT_NUMBER_BITS) - 1;

/// The one or two bits that a tag pair sets. A game whose signature lacks one of the bits does not have the pair.
/// `None` for tags that signatures do not cover.
///
/// The bits come from the 64-bit FNV-1a hash of the name, a byte 255 and the value. The halves of the hash are combined
/// by exclusive or; the lowest six bits and the next six bits are the numbers of the two bits.
pub(crate) fn tag_signature(name: &str, value: &str) -> Option<u64> {
    if IN_COLUMNS.contains(&name) {
        return None;
    }

    let mut hasher = FnvHasher::default();
    for part in [name.as_bytes(), &[255], value.as_bytes()] {
        hasher.write(part);
    }
    let hash = hasher.finish();

    let folded = hash ^ hash >> 32;
    let first_bit = folded & BIT_NUMBER_MASK;
    let second_bit = folded >> BIT_NUMBER_BITS & BIT_NUMBER_MASK;
    Some(1 << first_bit | 1 << second_bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_bits_for_each_pair() {
        let found = tag_signature("TimeControl", "300+3").expect("a tag without a column");
        assert!((1..=2).contains(&found.count_ones()));
        assert_ne!(tag_signature("TimeControl", "300+2"), Some(found));
        assert_eq!(tag_signature("White", "Tal, Mikhail"), None);
    }
}

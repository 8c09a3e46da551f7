//! The encoding of one column of 4096 games.
//!
//! All values are whole numbers. A block begins with the least value (8 bytes), the width of a number in bits (1 byte),
//! the count of values (2 bytes) and the size of a dictionary, 0 for none (2 bytes), all little-endian. The dictionary
//! follows, then one number for each value: the value minus the least value, or its place in the dictionary. A list of
//! numbers takes whole bytes, the first number in the lowest bits.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use foldhash::fast::FixedState;

use super::BLOCK_GAMES;

/// The bytes before the dictionary.
const HEAD_BYTES: usize = 13;
/// The widest packed number. A number may begin at any of the eight bits of a byte and must still be within the eight
/// bytes that are read at once. Wider numbers take 64 bits.
const MAX_PACKED_BITS: u32 = 57;

/// Encodes the values of a block.
pub(super) fn encode(values: &[u64]) -> Vec<u8> {
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    let width = width_of(greatest - least);
    let (dictionary, places) = dictionary(values, width).unwrap_or_default();

    // A block has at most 4096 values, so both counts fit in 16 bits.
    let count = values.len() as u16;
    let entries = dictionary.len() as u16;

    let capacity = HEAD_BYTES + packed_bytes(values.len(), width);
    let mut bytes = Vec::with_capacity(capacity);
    bytes.extend_from_slice(&least.to_le_bytes());
    bytes.push(width as u8);
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(&entries.to_le_bytes());

    if dictionary.is_empty() {
        let offsets = values.iter().map(|value| value - least);
        pack(&mut bytes, offsets, width);
    } else {
        let offsets = dictionary.iter().map(|value| value - least);
        pack(&mut bytes, offsets, width);

        let places_of_values = places.iter().map(|&place| u64::from(place));
        pack(&mut bytes, places_of_values, place_bits(dictionary.len()));
    }

    bytes
}

/// The bits that numbers up to `greatest` take in a block.
fn width_of(greatest: u64) -> u32 {
    let bits = u64::BITS - greatest.leading_zeros();
    if bits > MAX_PACKED_BITS {
        u64::BITS
    } else {
        bits
    }
}

/// The bits of a place in a dictionary.
fn place_bits(distinct: usize) -> u32 {
    width_of(distinct.saturating_sub(1) as u64)
}

/// The number of bytes for `count` numbers of `width` bits.
fn packed_bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// The distinct values in the order of their first occurrence, and for each value its place among them. `None` if a
/// dictionary would not save bytes.
fn dictionary(values: &[u64], width: u32) -> Option<(Vec<u64>, Vec<u16>)> {
    let without = packed_bytes(values.len(), width);
    let saves_bytes = |distinct: usize| {
        let entries = packed_bytes(distinct, width);
        let places = packed_bytes(values.len(), place_bits(distinct));
        entries + places < without
    };

    let mut known: HashMap<u64, u16, FixedState> = HashMap::default();
    let mut distinct = Vec::new();
    let mut places = Vec::with_capacity(values.len());

    for &value in values {
        let next = distinct.len() as u16;
        let place = *known.entry(value).or_insert(next);
        let is_first = place == next;
        if is_first {
            distinct.push(value);
            // Each further distinct value adds bytes, so the other values need not be read.
            if !saves_bytes(distinct.len()) {
                return None;
            }
        }
        places.push(place);
    }

    Some((distinct, places))
}

/// Appends numbers of `width` bits.
fn pack(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = u64>, width: u32) {
    // Up to seven bits wait for the next number, so 64 bits would not hold both.
    let mut held = 0_u128;
    let mut bits = 0;

    for number in numbers {
        held |= u128::from(number) << bits;
        bits += width;
        while bits >= 8 {
            bytes.push(held as u8);
            held >>= 8;
            bits -= 8;
        }
    }

    if bits > 0 {
        bytes.push(held as u8);
    }
}

/// A list of numbers of one width.
#[derive(Clone, Copy, Debug)]
struct Packed<'b> {
    bytes: &'b [u8],
    width: u32,
}

impl Packed<'_> {
    /// The number at a place within the list.
    #[inline]
    fn get(&self, place: usize) -> u64 {
        let bit = place * self.width as usize;
        let at = bit / 8;

        // Eight bytes at once are one load; only the last numbers of a block have fewer behind them.
        let eight = match self.bytes.get(at..at + 8) {
            Some(eight) => eight.try_into().map_or(0, u64::from_le_bytes),
            None => self.last_bytes(at),
        };

        eight >> (bit % 8) & self.mask()
    }

    /// The bits of one number.
    #[inline]
    fn mask(&self) -> u64 {
        !(!0_u64).unbounded_shl(self.width)
    }

    /// The up to eight last bytes of the list from byte `at` on, as a little-endian number.
    fn last_bytes(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..).unwrap_or_default();

        // The first byte is the lowest.
        let mut value = 0;
        for &byte in bytes.iter().rev() {
            value = value << 8 | u64::from(byte);
        }
        value
    }
}

/// Decoded values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values<'b> {
    least: u64,
    count: usize,
    /// The values minus the least value, or the places of the values in the dictionary.
    numbers: Packed<'b>,
    dictionary: Option<Packed<'b>>,
}

impl<'b> Values<'b> {
    /// Decodes a block that [`encode`] has written; `None` for any other bytes.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Values<'b>> {
        let (head, lists) = bytes.split_first_chunk::<HEAD_BYTES>()?;
        let [
            least @ ..,
            width,
            count_low,
            count_high,
            distinct_low,
            distinct_high,
        ] = *head;
        let width = u32::from(width);
        let count = usize::from(u16::from_le_bytes([count_low, count_high]));
        let distinct = usize::from(u16::from_le_bytes([distinct_low, distinct_high]));

        // Other programs can write these bytes too, so nothing in the head is trusted.
        let is_readable_width = width <= MAX_PACKED_BITS || width == u64::BITS;
        if count > BLOCK_GAMES || distinct > count || !is_readable_width {
            return None;
        }

        let (entries, numbers) = lists.split_at_checked(packed_bytes(distinct, width))?;
        let number_width = if distinct > 0 {
            place_bits(distinct)
        } else {
            width
        };
        if numbers.len() != packed_bytes(count, number_width) {
            return None;
        }

        let numbers = Packed {
            bytes: numbers,
            width: number_width,
        };
        let dictionary = Packed {
            bytes: entries,
            width,
        };
        Some(Values {
            least: u64::from_le_bytes(least),
            count,
            numbers,
            dictionary: (distinct > 0).then_some(dictionary),
        })
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// A range that contains all values, and the 0 that [`Values::get`] returns after the last value.
    pub(super) fn bounds(&self) -> RangeInclusive<u64> {
        // The width bounds all offsets, so the bounds are known without unpacking a value.
        let offsets = self.dictionary.unwrap_or(self.numbers);
        let greatest = self.least.saturating_add(offsets.mask());

        if self.count < BLOCK_GAMES {
            0..=greatest
        } else {
            self.least..=greatest
        }
    }

    /// The value at a slot, 0 after the last value.
    #[inline]
    pub(super) fn get(&self, slot: usize) -> u64 {
        if slot >= self.count {
            return 0;
        }

        let number = self.numbers.get(slot);
        let offset = self
            .dictionary
            .map_or(number, |dictionary| dictionary.get(number as usize));

        // Damaged bytes may hold any numbers, so the sum must not panic.
        self.least.wrapping_add(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! comes_back {
        ($($name:ident: $values:expr, $bytes:expr;)*) => {$(
            #[test]
            fn $name() {
                let values: &[u64] = &$values;

                let bytes = encode(values);
                let read = Values::read(&bytes).expect("what was encoded");
                let again: Vec<u64> = (0..read.len()).map(|slot| read.get(slot)).collect();

                assert_eq!(again, values);
                assert_eq!(bytes.len(), HEAD_BYTES + $bytes);
                assert_eq!(read.get(values.len()), 0);
                let bounds = read.bounds();
                assert!(values.iter().all(|value| bounds.contains(value)), "{bounds:?}");
            }
        )*};
    }

    comes_back! {
        none: [], 0;
        one: [7], 0;
        all_alike: [5; 4096], 0;
        bytes: [1000, 1255, 1000], 3;
        eleven_bits: [1000, 3047, 1001, 1002, 1003], 7;
        three_bytes: [1, 1 << 23, 77, 1 << 22, 5], 15;
        four_of_two_bits: [1, 2, 4, 3], 1;
        widest_packed: [0, (1 << 57) - 1, 1, 2, 3, 4, 5, 6], 57;
        too_wide_to_pack: [0, 1 << 57, 1, 2], 32;
        the_greatest: [u64::MAX, 0, 1 << 63], 24;
        the_greatest_alone: [u64::MAX, u64::MAX - 1], 1;
        few_distinct: [[3, 1 << 40, 9, 3, 3, 9, 1 << 40, 3]; 512].concat(), 15 + 1024;
        two_wide_ones: [[u64::MAX, 0]; 100].concat(), 16 + 25;
    }

    proptest::proptest! {
        #[test]
        fn any_values_come_back(values: Vec<u64>, bits in 0..64_u32, repeats in 1..40_usize) {
            let values: Vec<u64> = values.iter().map(|value| value >> bits).collect();
            let repeated = values.repeat(repeats);
            let block = &repeated[..repeated.len().min(BLOCK_GAMES)];

            let bytes = encode(block);
            let read = Values::read(&bytes).expect("what was encoded");
            let again: Vec<u64> = (0..read.len()).map(|slot| read.get(slot)).collect();

            proptest::prop_assert_eq!(again, block);
        }

        #[test]
        fn any_bytes_are_values_or_none(bytes: Vec<u8>, width: u8, count in 0..99_u16, distinct in 0..9_u16) {
            let [low, high] = count.to_le_bytes();
            let [distinct, _] = distinct.to_le_bytes();
            let head = [1, 2, 3, 4, 5, 6, 7, 255, width, low, high, distinct, 0];

            // Other programs can write any bytes, so none may cause a panic.
            for length in 0..100 {
                let body = bytes.iter().copied().cycle().take(length);
                let block: Vec<u8> = head.into_iter().chain(body).collect();
                let Some(values) = Values::read(&block) else {
                    continue;
                };

                let greatest = (0..=values.len()).map(|slot| values.get(slot)).max();
                assert!(greatest == Some(0) || values.len() > 0);
            }
        }
    }

    #[test]
    fn damage_is_seen() {
        let bytes = encode(&[1, 2, 3]);
        assert!(Values::read(&bytes[..bytes.len() - 1]).is_none());
        assert!(Values::read(&bytes[..5]).is_none());
        assert!(Values::read(&[9; 20]).is_none());
    }
}

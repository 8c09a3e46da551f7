//! The encoding of one column of 4096 games.
//!
//! All values are whole numbers. A block has the least of them (8 bytes), the width of the others in bytes (1 byte, 0
//! to 8) and their count (2 bytes), all little-endian; then each value less the least, in that width.

use super::BLOCK_GAMES;

const HEAD_BYTES: usize = 11;

/// Encodes the values of a block.
pub(super) fn encode(values: &[u64]) -> Vec<u8> {
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    let width = (u64::BITS - (greatest - least).leading_zeros()).div_ceil(8) as usize;
    let mut bytes = Vec::with_capacity(HEAD_BYTES + width * values.len());
    bytes.extend_from_slice(&least.to_le_bytes());
    bytes.push(width as u8);
    bytes.extend_from_slice(&(values.len() as u16).to_le_bytes());
    for value in values {
        bytes.extend_from_slice(&(value - least).to_le_bytes()[..width]);
    }
    bytes
}

/// Decoded values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values<'b> {
    least: u64,
    width: usize,
    count: usize,
    bytes: &'b [u8],
}

impl<'b> Values<'b> {
    /// Decodes what [`encode`] has written; `None` for anything else.
    pub(super) fn read(bytes: &'b [u8]) -> Option<Values<'b>> {
        let (head, bytes) = bytes.split_at_checked(HEAD_BYTES)?;
        let (least, rest) = head.split_first_chunk()?;
        let &[width, low, high] = rest else { return None };
        let (width, count) = (usize::from(width), usize::from(u16::from_le_bytes([low, high])));
        let is_whole = width <= 8 && count <= BLOCK_GAMES && bytes.len() == width * count;
        is_whole.then_some(Values { least: u64::from_le_bytes(*least), width, count, bytes })
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The value at a place, 0 after the last.
    #[inline]
    pub(super) fn get(&self, slot: usize) -> u64 {
        if slot >= self.count {
            return 0;
        }
        let at = slot * self.width;
        let above = match self.bytes.get(at..at + 8) {
            // Most values are read together with the bytes that follow, which are masked off.
            Some(eight) => eight.try_into().map_or(0, u64::from_le_bytes) & self.mask(),
            None => self.last_value(at),
        };
        self.least.wrapping_add(above)
    }

    #[inline]
    fn mask(&self) -> u64 {
        if self.width == 8 { u64::MAX } else { (1 << (8 * self.width)) - 1 }
    }

    fn last_value(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..at + self.width).unwrap_or_default();
        bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
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
                assert_eq!((again.as_slice(), bytes.len()), (values, HEAD_BYTES + $bytes));
                assert_eq!(read.get(values.len()), 0);
            }
        )*};
    }

    comes_back! {
        none: [], 0;
        one: [7], 0;
        all_alike: [5; 4096], 0;
        bytes: [1000, 1255, 1000], 3;
        three_bytes: [1, 1 << 23, 77, 1 << 22, 5], 15;
        five_bytes: [0, 1 << 33], 10;
        the_greatest: [u64::MAX, 0, 1 << 63], 24;
        the_greatest_alone: [u64::MAX, u64::MAX - 1], 2;
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_values_or_none(bytes: Vec<u8>, width in 0..10_u8, count in 0..99_u16) {
            let [low, high] = count.to_le_bytes();
            let head = [1, 2, 3, 4, 5, 6, 7, 255, width, low, high];
            let body = bytes.iter().copied().cycle().take(usize::from(width) * usize::from(count));
            let block: Vec<u8> = head.into_iter().chain(body).collect();
            for bytes in [&bytes, &block] {
                let values = Values::read(bytes);
                let read = values.map_or(0, |values| (0..=values.len()).map(|at| values.get(at)).max().unwrap_or(0));
                assert!(read == 0 || values.is_some_and(|values| values.len() > 0));
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

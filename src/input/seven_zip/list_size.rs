//! The size of the list of members of a 7z archive, before it is unpacked (7zFormat.txt of the LZMA SDK).
//!
//! A list may be packed. A packed list has a description of its packing; only the sizes in the description are read
//! here. The library unpacks at most the number of bytes in the description, but allocates memory for all of them.

/// The bytes with which the parts of a list begin.
const END: u8 = 0x00;
const PACKED_STREAMS: u8 = 0x06;
const BLOCKS: u8 = 0x07;
const SIZES: u8 = 0x09;
const CHECKSUMS: u8 = 0x0a;
const CODERS: u8 = 0x0b;
const UNPACKED_SIZES: u8 = 0x0c;
const PACKED_LIST: u8 = 0x17;

/// The bits of the first byte of a coder: the size of the method's name, and what follows the name.
const METHOD_BYTES: u8 = 0x0f;
const HAS_STREAM_COUNTS: u8 = 0x10;
const HAS_PROPERTIES: u8 = 0x20;

/// The size of the checksum of a stream.
const CHECKSUM_BYTES: u64 = 4;
/// The maximum number of coders of a block, as in 7-Zip.
const MAX_CODERS: u64 = 64;

/// The unpacked size of a list in bytes. `list` is the list as stored in the archive. `None` if the list is invalid.
pub(super) fn unpacked_bytes(list: &[u8]) -> Option<u64> {
    let (&first, description) = list.split_first()?;
    if first == PACKED_LIST {
        largest_size(&mut Bytes(description))
    } else {
        Some(list.len() as u64)
    }
}

/// The largest output of a coder, by the sizes in a description.
fn largest_size(bytes: &mut Bytes<'_>) -> Option<u64> {
    let mut part = bytes.byte()?;
    if part == PACKED_STREAMS {
        packed_streams(bytes)?;
        part = bytes.byte()?;
    }
    if part != BLOCKS || bytes.byte()? != CODERS {
        return None;
    }

    // The format allows coders that are stored elsewhere. Such a list is refused.
    let blocks = bytes.count()?;
    let is_elsewhere = bytes.byte()? != 0;
    if is_elsewhere {
        return None;
    }

    let mut coders = 0;
    for _ in 0..blocks {
        coders += block_coders(bytes)?;
    }

    if bytes.byte()? != UNPACKED_SIZES {
        return None;
    }

    let mut largest = 0;
    for _ in 0..coders {
        largest = bytes.number()?.max(largest);
    }
    Some(largest)
}

/// Passes over the places of packed streams.
fn packed_streams(bytes: &mut Bytes<'_>) -> Option<()> {
    bytes.number()?;
    let streams = bytes.count()?;
    let mut part = bytes.byte()?;

    if part == SIZES {
        for _ in 0..streams {
            bytes.number()?;
        }
        part = bytes.byte()?;
    }

    if part == CHECKSUMS {
        let are_all_there = bytes.byte()? != 0;
        let checksums = if are_all_there {
            streams
        } else {
            bytes.count_ones(streams)?
        };
        bytes.skip(checksums.checked_mul(CHECKSUM_BYTES)?)?;
        part = bytes.byte()?;
    }

    (part == END).then_some(())
}

/// Passes over a block, and returns the number of its coders. Each coder has one output.
fn block_coders(bytes: &mut Bytes<'_>) -> Option<u64> {
    let coders = bytes.number()?;
    if coders == 0 || coders > MAX_CODERS {
        return None;
    }

    let mut inputs = 0_u64;
    for _ in 0..coders {
        let head = bytes.byte()?;
        let method_bytes = head & METHOD_BYTES;
        bytes.skip(u64::from(method_bytes))?;

        if head & HAS_STREAM_COUNTS == 0 {
            // A simple coder has one input and one output.
            inputs = inputs.checked_add(1)?;
        } else {
            inputs = inputs.checked_add(bytes.number()?)?;
            let outputs = bytes.number()?;
            if outputs != 1 {
                return None;
            }
        }

        if head & HAS_PROPERTIES != 0 {
            let property_bytes = bytes.number()?;
            bytes.skip(property_bytes)?;
        }
    }

    // Each coder except one reads the output of another coder. Such a connection is a pair of numbers.
    let pairs = coders - 1;
    for _ in 0..2 * pairs {
        bytes.number()?;
    }

    // All other inputs read packed streams, which are numbered if there are several.
    let packed = inputs.checked_sub(pairs)?;
    if packed > 1 {
        for _ in 0..packed {
            bytes.number()?;
        }
    }
    Some(coders)
}

/// The bytes of a list that are still to be read.
struct Bytes<'l>(&'l [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        let count = usize::try_from(count).ok()?;
        self.0 = self.0.get(count..)?;
        Some(())
    }

    /// A number of variable length. The number of leading ones of the first byte is the number of the following bytes;
    /// the other bits of the first byte are the highest bits of the number.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let following = first.leading_ones();
        let mut number = 0;

        for index in 0..following {
            number |= u64::from(self.byte()?) << (8 * index);
        }

        if following < 7 {
            let top = u64::from(first & (0x7f >> following));
            number |= top << (8 * following);
        }

        Some(number)
    }

    /// A number of items, each of at least one byte, so that no list promises more than it has bytes.
    fn count(&mut self) -> Option<u64> {
        self.number().filter(|&count| count <= self.0.len() as u64)
    }

    /// The number of ones in the next `bits` bits, which begin at the top of a byte. The rest of the last byte is
    /// skipped.
    fn count_ones(&mut self, bits: u64) -> Option<u64> {
        let mut ones = 0;
        let mut left = bits;
        while left > 0 {
            let used_bits = left.min(8) as u32;
            let mask = !(0xff_u32 >> used_bits) as u8;
            let used = self.byte()? & mask;
            ones += u64::from(used.count_ones());
            left -= u64::from(used_bits);
        }
        Some(ones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let number = |bytes: &[u8]| Bytes(bytes).number();
        assert_eq!(number(&[0x7f]), Some(0x7f));
        assert_eq!(number(&[0x81, 0x02]), Some(0x102));
        assert_eq!(number(&[0xc1, 0x02, 0x03]), Some(0x1_0302));
        assert_eq!(number(&[0xfe, 1, 0, 0, 0, 0, 0, 2]), Some(2 << 48 | 1));
        assert_eq!(number(&[0xff, 1, 0, 0, 0, 0, 0, 0, 2]), Some(2 << 56 | 1));
        assert_eq!(number(&[0xff, 1, 0]), None);
        assert_eq!(number(&[]), None);
    }

    #[test]
    fn ones_of_bits() {
        assert_eq!(Bytes(&[0b1010_0000, 0xff]).count_ones(3), Some(2));
        assert_eq!(Bytes(&[0b1010_0000, 0xff]).count_ones(9), Some(3));
        assert_eq!(Bytes(&[0xff]).count_ones(9), None);
        assert_eq!(Bytes(&[]).count_ones(0), Some(0));
    }

    #[test]
    fn a_packed_list() {
        // As 7-Zip writes it: LZMA with a dictionary of a mebibyte, and a checksum.
        let list = [
            0x17, 0x06, 0x90, 0x20, 0x01, 0x09, 0x30, 0x00, 0x07, 0x0b, 0x01, 0x00, 0x01, 0x23,
            0x03, 0x01, 0x01, 0x05, 0x5d, 0x00, 0x00, 0x10, 0x00, 0x0c, 0x81, 0x42, 0x0a, 0x01, 1,
            2, 3, 4, 0x00, 0x00,
        ];
        assert_eq!(unpacked_bytes(&list), Some(0x142));
        for end in 0..26 {
            assert_eq!(unpacked_bytes(&list[..end]), None, "{end}");
        }
        assert_eq!(unpacked_bytes(&[0x01, 0x05, 0x00]), Some(3));
    }
}

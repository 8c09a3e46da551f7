//! Bit strings of numbers: fixed width, Elias gamma and Rice codes, lowest bit first.

/// The bits of a word.
const WORD_BITS: usize = u64::BITS as usize;

/// The bits that a reader sees at once, at least: seven bits of the eight bytes that it loads may be consumed.
const PEEKED_BITS: u32 = u64::BITS - 7;

/// Writes numbers as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct BitWriter {
    /// Whole words.
    words: Vec<u64>,
    /// The word being filled, from its lowest bit.
    last: u64,
    /// The number of bits used in `last`, at most 63.
    filled: u32,
}

impl BitWriter {
    /// The number of bits written.
    pub(super) fn len(&self) -> usize {
        self.words.len() * WORD_BITS + self.filled as usize
    }

    /// Removes everything after the first `bits` bits.
    pub(super) fn truncate(&mut self, bits: usize) {
        if bits >= self.len() {
            return;
        }

        // If the new end is in a whole word, this word is filled again.
        let whole_words = bits / WORD_BITS;
        if let Some(&last) = self.words.get(whole_words) {
            self.last = last;
        }
        self.words.truncate(whole_words);
        self.filled = (bits % WORD_BITS) as u32;
        self.last &= !(!0 << self.filled);
    }

    /// Writes the `width` lowest bits of a number, at most 64.
    #[inline]
    pub(super) fn fixed(&mut self, value: u64, width: u32) {
        let bits = if width < 64 {
            value & !(!0 << width)
        } else {
            value
        };

        self.last |= bits << self.filled;
        self.filled += width;
        if self.filled >= 64 {
            self.words.push(self.last);
            self.filled -= 64;
            // The bits that did not fit; none if the number filled the word exactly.
            self.last = bits.unbounded_shr(width - self.filled);
        }
    }

    /// Writes a number from 1 on in `2 log2 + 1` bits (Elias gamma): a zero for each bit after its highest, a one, and
    /// these bits.
    #[inline]
    pub(super) fn gamma(&mut self, value: u64) {
        let width = value.max(1).ilog2();

        // The whole code, of 63 bits at most, fits into one word.
        if width < 32 {
            let low = value & !(!0 << width);
            return self.fixed((low << 1 | 1) << width, 2 * width + 1);
        }

        self.fixed(0, width);
        self.fixed(1, 1);
        self.fixed(value, width);
    }

    /// Writes a number whose mean is about `2^k` (Rice): the bits above `k` as that many zeros and a one, then `k`
    /// bits. `k` is less than 64.
    #[inline]
    pub(super) fn rice(&mut self, value: u64, k: u32) {
        let mut zeros = value >> k;

        // The whole code, of 19 zeros, a one and 43 bits at most, fits into one word; nearly every code does.
        if zeros < 20 && k < 44 {
            let low = value & !(!0 << k);
            return self.fixed((low << 1 | 1) << zeros, zeros as u32 + 1 + k);
        }

        while zeros >= 32 {
            self.fixed(0, 32);
            zeros -= 32;
        }
        self.fixed(1 << zeros, zeros as u32 + 1);
        self.fixed(value, k);
    }

    /// Appends the bits as bytes; the last byte is padded with zeros.
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        for word in &self.words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let last_bytes = self.filled.div_ceil(8) as usize;
        bytes.extend_from_slice(&self.last.to_le_bytes()[..last_bytes]);
    }
}

/// A reader of the numbers of a [`BitWriter`]. Every read past the end returns `None`.
#[derive(Clone, Debug)]
pub(super) struct BitReader<B> {
    bytes: B,
    pos: usize,
}

impl<B: AsRef<[u8]>> BitReader<B> {
    /// Starts reading at a bit.
    pub(super) fn new(bytes: B, pos: usize) -> BitReader<B> {
        BitReader { bytes, pos }
    }

    /// The index of the next bit.
    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    /// The next [`PEEKED_BITS`] or more bits, zeros past the end.
    #[inline]
    fn peek(&self) -> u64 {
        let bytes = self.bytes.as_ref();
        let rest = bytes.get(self.pos / 8..).unwrap_or_default();

        // Eight bytes are read at once; up to seven bits of the first byte are already consumed.
        let mut word = [0; 8];
        match rest.first_chunk::<8>() {
            Some(chunk) => word = *chunk,
            None => word[..rest.len()].copy_from_slice(rest),
        }

        u64::from_le_bytes(word) >> (self.pos % 8)
    }

    /// Moves to a later bit; `None` past the end of the bytes.
    #[inline]
    fn advance(&mut self, bits: u32) -> Option<()> {
        self.pos += bits as usize;

        let end = self.bytes.as_ref().len() * 8;
        if self.pos > end {
            return None;
        }
        Some(())
    }

    /// See [`BitWriter::fixed`].
    #[inline]
    pub(super) fn fixed(&mut self, width: u32) -> Option<u64> {
        // A number this wide is read in two parts, because it may not be among the peeked bits.
        if width >= PEEKED_BITS {
            let low = self.fixed(32)?;
            let high = self.fixed(width - 32)?;
            return Some(low | high << 32);
        }

        let value = self.peek() & !(!0 << width);
        self.advance(width)?;
        Some(value)
    }

    /// See [`BitWriter::gamma`].
    #[inline]
    pub(super) fn gamma(&mut self) -> Option<u64> {
        let bits = self.peek();
        let width = bits.trailing_zeros();
        // The whole code, of `2 * width + 1` bits, is among the peeked ones.
        if width <= PEEKED_BITS / 2 {
            self.advance(2 * width + 1)?;
            let low = (bits >> (width + 1)) & !(!0 << width);
            return Some(1 << width | low);
        }

        let width = self.zeros()?;
        if width > 63 {
            return None;
        }
        Some(1 << width | self.fixed(width as u32)?)
    }

    /// See [`BitWriter::rice`].
    #[inline]
    pub(super) fn rice(&mut self, k: u32) -> Option<u64> {
        let bits = self.peek();
        let zeros = bits.trailing_zeros();
        let length = zeros + 1 + k;
        // The whole code is among the peeked bits.
        if length <= PEEKED_BITS {
            self.advance(length)?;
            let low = (bits >> (zeros + 1)) & !(!0 << k);
            return Some(u64::from(zeros) << k | low);
        }

        let high = self.zeros()?;
        let low = self.fixed(k)?;
        // A damaged code may be longer than 64 bits.
        if high.leading_zeros() < k {
            return None;
        }
        Some(high << k | low)
    }

    /// Counts zeros up to the next one bit, and consumes this bit.
    #[inline]
    fn zeros(&mut self) -> Option<u64> {
        // A one bit behind these zeros is still among the peeked bits.
        const ZEROS_AT_ONCE: u32 = PEEKED_BITS - 1;

        let mut zeros = 0;
        loop {
            let here = self.peek().trailing_zeros().min(ZEROS_AT_ONCE);
            if here < ZEROS_AT_ONCE {
                self.advance(here + 1)?;
                return Some(zeros + u64::from(here));
            }

            self.advance(ZEROS_AT_ONCE)?;
            zeros += u64::from(ZEROS_AT_ONCE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut writer = BitWriter::default();
        let values = [
            0,
            1,
            2,
            3,
            7,
            8,
            100,
            255,
            256,
            65_535,
            1 << 31,
            1 << 40,
            u64::MAX >> 1,
        ];
        for &value in &values {
            writer.fixed(value, 64);
            writer.fixed(value, 13);
            writer.gamma(value + 1);
            writer.rice(value & 0xffff, 3);
            writer.rice(value, 55);
        }
        let mut bytes = Vec::new();
        writer.append_to(&mut bytes);
        let mut reader = BitReader::new(&bytes, 0);
        for &value in &values {
            assert_eq!(reader.fixed(64), Some(value));
            assert_eq!(reader.fixed(13), Some(value & 0x1fff));
            assert_eq!(reader.gamma(), Some(value + 1));
            assert_eq!(reader.rice(3), Some(value & 0xffff));
            assert_eq!(reader.rice(55), Some(value));
        }
        assert_eq!(writer.len().div_ceil(8), bytes.len());
        assert_eq!(reader.fixed(56), None);
    }

    #[test]
    fn truncated_bits_are_gone() {
        let mut writer = BitWriter::default();
        writer.fixed(0b101, 3);
        let before = writer.len();
        writer.rice(1_000, 2);
        writer.truncate(before);
        writer.fixed(0, 2);

        let mut bytes = Vec::new();
        writer.append_to(&mut bytes);
        assert_eq!(bytes, [0b101]);
    }

    #[test]
    fn zeros_without_end_give_nothing() {
        assert_eq!(BitReader::new(&[0; 40], 0).gamma(), None);
        assert_eq!(BitReader::new(&[0; 40], 0).rice(60), None);
        assert_eq!(BitReader::new(&[], 0).fixed(1), None);
    }
}

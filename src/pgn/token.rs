//! Where the texts of the movetext end.
//!
//! Here a processor spends its time when it reads PGN, so the common case, letters and digits before a
//! space, is found eight bytes at once.

/// A text that may be a move, together with its first bytes as one number.
///
/// The length of a move text is what a processor cannot guess. Whoever works on the number needs no
/// branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The text as it stands in the file.
    pub text: &'t [u8],
    /// The first eight bytes, the first of them lowest, zeros where the text is shorter.
    pub word: u64,
}

impl<'t> Token<'t> {
    /// The token of a text that stands alone.
    pub fn new(text: &'t [u8]) -> Token<'t> {
        let mut bytes = [0; 8];
        let length = text.len().min(8);
        bytes[..length].copy_from_slice(&text[..length]);
        Token { text, word: u64::from_le_bytes(bytes) }
    }
}

/// What a byte may be the beginning or the end of, in movetext.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Digit,
    /// Goes on in a move text.
    Text,
    /// Ends a move text and means something by itself.
    Mark,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Text; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            // Old disks pad files with zeros, and no control character means anything in PGN.
            0..=b' ' => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'!' | b'?' | b'*' | b'.'
            | b'%' => Class::Mark,
            _ => Class::Text,
        };
        byte += 1;
    }
    table
}

#[inline]
pub(super) fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

#[inline]
fn ends_token(byte: u8) -> bool {
    matches!(class(byte), Class::Space | Class::Mark)
}

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
pub(super) const HIGHS: u64 = 0x80 * ONES;

/// The high bit of each byte that is at least `bound`, for bytes and bounds below 128.
#[inline]
const fn at_least(word: u64, bound: u8) -> u64 {
    (word + (0x80 - bound as u64) * ONES) & HIGHS
}

/// The token, when it is nothing but letters (no `Z`) and digits, seven at most, before white space.
///
/// Nine moves of ten are, and their length is found eight bytes at once, without a branch on it.
/// Of the bytes from `0` on, marks are found only among those that end in the bits of `Z` to `_`.
#[inline]
pub(super) fn plain_token(rest: &[u8]) -> Option<Token<'_>> {
    let word = u64::from_le_bytes(*rest.first_chunk::<8>()?);
    let plain =
        at_least(word & !HIGHS, b'0') & !at_least(word & (0x1f * ONES), b'Z' & 0x1f) & !word;
    let bits = (!plain & HIGHS).trailing_zeros() & !7;
    let next = word.unbounded_shr(bits) as u8;
    let text = rest.get(..bits as usize / 8)?;
    (next <= b' ').then(|| Token { text, word: word & !(!0u64).unbounded_shl(bits) })
}

/// A token of at most seven bytes.
#[inline]
fn short_token(rest: &[u8]) -> Option<Token<'_>> {
    let bytes = *rest.first_chunk::<8>()?;
    let ends = (0..8).fold(0, |ends, i| ends | u32::from(ends_token(bytes[i])) << i);
    let length = (ends | 1 << 8).trailing_zeros() as usize;
    (length < 8).then(|| Token {
        text: &rest[..length],
        word: u64::from_le_bytes(bytes) & !(!0 << (8 * length)),
    })
}

/// The length of a move number of at most seven digits with its dot.
#[inline]
pub(super) fn move_number(rest: &[u8]) -> Option<usize> {
    let bytes = *rest.first_chunk::<8>()?;
    let word = u64::from_le_bytes(bytes);
    let low = word & !HIGHS;
    let digits = at_least(low, b'0') & !at_least(low, b'9' + 1) & !word;
    let length = (!digits & HIGHS).trailing_zeros() as usize / 8;
    (length < 8 && bytes[length] == b'.').then_some(length + 1)
}

/// The text up to the next space or mark, whatever it is.
#[inline(never)]
pub(super) fn any_token(rest: &[u8]) -> Token<'_> {
    short_token(rest).unwrap_or_else(|| {
        let length = rest.iter().position(|&byte| ends_token(byte)).unwrap_or(rest.len());
        Token::new(&rest[..length])
    })
}

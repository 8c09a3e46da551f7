//! Non-ASCII white space, as found in text copied from web pages and word processors.

use memchr::memchr2;

/// The length of a leading vertical tab, byte order mark, or non-ASCII space: no-break spaces (also as the single byte
/// of older encodings), spaces of other widths, and zero-width spaces.
pub(super) fn blank_length(text: &[u8]) -> Option<usize> {
    match text {
        [0x0b | 0xa0, ..] => Some(1),
        [0xc2, 0xa0, ..] => Some(2),
        [0xe2, 0x80, 0x80..=0x8b | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => {
            Some(3)
        }
        _ => None,
    }
}

/// The text without leading white space of any kind.
#[inline]
pub(super) fn trim_blanks(text: &[u8]) -> &[u8] {
    match text.first() {
        Some(0x0b | 0x80..) => without_leading_blanks(text),
        _ => text,
    }
}

#[cold]
fn without_leading_blanks(mut text: &[u8]) -> &[u8] {
    while let Some(length) = blank_length(text) {
        text = text[length..].trim_ascii_start();
    }
    text
}

/// The number of bytes before the line break, or the length of the text if there is none.
pub(super) fn line_length(text: &[u8]) -> usize {
    memchr2(b'\n', b'\r', text).unwrap_or(text.len())
}

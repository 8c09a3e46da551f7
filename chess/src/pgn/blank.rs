//! White space, as found in text copied from web pages, word processors and old disks.
//!
//! PGN knows spaces, tabs and line breaks (PGN §7). Files have every other kind as well, so there is one definition,
//! which all PGN readers here use: ASCII control characters, and the characters that Unicode calls `White_Space` or
//! that take no width. If two readers of a text disagreed on what is blank, one could wait for text that the other
//! skips.

use memchr::memchr2;

/// The length of a leading non-ASCII space: no-break spaces (also as the single byte of older encodings), spaces and
/// line breaks of other kinds, zero-width spaces, and byte order marks.
#[inline]
pub(super) fn blank_length(text: &[u8]) -> Option<usize> {
    match text {
        [0xa0, ..] => Some(1),
        // U+0085 and U+00A0.
        [0xc2, 0x85 | 0xa0, ..] => Some(2),
        // U+1680 and U+180E.
        [0xe1, 0x9a, 0x80, ..] | [0xe1, 0xa0, 0x8e, ..] => Some(3),
        // U+2000 to U+200B, U+2028, U+2029 and U+202F.
        [0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..] => Some(3),
        // U+205F and U+2060.
        [0xe2, 0x81, 0x9f | 0xa0, ..] => Some(3),
        // U+3000 and U+FEFF.
        [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => Some(3),
        _ => None,
    }
}

/// Returns `true` for ASCII white space: no control character has a meaning in PGN, and old disks padded files with
/// zeros.
#[inline]
pub(super) fn is_ascii_blank(byte: u8) -> bool {
    byte <= b' '
}

/// The text without leading white space of any kind.
#[inline]
pub(super) fn trim_blanks(text: &[u8]) -> &[u8] {
    match text.first() {
        Some(&byte) if is_ascii_blank(byte) || byte >= 0x80 => &text[blanks_length(text, true)..],
        _ => text,
    }
}

/// The text without leading white space, up to the end of its line.
#[inline]
pub(super) fn trim_line_blanks(text: &[u8]) -> &[u8] {
    match text.first() {
        Some(&byte) if is_ascii_blank(byte) || byte >= 0x80 => &text[blanks_length(text, false)..],
        _ => text,
    }
}

/// The length of leading white space, with or without line breaks.
fn blanks_length(text: &[u8], with_line_breaks: bool) -> usize {
    let mut length = 0;
    while let Some(&byte) = text.get(length) {
        length += match byte {
            b'\n' | b'\r' if !with_line_breaks => break,
            byte if is_ascii_blank(byte) => 1,
            _ => match blank_length(&text[length..]) {
                Some(blank) => blank,
                None => break,
            },
        };
    }
    length
}

/// The text without trailing white space of any kind.
#[inline]
pub(super) fn trim_blanks_end(text: &[u8]) -> &[u8] {
    match text.last() {
        Some(&byte) if is_ascii_blank(byte) || byte >= 0x80 => without_trailing_blanks(text),
        _ => text,
    }
}

fn without_trailing_blanks(mut text: &[u8]) -> &[u8] {
    while let Some(&last) = text.last() {
        let blank = if is_ascii_blank(last) {
            Some(1)
        } else {
            trailing_blank_length(text)
        };
        let Some(length) = blank else { break };

        text = &text[..text.len() - length];
    }
    text
}

/// The length of a non-ASCII space at the end of a text.
fn trailing_blank_length(text: &[u8]) -> Option<usize> {
    let ends_with_blank = |&length: &usize| {
        let start = text.len().checked_sub(length);
        start.is_some_and(|start| blank_length(&text[start..]) == Some(length))
    };
    let length = [3, 2, 1].into_iter().find(ends_with_blank)?;

    // Many characters of UTF-8 end with the byte that is a no-break space in older encodings.
    let is_behind_ascii = text.len() == length || text[text.len() - length - 1] < 0x80;
    if length == 1 && !is_behind_ascii {
        return None;
    }

    Some(length)
}

/// The number of bytes before the line break, or the length of the text if there is none.
pub(super) fn line_length(text: &[u8]) -> usize {
    memchr2(b'\n', b'\r', text).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All white space of Unicode, and the characters without width that programs write instead of it.
    fn blanks() -> impl Iterator<Item = char> {
        let ascii = '\0'..=' ';
        let spaces = ('\u{80}'..=char::MAX).filter(|c| c.is_whitespace());
        let without_width = ['\u{180e}', '\u{200b}', '\u{2060}', '\u{feff}'];

        ascii.chain(spaces).chain(without_width)
    }

    #[test]
    fn all_white_space_is_trimmed() {
        for blank in blanks() {
            let text = format!("{blank}{blank}é{blank}à{blank}{blank}");
            let inner = format!("é{blank}à");

            let trimmed = trim_blanks_end(trim_blanks(text.as_bytes()));

            assert_eq!(trimmed, inner.as_bytes(), "{}", blank.escape_unicode());
        }
    }

    #[test]
    fn nothing_else_is_trimmed() {
        let blanks: Vec<char> = blanks().collect();
        for letter in ('!'..='\u{ffff}').filter(|letter| !blanks.contains(letter)) {
            let text = letter.to_string();
            let name = letter.escape_unicode();

            let from_start = trim_blanks(text.as_bytes());
            let from_end = trim_blanks_end(text.as_bytes());

            assert_eq!(from_start, text.as_bytes(), "{name}");
            assert_eq!(from_end, text.as_bytes(), "{name}");
        }
    }

    #[test]
    fn a_line_break_ends_the_white_space_of_a_line() {
        assert_eq!(
            trim_line_blanks("\u{c}\u{a0}\u{2028}\n x".as_bytes()),
            b"\n x"
        );
        assert_eq!(trim_line_blanks(b" \x1a\t\rx"), b"\rx");
    }

    #[test]
    fn single_bytes_of_older_encodings_are_spaces() {
        assert_eq!(trim_blanks(b"\xa0 [Event"), b"[Event");
        assert_eq!(trim_blanks_end(b"1-0\xa0"), b"1-0");
        assert_eq!(
            trim_blanks_end("voilà".as_bytes()),
            "voilà".as_bytes(),
            "a byte of a letter"
        );
    }
}

//! Tag pairs (PGN §8.1): `[Name "value"]`.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::reader::line_length;

/// The value of a tag with `\"` and `\\` undone; other backslashes stay (PGN §7).
pub fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escaped = bytes.next_if(|next| byte == b'\\' && matches!(next, b'"' | b'\\'));
        plain.push(escaped.unwrap_or(byte));
    }
    Cow::Owned(plain)
}

/// A tag pair and the number of bytes it takes.
pub(super) struct RawTag<'t> {
    pub(super) name: &'t [u8],
    pub(super) value: &'t [u8],
    pub(super) length: usize,
}

/// The bytes of tag names (PGN §7: letters, digits, underscore and a few signs).
static IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric()
            || matches!(letter, b'_' | b'+' | b'#' | b'=' | b':' | b'-');
        byte += 1;
    }
    table
};

/// Reads a tag pair from the beginning of a text: `[Name "value"]` on one line, the space optional.
///
/// A quote that is not escaped ends the value only where `]` follows, since people write
/// `[White "Emanuel "the" Lasker"]`. Without any such end, the last quote of the line is it.
pub(super) fn split_tag(text: &[u8]) -> Option<RawTag<'_>> {
    let mut name_start = 1;
    while matches!(text.get(name_start), Some(b' ' | b'\t')) {
        name_start += 1;
    }
    let named = text.get(name_start..)?;
    let name = &named[..named.iter().position(|&byte| !IN_NAME[byte as usize])?];
    let mut quote = name_start + name.len();
    while matches!(text.get(quote), Some(b' ' | b'\t')) {
        quote += 1;
    }
    if name.is_empty() || text[0] != b'[' || text.get(quote) != Some(&b'"') {
        return None;
    }
    let quoted = &text[quote + 1..];
    let (value_length, length) = value_end(quoted)?;
    Some(RawTag { name, value: &quoted[..value_length], length: quote + 1 + length })
}

/// The length of a value, and of the value with what closes its tag.
fn value_end(quoted: &[u8]) -> Option<(usize, usize)> {
    // Nearly every value ends with its first quote; whether the line does, too, is asked then.
    let first = memchr3(b'"', b'\\', b'\n', quoted)?;
    if let [b'"', b']', ..] = quoted[first..]
        && memchr(b'\r', &quoted[..first]).is_none()
    {
        return Some((first, first + 2));
    }
    odd_value_end(&quoted[..line_length(quoted)])
}

/// The same for a value with escapes or quotes in it, or without an end, on its line.
#[cold]
fn odd_value_end(line: &[u8]) -> Option<(usize, usize)> {
    let mut pos = 0;
    while let Some(found) = line.get(pos..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        let here = pos + found;
        if line[here] == b'\\' {
            pos = here + 2;
            continue;
        }
        let after = &line[here + 1..];
        let closing = after.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
        if let Some(closing) = closing
            && after[closing] == b']'
        {
            return Some((here, here + 1 + closing + 1));
        }
        pos = here + 1;
    }
    memrchr(b'"', line).map(|quote| (quote, line.len()))
}

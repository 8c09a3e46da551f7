//! Bytes known to be UTF-8.

/// Converts UTF-8 that has been cut at ASCII characters, or joined from such pieces.
///
/// # Panics
/// On anything else, which is a bug.
pub fn utf8(part: &[u8]) -> &str {
    str::from_utf8(part).expect("UTF-8 that is cut at ASCII characters is UTF-8")
}

/// A part of a text, cut at ASCII characters, as text.
///
/// The part is found in the text by its address, so that its bytes need not be validated again.
///
/// # Panics
/// As [`utf8`], if it is not a part of the text.
#[inline]
pub(super) fn part_of<'t>(text: &'t str, part: &'t [u8]) -> &'t str {
    let text_address = text.as_ptr() as usize;
    let part_address = part.as_ptr() as usize;
    let start = part_address.wrapping_sub(text_address);
    let end = start.wrapping_add(part.len());

    text.get(start..end).unwrap_or_else(|| utf8(part))
}

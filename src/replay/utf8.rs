//! Bytes known to be UTF-8.

/// Converts UTF-8 that has been cut at ASCII characters, or joined from such pieces.
///
/// # Panics
/// On anything else, which is a bug.
pub(crate) fn utf8(part: &[u8]) -> &str {
    str::from_utf8(part).expect("UTF-8 that is cut at ASCII characters is UTF-8")
}

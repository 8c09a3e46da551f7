//! Bytes that are known to be text.

/// UTF-8 that has been cut at ASCII characters or put together from UTF-8.
///
/// # Panics
/// When it is something else, which is a bug.
pub(crate) fn utf8(part: &[u8]) -> &str {
    str::from_utf8(part).expect("UTF-8 that is cut at ASCII characters is UTF-8")
}

//! What movetext lacks at its end, so that a terminator behind it is one.

use super::reader::line_length;

/// The `}` and the `)` of what is still open at the end of movetext.
///
/// ```
/// use stamma::pgn::closing;
/// assert_eq!(closing(b"1. e4 (1. d4 {not closed"), "})");
/// assert_eq!(closing(b"1. e4 {(} ; {("), "");
/// ```
pub fn closing(movetext: &[u8]) -> String {
    let (mut depth, mut in_comment, mut at) = (0_usize, false, 0);
    while let Some(&byte) = movetext.get(at) {
        match byte {
            b'}' => in_comment = false,
            _ if in_comment => {}
            b'{' => in_comment = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b';' => at += line_length(&movetext[at..]) - 1,
            _ => {}
        }
        at += 1;
    }
    let brace = if in_comment { "}" } else { "" };
    brace.to_owned() + &")".repeat(depth)
}

//! Finds the ends of words in movetext of any notation: with dots, brackets and digits in them.

use super::blank::blank_length;
use super::token::{Class, class};

/// Moves in numeric notation have more digits.
const MAX_DECIMALS: usize = 3;

/// The length of spaces and a number without a dot, as in `$ 14`; 0 for other text.
pub(super) fn number_apart(text: &[u8]) -> usize {
    let spaces = text.iter().take_while(|&&byte| byte == b' ').count();
    let digits = text[spaces..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let ends = text
        .get(spaces + digits)
        .is_none_or(|&byte| class(byte) == Class::Space);
    if digits > 0 && ends {
        spaces + digits
    } else {
        0
    }
}

/// The length of digits and a dot; `None` for the halves of `0.5-0.5`.
pub(super) fn number_length(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = digits > 0
        && text.get(digits) == Some(&b'.')
        && !text.starts_with(b"0.5")
        && !is_fraction(&text[digits + 1..]);
    is_number.then_some(digits + 1)
}

/// Returns `true` for the digits after the dot of a number such as `0.35`: few of them, and perhaps a full stop.
pub(super) fn is_fraction(behind: &[u8]) -> bool {
    let digits = behind
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let after = behind.get(digits..).unwrap_or_default();
    let after = match after {
        [b'.', next, ..] if class(*next) == Class::Space => &[],
        [b'.'] => &[],
        after => after,
    };
    let ends = |&byte: &u8| byte != b'.' && matches!(class(byte), Class::Space | Class::Mark);
    (1..=MAX_DECIMALS).contains(&digits) && after.first().is_none_or(ends)
}

/// The length of the text up to the next space or delimiter; includes dots and some brackets.
pub(super) fn word_length(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = text.get(length) {
        length += match byte {
            b'.' => 1,
            b'(' => match bracket_length(&text[length..], length > 0) {
                Some(more) => more,
                None => break,
            },
            _ if matches!(class(byte), Class::Space | Class::Mark) => break,
            0xc0.. if blank_length(&text[length..]).is_some() => break,
            _ => 1,
        };
    }
    length
}

/// The length of a bracket that qualifies a move and does not begin a variation: `(Q)`, `(3)`, `(QR1)`, `(ep)`.
pub(super) fn bracket_length(text: &[u8], is_glued: bool) -> Option<usize> {
    let inner = text.strip_prefix(b"(")?;
    let length = inner.iter().take(8).position(|&byte| byte == b')')?;
    let inner = &inner[..length];
    let says_more = match inner {
        b"ep" | b"e.p." | b"K" | b"Q" | b"KR" | b"QR" => true,
        [b'q' | b'r' | b'b' | b'n'] => is_glued,
        // Pieces of two letters, but not a pawn move from a file written as a capital.
        [b'A'..=b'Z', b'i'..=b'z'] => is_glued,
        [] | [b'='] => false,
        _ => {
            is_glued
                && inner
                    .iter()
                    .all(|byte| !byte.is_ascii() || is_capital_or_digit(*byte))
        }
    };
    says_more.then_some(length + 2)
}

fn is_capital_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

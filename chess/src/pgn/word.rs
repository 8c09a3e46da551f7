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

    let length = spaces + digits;
    let next = text.get(length);
    let is_at_end = next.is_none_or(|&byte| class(byte) == Class::Space);
    if digits > 0 && is_at_end { length } else { 0 }
}

/// The length of a move number: digits and a dot. `None` for the halves of a result such as `0.5-0.5`.
pub(super) fn number_length(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || text.get(digits) != Some(&b'.') {
        return None;
    }

    let behind = &text[digits + 1..];
    if text.starts_with(b"0.5") || is_fraction(behind) {
        return None;
    }

    Some(digits + 1)
}

/// Returns `true` for the digits after the dot of a number such as `0.35`: few of them, and perhaps a full stop.
pub(super) fn is_fraction(behind: &[u8]) -> bool {
    let digits = behind
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if !(1..=MAX_DECIMALS).contains(&digits) {
        return false;
    }

    match behind.get(digits..).unwrap_or_default() {
        [] => true,
        // A full stop ends a sentence; another dot goes on with the number.
        [b'.'] => true,
        [b'.', next, ..] => class(*next) == Class::Space,
        [next, ..] => matches!(class(*next), Class::Space | Class::Mark),
    }
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

/// The longest text after the opening bracket that is searched for the closing one.
const MAX_BRACKET_BYTES: usize = 8;

/// The length of a bracket that qualifies a move and does not begin a variation: `(Q)`, `(3)`, `(QR1)`, `(ep)`.
pub(super) fn bracket_length(text: &[u8], is_glued: bool) -> Option<usize> {
    let behind = text.strip_prefix(b"(")?;
    let length = behind
        .iter()
        .take(MAX_BRACKET_BYTES)
        .position(|&byte| byte == b')')?;
    let inner = &behind[..length];

    let qualifies = match inner {
        // Apart from the move: `PxP (ep)`, `O-O (KR)`.
        b"ep" | b"e.p." | b"K" | b"Q" | b"KR" | b"QR" => true,
        [b'q' | b'r' | b'b' | b'n'] => is_glued,
        // Pieces of two letters, but not a pawn move from a file written as a capital.
        [b'A'..=b'Z', b'i'..=b'z'] => is_glued,
        // `(=)` is a draw offer.
        [] | [b'='] => false,
        _ => is_glued && inner.iter().copied().all(qualifies_move),
    };

    qualifies.then_some(length + 2)
}

/// Returns `true` for the bytes of `(QR1)`, also with letters of other alphabets.
fn qualifies_move(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_have_dots_brackets_and_digits() {
        for (text, word) in [
            ("P.4D P.4D", "P.4D"),
            ("e8(Q) Kd7", "e8(Q)"),
            ("N(3)-B3 e5", "N(3)-B3"),
            ("Nf3(1. d4)", "Nf3"),
            ("Nf3{best}", "Nf3"),
            ("½-½ e4", "½-½"),
            ("e4\u{a0}e5", "e4"),
        ] {
            assert_eq!(word_length(text.as_bytes()), word.len(), "{text}");
        }
    }

    #[test]
    fn numbers_end_with_a_dot() {
        for (text, length) in [
            ("12.Nf3", Some(3)),
            ("1.5254", Some(2)),
            ("12 Nf3", None),
            ("0.35 e4", None),
            ("0.5-0.5", None),
        ] {
            assert_eq!(number_length(text.as_bytes()), length, "{text}");
        }
    }

    #[test]
    fn brackets_qualify_a_move() {
        // The length of a bracket apart from a move, and glued to a move.
        let brackets = [
            ("(ep)", Some(4), Some(4)),
            ("(Q)", Some(3), Some(3)),
            ("(q)", None, Some(3)),
            ("(3)", None, Some(3)),
            ("(=)", None, None),
            ("(1. d4)", None, None),
        ];

        for (text, apart, glued) in brackets {
            assert_eq!(bracket_length(text.as_bytes(), false), apart, "{text}");
            assert_eq!(bracket_length(text.as_bytes(), true), glued, "{text}");
        }
    }
}

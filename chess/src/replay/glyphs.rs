//! Texts among the moves that are not moves: ignored words, and signs that are NAGs.

use super::utf8::utf8;
use crate::notation::{GLUED_SIGNS, San, sign_nag};
use crate::pgn::Token;

/// `true` for words after moves in old files that mean no move.
pub(super) fn is_harmless(text: &str) -> bool {
    matches!(
        text,
        "ep" | "e" | "p" | "ch" | "dbl" | "dis" | "mate" | "+" | "++" | "#"
    )
}

/// The NAG of a separate evaluation sign after a move (PGN §10).
#[inline]
pub(super) fn glyph_nag(token: Token<'_>) -> Option<u8> {
    // No sign of two characters or more begins with a letter or a digit.
    if token.text.len() > 1 && token.text[0].is_ascii_alphanumeric() {
        return None;
    }

    sign_nag(utf8(token.text))
}

/// Splits a sign, a word or a comma off the end of a move text, and returns the move text and the NAG of a sign; `None`
/// if no move text is left.
pub(super) fn unglue(text: &str) -> Option<(&str, Option<u8>)> {
    const WORDS: [&str; 6] = ["ep", "e", "ch", "mate", "dbl", ","];

    for &(sign, nag) in GLUED_SIGNS {
        if let Some(bare) = move_before(text, sign) {
            return Some((bare, Some(nag)));
        }
    }

    for word in WORDS {
        if let Some(bare) = move_before(text, word) {
            return Some((bare, None));
        }
    }

    None
}

/// The move text before an end.
fn move_before<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let bare = text.strip_suffix(end)?;

    match San::parse(bare.as_bytes())? {
        // `nulle` is a draw in French, not a null move followed by an e.
        San::Null => None,
        _ => Some(bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! unglues {
        ($($name:ident: $text:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(unglue($text), $expected);
            }
        )*};
    }

    unglues! {
        decisive: "Rxe8+-" => Some(("Rxe8", Some(18)));
        better: "Nf3+/-" => Some(("Nf3", Some(16)));
        printed: "Nf3±" => Some(("Nf3", Some(16)));
        check_and_equal: "Nf3+=" => Some(("Nf3", Some(14)));
        only_move: "Nf3□" => Some(("Nf3", Some(7)));
        better_in_two_signs: "Nf3+/=" => Some(("Nf3", Some(14)));
        en_passant: "exd6ep" => Some(("exd6", None));
        check_in_words: "Bb5ch" => Some(("Bb5", None));
        comma: "Qg5," => Some(("Qg5", None));
        no_move: "Zz9+-" => None;
        only_a_sign: "+-" => None;
        a_draw_in_french: "nulle" => None;
    }
}

//! Texts among the moves that are not moves: ignored words, and signs that are NAGs.

use super::utf8::utf8;
use crate::notation::{GLUED_SIGNS, San, sign_nag};
use crate::pgn::Token;

/// Words after moves in old files that add nothing to the position.
pub(super) fn is_harmless(text: &str) -> bool {
    matches!(
        text,
        "ep" | "e" | "p" | "ch" | "dbl" | "dis" | "mate" | "+" | "++" | "#"
    )
}

/// The NAG of a separate evaluation sign after a move (PGN §10).
#[inline]
pub(super) fn glyph_nag(token: Token<'_>) -> Option<u8> {
    if token.text.len() > 1 && token.text[0].is_ascii_alphanumeric() {
        return None;
    }
    sign_nag(utf8(token.text))
}

/// Splits a sign, a word or a comma off the end of a move text; `None` if no move text is left.
pub(super) fn unglue(text: &str) -> Option<(&str, Option<u8>)> {
    const WORDS: [&str; 6] = ["ep", "e", "ch", "mate", "dbl", ","];
    let signs = GLUED_SIGNS.iter().map(|(sign, nag)| (sign, Some(*nag)));
    let words = WORDS.iter().map(|word| (word, None));
    signs.chain(words).find_map(|(end, nag)| {
        let bare = text.strip_suffix(end)?;
        // `nulle` is a draw in French, not a null move followed by an e.
        San::parse(bare.as_bytes())
            .filter(|san| *san != San::Null)
            .map(|_| (bare, nag))
    })
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

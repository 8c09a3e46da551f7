//! Texts among the moves that are no moves: words to pass over, signs that are NAGs.

use super::replayer::utf8;
use crate::pgn::Token;

/// Words that stand behind moves in old files and say nothing that the position does not.
pub(super) fn is_harmless(text: &str) -> bool {
    matches!(text, "ep" | "e" | "p" | "ch" | "dbl" | "dis" | "mate" | "+" | "++" | "#")
}

/// Signs for judgements that stand alone behind a move, and their NAGs (PGN §10).
#[inline]
pub(super) fn glyph_nag(token: Token<'_>) -> Option<u8> {
    if token.text.len() > 1 && token.text[0].is_ascii_alphanumeric() {
        return None;
    }
    Some(match utf8(token.text) {
        "=" => 10,
        "∞" => 13,
        "+=" | "⩲" => 14,
        "=+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        "N" => 146,
        _ => return None,
    })
}

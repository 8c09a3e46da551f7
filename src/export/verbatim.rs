//! Checks that movetext that is not chess can be written unchanged.

use crate::pgn::{Termination, split};
use crate::replay::replay;

/// `true` if a reader gets the movetext back unchanged, even after a comment and before the game termination marker: no
/// brace is missing, no result is in the middle, and no line is a tag of another game.
pub(super) fn reads_back_unchanged(movetext: &str, terminator: &str) -> bool {
    // A variant that is not chess, so that the replay keeps the movetext as text.
    let game = format!("[Variant \"none\"]\n\n{movetext}\n{terminator}\n\n");
    let behind_comment = game.replacen("\n\n", "\n\n{}\n", 1);

    let is_one_game = |text: &str| split(text.as_bytes()).count() == 1;
    if !is_one_game(&game) || !is_one_game(&behind_comment) {
        return false;
    }

    let again = replay(&game).game;
    let marker = again.termination.map(Termination::as_str);
    let has_movetext = again.rest.as_deref() == Some(movetext);
    let has_marker = marker == Some(terminator);
    has_movetext && has_marker
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads_back_unchanged {
        ($($name:ident: $movetext:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(reads_back_unchanged($movetext, "1-0"), $expected);
            }
        )*};
    }

    reads_back_unchanged! {
        lines: "1. Nf3 { no\nchess } Nf6\n2. Ng5" => true;
        unclosed_comment: "1. Nf3 { no" => false;
        unclosed_variation: "1. Nf3 (1. e4" => false;
        another_result: "1. Nf3 0-1 2. e4" => false;
        tags_behind_text: "rank 1\"]\n[Result5 3. Nc3\n[Site \"?\"]\n[Round \"1\"]\n1. e4" => false;
        another_game: "1. Nf3\n\n[Event \"B\"]\n\n1. e4" => false;
    }
}

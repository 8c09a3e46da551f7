//! Games that are English at a glance.

use memchr::memchr;

use crate::notation::San;
use crate::pgn::{Token, Visitor, read_game};
use crate::replay::glyphs::glyph_nag;

/// `true` if every move text of a game is a move in English SAN, and the mainline has the letter Q, which no other
/// language has. Whether the moves are legal is not looked at.
pub(super) fn is_english_at_a_glance(text: &str) -> bool {
    let mut glance = Glance { depth: 0, has_queen: false, has_other: false };
    read_game(text.as_bytes(), &mut glance);
    glance.has_queen && !glance.has_other
}

struct Glance {
    /// The number of open variations.
    depth: usize,
    has_queen: bool,
    /// Whether there is a text that is not a move in English.
    has_other: bool,
}

impl<'t> Visitor<'t> for Glance {
    fn move_text(&mut self, token: Token<'t>, _at: usize) {
        let is_move = San::from_token(token).is_some();
        self.has_other |= !is_move && glyph_nag(token).is_none();
        self.has_queen |= is_move && self.depth == 0 && memchr(b'Q', token.text).is_some();
    }

    fn begin_variation(&mut self, _at: usize) {
        self.depth += 1;
    }

    fn end_variation(&mut self, _at: usize) {
        self.depth = self.depth.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::is_english_at_a_glance;

    macro_rules! is_english {
        ($($name:ident: $text:literal => $is:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(is_english_at_a_glance($text), $is);
            }
        )*};
    }

    is_english! {
        with_queens: "[White \"Dame\"]\n\n1. e4 e5 2.Qh5 $2 {Db6} Nc6 3. Bc4 Nf6 4. Qxf7# 1-0" => true;
        a_promotion: "50. e8=Q+ Kd7 *" => true;
        without_queens: "1. e4 e5 2. Nf3 Nc6 *" => false;
        queens_in_a_variation: "1. e4 e5 (1... e6 2. Qe2) 2. Nf3 *" => false;
        french: "1. e4 e5 2. Dh5 Cc6 *" => false;
        descriptive: "1. P-K4 P-K4 2. Q-R5 *" => false;
        words: "1. e4 e5 2. Qh5 White resigns" => false;
        no_moves: "[White \"Q\"]\n\n*" => false;
    }
}

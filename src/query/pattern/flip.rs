//! Mirrored forms of a pattern.

use super::parse_error::ParsePatternError;
use crate::board::{Bitboard, CastlingSide, Square};

/// The mirrored forms of a pattern that match as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flip {
    /// Swaps the colours: the board upside down, the pieces of the other side, the other side to move.
    pub colors: bool,
    /// Swaps left and right: the a-file becomes the h-file.
    pub left_right: bool,
}

impl Flip {
    /// Parses `colour` (or `color`), `left-right`, `both`, or the first two separated by a comma or blanks.
    ///
    /// # Errors
    /// The first unknown word.
    ///
    /// ```
    /// use stamma::query::Flip;
    /// assert_eq!(Flip::parse("colour,left-right"), Ok(Flip { colors: true, left_right: true }));
    /// assert!(Flip::parse("upside-down").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Flip, ParsePatternError> {
        let expected = "expected `colour`, `left-right` or `both`";
        let is_separator = |letter: char| letter == ',' || letter.is_ascii_whitespace();
        let words = text.split(is_separator).filter(|word| !word.is_empty());

        let mut flip = Flip::default();
        for word in words {
            match word {
                "colour" | "color" => flip.colors = true,
                "left-right" => flip.left_right = true,
                "both" => {
                    flip = Flip {
                        colors: true,
                        left_right: true,
                    }
                }
                word => {
                    // The word is a part of the text, so the addresses give its place.
                    let at = word.as_ptr().addr() - text.as_ptr().addr();
                    let fault = format!("`{word}` is no mirror; {expected}");
                    return Err(ParsePatternError::at("flip", text, at, fault));
                }
            }
        }

        if flip == Flip::default() {
            return Err(ParsePatternError::at("flip", text, 0, expected));
        }
        Ok(flip)
    }

    /// The mirrors, starting with the identity.
    pub(super) fn mirrors(self) -> impl Iterator<Item = Mirror> {
        let all = [(false, false), (true, false), (false, true), (true, true)];

        all.into_iter().filter_map(move |(colors, files)| {
            let has_colors = self.colors || !colors;
            let has_files = self.left_right || !files;
            if has_colors && has_files {
                Some(Mirror { colors, files })
            } else {
                None
            }
        })
    }
}

/// A mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mirror {
    /// Ranks and colours are swapped.
    pub(super) colors: bool,
    /// Files are swapped.
    pub(super) files: bool,
}

impl Mirror {
    /// The image of a square.
    pub(super) fn square(self, square: Square) -> Square {
        let mut file = square.file();
        let mut rank = square.rank();
        if self.files {
            file = file.mirrored();
        }
        if self.colors {
            rank = rank.mirrored();
        }
        Square::at(file, rank)
    }

    /// The image of a set of squares.
    pub(super) fn squares(self, squares: Bitboard) -> Bitboard {
        let images = squares.into_iter().map(|square| self.square(square));
        images.collect()
    }

    /// The image of a side of the king.
    pub(super) fn castling_side(self, side: CastlingSide) -> CastlingSide {
        match (side, self.files) {
            (CastlingSide::King, false) | (CastlingSide::Queen, true) => CastlingSide::King,
            (CastlingSide::Queen, false) | (CastlingSide::King, true) => CastlingSide::Queen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_count() {
        for (text, expected) in [("color", 2), ("left-right", 2), ("left-right color", 4)] {
            let flip = Flip::parse(text).expect("a flip");
            assert_eq!(flip.mirrors().count(), expected, "{text}");
        }

        assert_eq!(Flip::default().mirrors().count(), 1);
    }

    #[test]
    fn says_where_a_word_is_unknown() {
        let error = Flip::parse("colour, sideways").expect_err("no such mirror");
        let expected = "the flip `colour, sideways`, character 9: `sideways` is no mirror; \
            expected `colour`, `left-right` or `both`";
        assert_eq!(error.to_string(), expected);
        assert!(Flip::parse("").is_err());
    }
}

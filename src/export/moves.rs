//! Writes the moves of a game in any notation.
//!
//! The input is canonical SAN. For SAN in English, the text is copied. For SAN with other letters of pieces, letters
//! are replaced in the text. All other notations need the position, so a board is played along the mainline and
//! variations.

use crate::board::{FenError, Position};
use crate::game::Lines;
use crate::notation::{Notation, San, Style, Uci, write_with_letters};

/// The reason why a game cannot be written: its stored content is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unwritable {
    /// The start position cannot be set up.
    #[error("its start cannot be set up: {0}")]
    Start(#[from] FenError),
    /// A move is not legal in its position.
    #[error("{0} is not legal where it occurs")]
    Move(String),
}

/// The signs of check and mate in SAN.
const CHECK_SIGNS: [char; 2] = ['+', '#'];

/// The data that the notation needs besides the SAN of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// No data: the SAN is copied.
    Nothing,
    /// The letters of pieces.
    Letters,
    /// The position.
    Board,
}

/// A writer of the moves of one game, in order.
pub(super) struct MoveTexts<'l> {
    style: Style<'l>,
    needs: Needs,
    lines: Lines<Position>,
    /// `true` if a variation may begin after a move.
    has_variations: bool,
    /// `true` if moves have their signs of check and mate.
    has_check_signs: bool,
    text: String,
}

/// The options of [`MoveTexts`], besides the style.
#[derive(Clone, Copy)]
pub(super) struct MoveTextNeeds {
    /// `true` if a variation may begin after a move.
    pub(super) has_variations: bool,
    /// `true` if [`MoveTexts::position`] is called.
    pub(super) follows_positions: bool,
    /// `true` to write the signs of check and mate.
    pub(super) has_check_signs: bool,
}

impl<'l> MoveTexts<'l> {
    /// A writer for a game that starts from a FEN, or from the standard position.
    pub(super) fn new(
        style: &Style<'l>,
        fen: Option<&str>,
        options: MoveTextNeeds,
    ) -> Result<MoveTexts<'l>, Unwritable> {
        let needs = match style.notation {
            _ if options.follows_positions => Needs::Board,
            _ if style.is_canonical() => Needs::Nothing,
            Notation::San => Needs::Letters,
            _ => Needs::Board,
        };

        let start = match fen.filter(|_| needs == Needs::Board) {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };
        let chess960 = style.chess960 || Uci::of(&start).king_takes_rook();

        Ok(MoveTexts {
            style: Style { chess960, ..*style },
            needs,
            lines: Lines::new(start),
            has_variations: options.has_variations,
            has_check_signs: options.has_check_signs,
            text: String::new(),
        })
    }

    /// The style, with the castling notation that the game needs.
    pub(super) fn style(&self) -> &Style<'l> {
        &self.style
    }

    /// The text of the next move of the line.
    #[inline]
    pub(super) fn next<'t>(&'t mut self, san: &'t str) -> Result<&'t str, Unwritable> {
        let san = if self.has_check_signs {
            san
        } else {
            san.trim_end_matches(CHECK_SIGNS)
        };
        if self.needs == Needs::Nothing {
            return Ok(san);
        }

        self.text.clear();
        match self.needs {
            Needs::Board => self.play(san)?,
            _ => write_with_letters(san, self.style.letters, &mut self.text),
        }
        Ok(&self.text)
    }

    #[inline]
    fn play(&mut self, san: &str) -> Result<(), Unwritable> {
        let position = self.lines.here();
        let parsed = San::parse(san.as_bytes());
        let resolved = parsed.and_then(|san| san.resolve(position).ok());
        let Some(resolved) = resolved else {
            return Err(Unwritable::Move(san.to_owned()));
        };

        let mv = resolved.mv;
        self.style.rewrite(san, position, mv, &mut self.text);

        // Notations that need no board copy the sign of the SAN, which has none here. The others end with their own.
        if !self.has_check_signs && !self.style.needs_no_board() {
            let sign = self.style.check_sign(position, mv);
            self.text.truncate(self.text.len() - sign.len());
        }

        self.lines.next(self.has_variations).play(mv);
        Ok(())
    }

    /// The position after the last move of the line.
    pub(super) fn position(&self) -> &Position {
        self.lines.here()
    }

    /// Begins an alternative to the last move.
    pub(super) fn begin_variation(&mut self) {
        if self.needs == Needs::Board {
            self.lines.begin_variation();
        }
    }

    /// Returns to the interrupted line.
    pub(super) fn end_variation(&mut self) {
        self.lines.end_variation();
    }
}

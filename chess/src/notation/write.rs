//! Writes legal moves in any notation and with any letters.
//!
//! Every written text reads back as the same move in the same position. PGN in English is written faster by
//! [`write_san`](super::write_san).

mod algebraic;
mod descriptive;
mod known;
mod notations;
mod parts;

pub use known::write_with_letters;
pub use notations::Notation;

use super::language::PieceLetters;
use super::read::Reading;
use super::uci::Uci;
use crate::board::{Move, MoveKind, Position, Role};

/// The notation and letters in which moves are written.
#[derive(Clone, Copy, Debug)]
pub struct Style<'l> {
    /// The notation of squares and captures.
    pub notation: Notation,
    /// The piece letters; `uci` and `iccf` ignore them.
    pub letters: &'l PieceLetters,
    /// `true` if `uci` and `iccf` write castling as king takes rook even if king and rook are on their standard
    /// squares.
    pub chess960: bool,
}

impl Style<'static> {
    /// PGN in English, as games are stored.
    pub fn pgn() -> Style<'static> {
        Style {
            notation: Notation::San,
            letters: PieceLetters::english(),
            chess960: false,
        }
    }
}

impl<'l> Style<'l> {
    /// The reading that parses this style. `uci` has the English letters of its standard.
    pub fn reading(&self) -> Reading<'l> {
        let letters = match self.notation {
            Notation::Uci => PieceLetters::english(),
            _ => self.letters,
        };

        Reading {
            letters,
            system: self.notation.system(),
        }
    }

    /// The text of a legal move; `position` is before the move.
    ///
    /// ```
    /// use stamma_chess::board::Position;
    /// use stamma_chess::notation::{Notation, PieceLetters, San, Style};
    /// let position = Position::from_fen("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1")?;
    /// let mv = San::parse(b"bxa8=Q").unwrap().resolve(&position).unwrap().mv;
    /// let letters = PieceLetters::of_language("fr").unwrap();
    /// let text = |notation| Style { notation, letters, chess960: false }.text(&position, mv);
    /// assert_eq!(text(Notation::San), "bxa8=D+");
    /// assert_eq!(text(Notation::Fide), "bxa8D+");
    /// assert_eq!(text(Notation::Full), "b7xTa8=D+");
    /// assert_eq!(text(Notation::Descriptive), "PxT=D+");
    /// assert_eq!(text(Notation::Uci), "b7a8q");
    /// assert_eq!(text(Notation::Iccf), "27181");
    /// # Ok::<(), stamma_chess::board::FenError>(())
    /// ```
    pub fn text(&self, position: &Position, mv: Move) -> String {
        let mut text = String::with_capacity(12);
        self.write(position, mv, &mut text);
        text
    }

    /// Appends the text of a legal move; `position` is before the move.
    pub fn write(&self, position: &Position, mv: Move, out: &mut String) {
        match self.notation {
            Notation::Uci => self.write_uci(mv, out),
            Notation::Iccf => self.write_iccf(mv, out),

            // All other notations write a null move as PGN readers expect it.
            _ if mv.kind == MoveKind::Null => out.push_str("--"),
            Notation::Descriptive => descriptive::write(position, mv, self.letters, out),
            notation => algebraic::write(notation, position, mv, self.letters, out),
        }
    }

    /// The sign of check or mate that this style writes behind a legal move, or behind its squares where `e.p.`
    /// follows; `position` is before the move.
    ///
    /// ```
    /// use stamma_chess::board::Position;
    /// use stamma_chess::notation::{Notation, San, Style};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")?;
    /// let mv = San::parse(b"Ra8").unwrap().resolve(&position).unwrap().mv;
    /// let sign = |notation| Style { notation, ..Style::pgn() }.check_sign(&position, mv);
    /// assert_eq!(Notation::ALL.map(sign), ["+", "+", "+", "+", "+", "", "", "ch"]);
    /// # Ok::<(), stamma_chess::board::FenError>(())
    /// ```
    pub fn check_sign(&self, position: &Position, mv: Move) -> &'static str {
        match self.notation {
            _ if mv.kind == MoveKind::Null => "",
            Notation::Uci | Notation::Iccf => "",
            Notation::Descriptive => descriptive::check_sign(position, mv, self.letters),
            notation => algebraic::check_sign(notation, position, mv),
        }
    }

    fn write_uci(&self, mv: Move, out: &mut String) {
        Uci::new(self.chess960).write(mv, out);
    }

    /// Writes the squares of `uci` as digits.
    fn write_iccf(&self, mv: Move, out: &mut String) {
        if mv.kind == MoveKind::Null {
            return out.push_str("--");
        }

        let target = Uci::new(self.chess960).target(mv);
        for square in [mv.from, target] {
            out.push((b'1' + square.file().number()) as char);
            out.push(square.rank().digit() as char);
        }

        // ICCF numbers the promoted pieces from the queen down.
        let promotion = match mv.promotion {
            Some(Role::Queen) => "1",
            Some(Role::Rook) => "2",
            Some(Role::Bishop) => "3",
            Some(Role::Knight) => "4",
            _ => "",
        };
        out.push_str(promotion);
    }
}

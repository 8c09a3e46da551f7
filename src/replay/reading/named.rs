//! One of the readings that are tried, and how likely it is.

use super::features::TextFeatures;
use crate::board::Role;
use crate::notation::{LANGUAGES, PieceLetters, Reading, System};

#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The code of the language, or the letters if they belong to none.
    pub(super) language: String,
    pub(super) letters: PieceLetters,
    pub(super) system: System,
}

/// In which turn a reading is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likelihood {
    /// It has all letters that occur.
    Likely,
    /// It has, and its letter for pawns is one of them; few write one, and many languages have it for a
    /// piece of another.
    WithPawns,
    /// It cannot explain all texts, but may get furthest.
    Unlikely,
}

impl Likelihood {
    pub(super) const ALL: [Likelihood; 3] =
        [Likelihood::Likely, Likelihood::WithPawns, Likelihood::Unlikely];
}

impl Named {
    pub(super) fn reading(&self) -> Reading<'_> {
        Reading { letters: &self.letters, system: self.system }
    }

    pub(super) fn is_english(&self) -> bool {
        self.letters == *PieceLetters::english()
    }

    pub(super) fn is_numeric(&self) -> bool {
        self.system == System::Numeric
    }

    /// The language's name, or the letters.
    pub(super) fn name(&self) -> &str {
        let row = LANGUAGES.iter().find(|row| row.letters == self.letters);
        row.map_or(&*self.language, |row| row.name)
    }

    /// `true` when it has all letters of some texts, as those of pieces.
    pub(super) fn explains(&self, features: &TextFeatures) -> bool {
        match self.system {
            System::Algebraic => features.are_pieces_in(&self.letters),
            System::Descriptive => features.are_in(&self.letters),
            System::Numeric => false,
        }
    }

    /// What the texts of a game show, before any move is looked for.
    pub(super) fn likelihood(&self, features: &TextFeatures) -> Likelihood {
        let may_be = match self.system {
            System::Numeric => features.has_digits,
            System::Descriptive => !features.has_square && features.are_in(&self.letters),
            System::Algebraic if !features.has_symbols && features.capitals.is_empty() => {
                self.is_english()
            }
            System::Algebraic => features.are_in(&self.letters),
        };
        let pawn = self.letters.letter(Role::Pawn);
        let has_pawns = features.capitals.iter().any(|c| pawn.chars().eq([*c]));
        match (may_be, self.system == System::Algebraic && has_pawns) {
            (true, false) => Likelihood::Likely,
            (true, true) => Likelihood::WithPawns,
            (false, _) => Likelihood::Unlikely,
        }
    }
}

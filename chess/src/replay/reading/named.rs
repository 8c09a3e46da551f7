//! A reading with the name of its language, and the likelihood of a reading for a game.

use super::features::TextFeatures;
use crate::board::Role;
use crate::notation::{LANGUAGES, PieceLetters, Reading, System};

/// The letters and system of a reading, with the name of its language.
#[derive(Clone, Debug)]
pub(super) struct NamedReading {
    /// The language code, or the letters if they belong to no language.
    pub(super) language: String,
    pub(super) letters: PieceLetters,
    pub(super) system: System,
}

/// The likelihood of a reading, in the order in which readings are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likelihood {
    /// Has all letters that occur.
    Likely,
    /// Has all letters that occur, but one of them is the pawn letter of the language. Pawn letters are rarely written,
    /// and in many other languages the same letter denotes a piece.
    WithPawns,
    /// Lacks a letter, so it cannot explain all texts, but may get furthest.
    Unlikely,
}

impl Likelihood {
    pub(super) const ALL: [Likelihood; 3] = [
        Likelihood::Likely,
        Likelihood::WithPawns,
        Likelihood::Unlikely,
    ];
}

impl NamedReading {
    pub(super) fn reading(&self) -> Reading<'_> {
        Reading {
            letters: &self.letters,
            system: self.system,
        }
    }

    pub(super) fn is_english(&self) -> bool {
        self.letters == *PieceLetters::english()
    }

    pub(super) fn is_numeric(&self) -> bool {
        self.system == System::Numeric
    }

    /// The name of the language, or the letters.
    pub(super) fn name(&self) -> &str {
        for language in LANGUAGES {
            if language.letters == self.letters {
                return language.name;
            }
        }

        &self.language
    }

    /// Returns `true` if the piece letters include all letters of some texts.
    pub(super) fn explains(&self, features: &TextFeatures) -> bool {
        match self.system {
            System::Algebraic => features.are_pieces_in(&self.letters),
            System::Descriptive => features.are_in(&self.letters),
            System::Numeric => false,
        }
    }

    /// The likelihood, given the features of a game's texts.
    pub(super) fn likelihood(&self, features: &TextFeatures) -> Likelihood {
        let has_letters = !features.capitals.is_empty() || features.has_symbols;
        let has_all_letters = match self.system {
            System::Numeric => features.has_digits,
            System::Descriptive => !features.has_square && features.are_in(&self.letters),
            // Without letters, all languages read equal moves, so only English is likely.
            System::Algebraic if !has_letters => self.is_english(),
            System::Algebraic => features.are_in(&self.letters),
        };
        if !has_all_letters {
            return Likelihood::Unlikely;
        }

        let pawn = self.letters.letter(Role::Pawn);
        let has_pawns = features.capitals.iter().any(|&c| pawn.chars().eq([c]));
        if has_pawns && self.system == System::Algebraic {
            Likelihood::WithPawns
        } else {
            Likelihood::Likely
        }
    }
}

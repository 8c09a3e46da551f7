//! Features of a game's texts that hint at their notation, found without resolving moves.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::board::Role;
use crate::notation::{Notation, PieceLetters, System};
use crate::pgn::MAX_NUMBER_DIGITS;
use crate::replay::script::Script;

/// Features of a game's texts that distinguish readings.
#[derive(Default)]
pub(in crate::replay) struct TextFeatures {
    /// Capitals that must be piece letters.
    pub(super) capitals: BTreeSet<char>,
    /// `true` if a text has a chess symbol.
    pub(super) has_symbols: bool,
    /// `true` if a text begins with more digits than a move number has.
    pub(super) has_digits: bool,
    /// `true` if a text has a square whose file is a lower-case letter.
    pub(super) has_square: bool,
}

impl TextFeatures {
    /// The features of some move texts.
    pub(in crate::replay) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> TextFeatures {
        let mut features = TextFeatures::default();
        for text in texts {
            features.add_text(text);
        }

        features
    }

    /// Adds the features of a move text.
    fn add_text(&mut self, text: &str) {
        let leading_digits = text.bytes().take_while(u8::is_ascii_digit).count();
        self.has_digits |= leading_digits > MAX_NUMBER_DIGITS;
        self.has_square |= count_squares(text) > 0;

        // Null moves and castling in words have equal capitals in every language.
        let is_null = text == "Z0";
        let is_castling = text.starts_with("Castles");
        if is_null || is_castling {
            return;
        }

        self.has_symbols |= text.contains(is_symbol);
        for c in text.nfc() {
            // The sign of a capture, and castling, in Latin, Cyrillic and Greek letters.
            let is_sign = matches!(c, 'X' | 'O' | 'О' | 'Ο' | 'Х' | 'Χ');
            if c.is_uppercase() && !is_sign {
                self.capitals.insert(c);
            }
        }
    }

    pub(super) fn has_capitals(&self) -> bool {
        !self.capitals.is_empty()
    }

    /// Returns `true` if a language's letters include all capitals of the texts.
    pub(in crate::replay) fn are_in(&self, letters: &PieceLetters) -> bool {
        self.are_among(letters, &Role::ALL)
    }

    /// Returns `true` if the letters other than the pawn letter, which is rarely written, include all capitals that
    /// occur.
    pub(super) fn are_pieces_in(&self, letters: &PieceLetters) -> bool {
        const PIECES: [Role; 5] = [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ];

        self.are_among(letters, &PIECES)
    }

    /// Returns `true` if the letters of some roles include all capitals that occur.
    ///
    /// Texts with chess symbols and without capitals match letters that are chess symbols themselves.
    fn are_among(&self, letters: &PieceLetters, roles: &[Role]) -> bool {
        let capitals: Vec<char> = roles
            .iter()
            .flat_map(|&role| letters.letter(role).chars())
            .flat_map(char::to_uppercase)
            .collect();

        if self.has_symbols && self.capitals.is_empty() {
            capitals.iter().any(|&c| is_symbol(c))
        } else {
            self.capitals.iter().all(|c| capitals.contains(c))
        }
    }
}

fn is_symbol(c: char) -> bool {
    ('♔'..='♟').contains(&c)
}

/// The number of squares in a text.
fn count_squares(text: &str) -> usize {
    let pairs = text.as_bytes().windows(2);
    pairs
        .filter(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
        .count()
}

/// The notation of most moves of a game; `None` for the notation of PGN.
pub(super) fn notation(system: System, script: &Script<'_>) -> Option<&'static str> {
    let notation = match system {
        System::Numeric => Notation::Iccf,
        System::Descriptive => Notation::Descriptive,
        System::Algebraic => long_notation(script)?,
    };

    Some(notation.name())
}

/// The notation of a game in which moves with two squares are the majority.
fn long_notation(script: &Script<'_>) -> Option<Notation> {
    let mut long = 0;
    let mut short = 0;
    let mut has_signs = false;
    let mut has_pieces = false;
    let mut has_captured = false;

    for text in script.moves() {
        let words = &*text.words;

        match count_squares(words) {
            0 => {}
            1 => short += 1,
            _ => {
                long += 1;
                has_signs |= words.contains(['-', 'x', ':', '×']);
                has_pieces |= words.starts_with(|c: char| !c.is_ascii_lowercase());
                has_captured |= names_captured(words);
            }
        }
    }

    if long <= short {
        None
    } else if has_captured {
        Some(Notation::Full)
    } else if has_pieces {
        Some(Notation::Lan)
    } else if has_signs {
        Some(Notation::Coordinate)
    } else {
        Some(Notation::Uci)
    }
}

/// Returns `true` if a piece letter follows a capture sign: `Cg1xFf3`.
fn names_captured(text: &str) -> bool {
    let (_, captured) = text.split_once(['x', ':', '×']).unwrap_or_default();
    captured.starts_with(|c: char| c.is_uppercase() || is_symbol(c))
}

//! Features of a game's texts that hint at their notation, found without resolving moves.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::board::Role;
use crate::notation::{Notation, PieceLetters, System};
use crate::replay::script::Script;

/// Features of a game's texts that distinguish readings.
#[derive(Default)]
pub(in crate::replay) struct TextFeatures {
    /// Capitals that must be piece letters.
    pub(super) capitals: BTreeSet<char>,
    /// Whether there is a chess symbol.
    pub(super) has_symbols: bool,
    /// Whether there is a text of four digits or more.
    pub(super) has_digits: bool,
    /// Whether there is a square with its file in lower case.
    pub(super) has_square: bool,
}

impl TextFeatures {
    /// The features of some move texts.
    pub(in crate::replay) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> TextFeatures {
        let mut features = TextFeatures::default();
        texts.into_iter().for_each(|text| features.add(text));
        features
    }

    fn add(&mut self, text: &str) {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        self.has_digits |= digits >= 4;
        self.has_square |= squares(text) > 0;
        if text != "Z0" && !text.starts_with("Castles") {
            self.has_symbols |= text.contains(is_symbol);
            let is_piece =
                |c: &char| c.is_uppercase() && !matches!(c, 'X' | 'O' | 'О' | 'Ο' | 'Х' | 'Χ');
            self.capitals.extend(text.nfc().filter(is_piece));
        }
    }

    pub(super) fn has_capitals(&self) -> bool {
        !self.capitals.is_empty()
    }

    /// Returns `true` if the letters include all capitals that occur.
    pub(in crate::replay) fn are_in(&self, letters: &PieceLetters) -> bool {
        self.are_among(letters, &Role::ALL)
    }

    /// The same without the pawn letter, which is rarely written.
    pub(super) fn are_pieces_in(&self, letters: &PieceLetters) -> bool {
        let pieces = Role::ALL.map(|role| if role == Role::Pawn { Role::King } else { role });
        self.are_among(letters, &pieces)
    }

    fn are_among(&self, letters: &PieceLetters, roles: &[Role]) -> bool {
        let letters: Vec<char> = roles
            .iter()
            .flat_map(|&role| letters.letter(role).chars())
            .flat_map(char::to_uppercase)
            .collect();
        if self.has_symbols && self.capitals.is_empty() {
            letters.iter().any(|&c| is_symbol(c))
        } else {
            self.capitals.iter().all(|c| letters.contains(c))
        }
    }
}

fn is_symbol(c: char) -> bool {
    ('♔'..='♟').contains(&c)
}

/// The number of squares in a text.
fn squares(text: &str) -> usize {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    text.as_bytes()
        .windows(2)
        .filter(|pair| is_square(pair))
        .count()
}

/// The notation of most moves of a game; `None` for that of PGN.
pub(super) fn notation(system: System, script: &Script<'_>) -> Option<&'static str> {
    let notation = match system {
        System::Numeric => Notation::Iccf,
        System::Descriptive => Notation::Descriptive,
        System::Algebraic => return long_notation(script).map(Notation::name),
    };
    Some(notation.name())
}

/// The notation of a game most of whose moves have two squares.
fn long_notation(script: &Script<'_>) -> Option<Notation> {
    let (mut long, mut short) = (0, 0);
    let (mut has_signs, mut has_pieces, mut has_captured) = (false, false, false);
    for text in script.moves().map(|text| &*text.words) {
        match squares(text) {
            0 => {}
            1 => short += 1,
            _ => {
                long += 1;
                has_signs |= text.contains(['-', 'x', ':', '×']);
                has_pieces |= text.starts_with(|c: char| !c.is_ascii_lowercase());
                has_captured |= names_captured(text);
            }
        }
    }
    Some(match (has_pieces, has_signs) {
        _ if long <= short => return None,
        _ if has_captured => Notation::Full,
        (true, _) => Notation::Lan,
        (false, true) => Notation::Coordinate,
        (false, false) => Notation::Uci,
    })
}

/// Returns `true` if a piece letter follows a capture sign: `Cg1xFf3`.
fn names_captured(text: &str) -> bool {
    let (_, captured) = text.split_once(['x', ':', '×']).unwrap_or_default();
    captured.starts_with(|c: char| c.is_uppercase() || is_symbol(c))
}

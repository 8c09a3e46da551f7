//! In which language and system the moves of a game are written.
//!
//! Nearly all games are PGN in English and are read as that alone. A game in which a text is no move is
//! read again with other letters and in other systems; the first that explains all of it wins. Which
//! readings explain a game depends on nothing but its text, so that the answer is the same whoever
//! asks. Where several explain it, they are all named, and who knows the rest of the file may choose.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::follow::{follow, follow_whole};
use super::script::Script;
use super::{Problem, ProblemKind, Replay, replay};
use crate::board::Role;
use crate::notation::{LANGUAGES, Notation, PieceLetters, Reading, System};

/// A reading by its place among the [`Readings`] that are tried; the first is English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReadingId(pub usize);

/// The readings that are tried, in their order.
#[derive(Clone, Debug)]
pub struct Readings {
    all: Vec<Named>,
    /// Whether PGN in English is among them, which is read by a way of its own.
    has_san: bool,
}

#[derive(Clone, Debug)]
struct Named {
    /// The code of the language, or the letters if they belong to none.
    language: String,
    letters: PieceLetters,
    system: System,
}

/// A game played through, and how it was read.
#[derive(Debug)]
pub struct ReadGame<'t> {
    /// The game.
    pub replay: Replay<'t>,
    /// The reading that was taken; nothing for PGN in English.
    pub reading: Option<ReadingId>,
    /// How its moves are written, if not as in PGN: `lan`, `descriptive` and so on.
    pub notation: Option<&'static str>,
    /// All readings that explain the game as well, the one that was taken among them.
    pub equals: Vec<ReadingId>,
    /// Whether they explain all of it.
    pub is_whole: bool,
    /// Whether they give different moves.
    pub differ: bool,
}

impl Default for Readings {
    fn default() -> Readings {
        Readings::new(None, None)
    }
}

impl Readings {
    /// All readings, or those that a user has left: with certain letters, in a certain notation.
    ///
    /// Languages with the same letters are one, that which stands first in the table.
    pub fn new(letters: Option<(&str, &PieceLetters)>, notation: Option<Notation>) -> Readings {
        let english = ("en", PieceLetters::english());
        let languages = match (letters, notation) {
            (Some(letters), _) => vec![letters],
            (None, Some(Notation::Uci | Notation::Iccf)) => vec![english],
            (None, _) => {
                LANGUAGES.iter().map(|language| (language.codes[0], &language.letters)).collect()
            }
        };
        let wanted = notation.map(Notation::system);
        let mut all: Vec<Named> = Vec::new();
        for (language, letters) in languages {
            for system in
                System::ALL.into_iter().filter(|&system| wanted.is_none_or(|w| w == system))
            {
                let is_known = |other: &Named| {
                    other.system == system
                        && (other.letters == *letters || system == System::Numeric)
                };
                if !all.iter().any(is_known) {
                    all.push(Named {
                        language: language.to_owned(),
                        letters: letters.clone(),
                        system,
                    });
                }
            }
        }
        let has_san = all
            .iter()
            .any(|one| one.letters == *PieceLetters::english() && one.system == System::Algebraic);
        Readings { all, has_san }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The code of a reading's language, or its letters; nothing for English.
    pub fn language(&self, reading: ReadingId) -> Option<&str> {
        let one = self.all.get(reading.0)?;
        Some(one.language.as_str()).filter(|_| one.letters != *PieceLetters::english())
    }

    /// Plays a game through under the reading that explains it.
    ///
    /// ```
    /// use stamma::replay::Readings;
    /// let readings = Readings::default();
    /// let game = readings.replay("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 *");
    /// assert_eq!(game.replay.moves, "e4 e5 Nf3 Nc6 Bb5 a6");
    /// assert_eq!(game.reading.and_then(|reading| readings.language(reading)), Some("fr"));
    /// ```
    pub fn replay<'t>(&self, text: &'t str) -> ReadGame<'t> {
        if self.has_san {
            let replay = replay(text);
            if !replay.problems.iter().any(|problem| problem.kind.loses_line()) {
                return ReadGame {
                    replay,
                    reading: None,
                    notation: None,
                    equals: Vec::new(),
                    is_whole: true,
                    differ: false,
                };
            }
        }
        self.try_all(text, None)
    }

    /// Plays a game through under every reading, English SAN too, and takes the preferred one if no
    /// other explains more.
    pub fn try_all<'t>(&self, text: &'t str, preferred: Option<ReadingId>) -> ReadGame<'t> {
        self.try_among(text, preferred, |_| true)
    }

    /// The same under those readings that are wanted; the first always is.
    pub fn try_among<'t>(
        &self,
        text: &'t str,
        preferred: Option<ReadingId>,
        is_wanted: impl Fn(ReadingId) -> bool,
    ) -> ReadGame<'t> {
        let script = Script::new(text);
        let traits = Traits::of(&script);
        let mut trials = Trials::default();
        // Few write a letter for pawns, which many languages have for a piece of another.
        for likelihood in Likelihood::ALL {
            for (i, one) in self.all.iter().enumerate() {
                let is_wanted = i == 0 || is_wanted(ReadingId(i));
                if is_wanted && one.likelihood(&traits) == likelihood {
                    trials.add(i, &script, one.reading());
                }
            }
            if trials.is_whole {
                break;
            }
        }
        if !trials.is_whole {
            trials.take_furthest(&script, |i| self.all[i].reading());
        }
        self.choose(trials, preferred, &script)
    }

    fn choose<'t>(
        &self,
        trials: Trials<'t>,
        preferred: Option<ReadingId>,
        script: &Script<'t>,
    ) -> ReadGame<'t> {
        let equals: Vec<ReadingId> = trials.whole.iter().map(|&(i, _)| ReadingId(i)).collect();
        let place = equals.iter().position(|&id| Some(id) == preferred).unwrap_or(0);
        let first_hash = trials.whole.first().map(|(_, replay)| replay.moves_hash);
        let other = trials.whole.iter().find(|(_, replay)| Some(replay.moves_hash) != first_hash);
        let differing = other.map(|&(i, _)| [self.all[equals[0].0].name(), self.all[i].name()]);
        let mut taken = trials.whole;
        let (i, mut replay) = taken.swap_remove(place);
        if trials.is_whole
            && let Some([first, other]) = &differing
        {
            replay.problems.insert(0, ambiguous_language(script, first, other));
        }
        ReadGame {
            replay,
            reading: Some(ReadingId(i)),
            notation: notation(self.all[i].system, script),
            equals,
            is_whole: trials.is_whole,
            differ: differing.is_some(),
        }
    }
}

/// What has come of the readings that were tried.
#[derive(Default)]
struct Trials<'t> {
    /// Readings that explain the game, or if none does, those that get furthest.
    whole: Vec<(usize, Replay<'t>)>,
    is_whole: bool,
    /// How far the others got.
    reached: Vec<(usize, usize)>,
}

impl<'t> Trials<'t> {
    fn add(&mut self, number: usize, script: &Script<'t>, reading: Reading<'_>) {
        match follow_whole(script, reading) {
            Ok(replay) => {
                self.is_whole = true;
                self.whole.push((number, replay));
            }
            Err(reached) => self.reached.push((number, reached)),
        }
    }

    /// Takes the readings that get furthest, the first alone if it is one of them.
    fn take_furthest<'l>(&mut self, script: &Script<'t>, reading: impl Fn(usize) -> Reading<'l>) {
        self.reached.sort_unstable();
        let most = self.reached.iter().map(|&(_, reached)| reached).max().unwrap_or_default();
        let furthest = self.reached.iter().filter(|&&(_, reached)| reached == most);
        for &(i, _) in furthest {
            self.whole.push((i, follow(script, reading(i))));
            if i == 0 {
                return;
            }
        }
    }
}

impl Named {
    fn reading(&self) -> Reading<'_> {
        Reading { letters: &self.letters, system: self.system }
    }

    fn name(&self) -> String {
        let row = LANGUAGES.iter().find(|row| row.letters == self.letters);
        row.map_or(&*self.language, |row| row.name).to_owned()
    }

    /// What the texts of a game show, before any move is looked for.
    fn likelihood(&self, traits: &Traits) -> Likelihood {
        let is_english = self.letters == *PieceLetters::english();
        let may_be = match self.system {
            System::Numeric => traits.has_digits,
            System::Descriptive => !traits.has_square && self.has_letters(traits),
            System::Algebraic if !traits.has_symbols && traits.capitals.is_empty() => is_english,
            System::Algebraic => self.has_letters(traits),
        };
        let pawn = self.letters.letter(Role::Pawn);
        let has_pawns = traits.capitals.iter().any(|c| pawn.chars().eq([*c]));
        match (may_be, self.system == System::Algebraic && has_pawns) {
            (true, false) => Likelihood::Likely,
            (true, true) => Likelihood::WithPawns,
            (false, _) => Likelihood::Unlikely,
        }
    }

    fn has_letters(&self, traits: &Traits) -> bool {
        let letters: Vec<char> = Role::ALL
            .into_iter()
            .flat_map(|role| self.letters.letter(role).chars())
            .flat_map(char::to_uppercase)
            .collect();
        match traits.has_symbols && traits.capitals.is_empty() {
            true => letters.iter().any(|&c| is_symbol(c)),
            false => traits.capitals.iter().all(|c| letters.contains(c)),
        }
    }
}

/// In which turn a reading is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likelihood {
    /// It has all letters that occur.
    Likely,
    /// It has, and its letter for pawns is one of them.
    WithPawns,
    /// It cannot explain all texts, but may get furthest.
    Unlikely,
}

impl Likelihood {
    const ALL: [Likelihood; 3] = [Likelihood::Likely, Likelihood::WithPawns, Likelihood::Unlikely];
}

/// What a game's texts have in them, as far as it tells readings apart.
#[derive(Default)]
struct Traits {
    /// Capitals that must be pieces.
    capitals: BTreeSet<char>,
    /// A chess symbol.
    has_symbols: bool,
    /// A text of four digits or more.
    has_digits: bool,
    /// A file in lower case with a rank.
    has_square: bool,
}

impl Traits {
    fn of(script: &Script<'_>) -> Traits {
        let mut traits = Traits::default();
        for text in script.moves().map(|text| &*text.words) {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            traits.has_digits |= digits >= 4;
            traits.has_square |= squares(text) > 0;
            if text != "Z0" && !text.starts_with("Castles") {
                traits.has_symbols |= text.contains(is_symbol);
                let is_piece =
                    |c: &char| c.is_uppercase() && !matches!(c, 'X' | 'O' | 'О' | 'Ο' | 'Х' | 'Χ');
                traits.capitals.extend(text.nfc().filter(is_piece));
            }
        }
        traits
    }
}

fn is_symbol(c: char) -> bool {
    ('♔'..='♟').contains(&c)
}

/// How many squares stand in a text.
fn squares(text: &str) -> usize {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    text.as_bytes().windows(2).filter(|pair| is_square(pair)).count()
}

/// The name of the notation that most moves of a game are in, nothing for that of PGN.
fn notation(system: System, script: &Script<'_>) -> Option<&'static str> {
    let notation = match system {
        System::Numeric => Notation::Iccf,
        System::Descriptive => Notation::Descriptive,
        System::Algebraic => {
            let (mut long, mut short, mut signs, mut pieces) = (0, 0, false, false);
            for text in script.moves().map(|text| &*text.words) {
                match squares(text) {
                    0 => {}
                    1 => short += 1,
                    _ => {
                        long += 1;
                        signs |= text.contains(['-', 'x', ':', '×']);
                        pieces |= text.starts_with(|c: char| !c.is_ascii_lowercase());
                    }
                }
            }
            match (long > short, pieces, signs) {
                (false, ..) => return None,
                (true, true, _) => Notation::Lan,
                (true, false, true) => Notation::Coordinate,
                (true, false, false) => Notation::Uci,
            }
        }
    };
    Some(notation.name())
}

fn ambiguous_language(script: &Script<'_>, first: &str, other: &str) -> Problem {
    let range = script.moves().next().map(|text| text.range.clone()).unwrap_or_default();
    Problem {
        kind: ProblemKind::AmbiguousLanguage,
        at: range.start,
        ply: 0,
        text: script.text.get(range).unwrap_or_default().to_owned(),
        message: format!("the moves are legal in {first} and in {other}, and are not the same"),
    }
}

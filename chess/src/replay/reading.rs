//! Detects the language and system of a game's moves.
//!
//! Nearly all games are English PGN and are read only as English PGN. A game with a text that is not a move is read
//! again with other letters and in other systems; the first reading that explains the whole game wins. The readings
//! that explain a game depend on its text alone, so the result is deterministic. If several readings explain the game,
//! all are returned, and a caller that knows the rest of the file may choose.

mod english;
mod features;
mod named;
mod tried;

use self::english::{is_english_at_a_glance, letter_bit};
pub(super) use self::features::TextFeatures;
use self::features::notation;
use self::named::NamedReading;
use self::tried::{TriedReadings, try_readings};
use super::follow::{FallbackReading, follow};
use super::script::Script;
use super::unread::unread;
use super::{Problem, ProblemKind, Replay, replay, replay_moves};
use crate::board::Role;
use crate::bug::{Bug, caught};
use crate::game::{Annotation, Annotations, Ply};
use crate::notation::{LANGUAGES, Notation, PieceLetters, Reading, System};
use memchr::memchr;

/// The length of a game beyond which other languages are not tried if it is whole in English: that takes many times the
/// time and memory. No game that people have played is as long.
const MAX_DOUBTED_BYTES: usize = 1 << 20;

/// A reading by its index among the [`Readings`]; the first is English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReadingId(pub usize);

impl ReadingId {
    /// English PGN, if among the readings.
    pub const FIRST: ReadingId = ReadingId(0);
}

/// The readings to try, in order.
#[derive(Clone, Debug)]
pub struct Readings {
    /// Never empty: there are always a language and a system to try.
    named: Vec<NamedReading>,
    /// `true` if the readings include English PGN, which has its own parser.
    has_san: bool,
    /// For each other language, the letters that it shares with English SAN, as bits of [`letter_bit`].
    foreign: Vec<u8>,
    /// `true` if positions are recorded as well as moves.
    has_positions: bool,
}

/// A replayed game, with the reading that explains it.
#[derive(Debug)]
pub struct ReadGame<'t> {
    /// The replayed game.
    pub replay: Replay<'t>,
    /// The chosen reading; `None` for English PGN.
    pub reading: Option<ReadingId>,
    /// The notation of the moves, such as `lan` or `descriptive`; `None` for the notation of PGN.
    pub notation: Option<&'static str>,
    /// All readings that explain the game equally well, including the chosen one; empty if it is only valid as English
    /// PGN.
    pub equals: Vec<ReadingId>,
    /// `true` if these readings explain all of the game.
    pub is_whole: bool,
    /// A reading in `equals` that gives other moves than the replay; `None` if no reading does.
    pub other: Option<ReadingId>,
}

impl Default for Readings {
    fn default() -> Readings {
        Readings::new(None, None)
    }
}

impl Readings {
    /// All readings, or the readings with the given letters or notation.
    ///
    /// Languages with the same letters count as one, the first in the table.
    pub fn new(letters: Option<(&str, &PieceLetters)>, notation: Option<Notation>) -> Readings {
        let systems = match notation {
            Some(notation) => vec![notation.system()],
            None => System::ALL.to_vec(),
        };

        let mut named: Vec<NamedReading> = Vec::new();
        for (language, letters) in languages_to_try(letters, notation) {
            for &system in &systems {
                if !contains_reading(&named, letters, system) {
                    named.push(NamedReading {
                        language: language.to_owned(),
                        letters: letters.clone(),
                        system,
                    });
                }
            }
        }

        let has_san = named
            .iter()
            .any(|named| named.is_english() && named.system == System::Algebraic);

        // Many languages share equal sets of letters with English, and each distinct set is compared with each game.
        let mut foreign: Vec<u8> = named
            .iter()
            .filter(|named| !named.is_english())
            .map(NamedReading::english_letters)
            .collect();
        foreign.sort_unstable();
        foreign.dedup();

        Readings {
            named,
            has_san,
            foreign,
            has_positions: true,
        }
    }

    /// These readings without recording positions, which is faster: for most games, [`Replay::visits`] has only the
    /// start, and [`Replay::ending`] has only `board`.
    pub fn without_positions(self) -> Readings {
        Readings {
            has_positions: false,
            ..self
        }
    }

    /// The number of readings.
    pub fn count(&self) -> usize {
        self.named.len()
    }

    /// The language code of a reading, or its letters; `None` for English.
    pub fn language(&self, reading: ReadingId) -> Option<&str> {
        let named = self.named.get(reading.0)?;

        if named.is_english() {
            None
        } else {
            Some(&named.language)
        }
    }

    /// Plays a game through under the reading that explains it. A game on which Stamma fails is not played, keeps its
    /// movetext as [`Game::rest`](crate::game::Game::rest), and has a problem [`ProblemKind::Bug`].
    ///
    /// ```
    /// use stamma_chess::replay::Readings;
    /// let readings = Readings::default();
    /// let game = readings.replay("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 *");
    /// assert_eq!(game.replay.game.moves, "e4 e5 Nf3 Nc6 Bb5 a6");
    /// assert_eq!(game.reading.and_then(|reading| readings.language(reading)), Some("fr"));
    /// ```
    pub fn replay<'t>(&self, text: &'t str) -> ReadGame<'t> {
        caught(|| self.replay_or_panic(text)).unwrap_or_else(|bug| ReadGame::unread(text, &bug))
    }

    /// Like [`Readings::replay`], without catching panics.
    fn replay_or_panic<'t>(&self, text: &'t str) -> ReadGame<'t> {
        if !self.has_san {
            return self.try_all(text);
        }

        let english = if self.has_positions {
            replay(text)
        } else {
            replay_moves(text)
        };

        let loses_line = english
            .problems
            .iter()
            .any(|problem| problem.kind.loses_line());

        // Nearly all games are English PGN, and pay for other readings only with the look at their problems above and
        // at their letters below.
        if loses_line {
            self.try_all(text)
        } else if self.may_be_foreign(&english, text) {
            self.with_rival(text, english)
        } else {
            ReadGame::english(english)
        }
    }

    /// Returns `true` if a game's reading is known without a replay: it is English PGN, or there is no other reading.
    ///
    /// A game with an illegal move counts as English, too, although a replay might explain it in no reading.
    pub fn are_settled_for(&self, text: &str) -> bool {
        if self.count() == 1 {
            return true;
        }

        self.has_san && is_english_at_a_glance(text, &self.foreign)
    }

    /// Plays a game through under one of the equally good readings, given another one under which the moves differ.
    ///
    /// Both come from [`ReadGame::equals`] of a game that was replayed under these readings.
    pub fn replay_as<'t>(
        &self,
        text: &'t str,
        reading: ReadingId,
        rival: ReadingId,
    ) -> ReadGame<'t> {
        caught(|| self.replay_as_or_panic(text, reading, rival))
            .unwrap_or_else(|bug| ReadGame::unread(text, &bug))
    }

    /// Like [`Readings::replay_as`], without catching panics.
    fn replay_as_or_panic<'t>(
        &self,
        text: &'t str,
        reading: ReadingId,
        rival: ReadingId,
    ) -> ReadGame<'t> {
        let named = &self.named[reading.0];
        let mut script = Script::new(text);
        script.set_words_apart(&self.readings());

        let fallbacks = [FallbackReading::for_all_texts(named.reading())];
        let mut replay = follow(&script, &fallbacks).replay;
        let problem = self.ambiguous_language(&script, reading, rival);
        replay.problems.insert(0, problem);

        ReadGame {
            replay,
            reading: Some(reading),
            notation: notation(named.system, &script),
            equals: vec![reading, rival],
            is_whole: true,
            other: Some(rival),
        }
    }

    /// Plays a game through under every reading, including English, and chooses the first of the readings that explain
    /// most of it.
    fn try_all<'t>(&self, text: &'t str) -> ReadGame<'t> {
        let mut script = Script::new(text);
        let mut tried = try_readings(&self.named, &script);

        // Perhaps no reading explains the game because there are words among the moves.
        if !tried.is_whole && script.set_words_apart(&self.readings()) {
            tried = try_readings(self.distinct_readings(&script), &script);
        }

        let TriedReadings {
            mut best,
            is_whole,
            is_mixed,
        } = tried;

        let equals: Vec<ReadingId> = best.iter().map(|&(i, _)| ReadingId(i)).collect();
        let first_outcome = best.first().map(|(_, replay)| outcome(replay));
        let other = best
            .iter()
            .find(|(_, replay)| Some(outcome(replay)) != first_outcome)
            .map(|&(i, _)| ReadingId(i));

        // All readings have been tried, and those that get furthest are left: at least one.
        let (i, mut replay) = best.swap_remove(0);
        if let Some(other) = other {
            let problem = self.ambiguous_language(&script, equals[0], other);
            replay.problems.insert(0, problem);
        }

        let notation = if is_mixed {
            Some("mixed")
        } else {
            notation(self.named[i].system, &script)
        };

        ReadGame {
            replay,
            reading: Some(ReadingId(i)),
            notation,
            equals,
            is_whole,
            other,
        }
    }

    /// The readings that may differ; for a game without moves, the first represents all.
    fn distinct_readings(&self, script: &Script<'_>) -> &[NamedReading] {
        let has_moves = script.moves().next().is_some();

        if has_moves {
            &self.named
        } else {
            &self.named[..1]
        }
    }

    /// All readings, without the names of their languages.
    fn readings(&self) -> Vec<Reading<'_>> {
        self.named.iter().map(NamedReading::reading).collect()
    }

    /// Returns `true` if a language has all letters of a game that was read as English SAN.
    #[inline]
    fn may_be_foreign(&self, replay: &Replay<'_>, text: &str) -> bool {
        if text.len() > MAX_DOUBTED_BYTES {
            return false;
        }

        let Some(letters) = doubtful_letters(replay, text) else {
            return false;
        };
        self.foreign.iter().any(|&has| letters & !has == 0)
    }

    /// A game of English SAN. If another reading gives other moves, it is noted in the game, with a problem.
    #[cold]
    fn with_rival<'t>(&self, text: &'t str, english: Replay<'t>) -> ReadGame<'t> {
        let mut tried = self.try_all(text);

        // The rival of English is the chosen reading, or if its moves are the English moves, a reading with other
        // moves.
        let differing_choice = tried
            .reading
            .filter(|_| outcome(&tried.replay) != outcome(&english));
        let other = differing_choice.or(tried.other).filter(|_| tried.is_whole);

        let mut game = ReadGame::english(english);
        let Some(other) = other else {
            return game;
        };

        if !tried.equals.contains(&ReadingId::FIRST) {
            tried.equals.insert(0, ReadingId::FIRST);
        }

        let problem = self.ambiguous_language(&Script::new(text), ReadingId::FIRST, other);
        game.replay.problems.insert(0, problem);
        game.equals = tried.equals;
        game.other = Some(other);
        game
    }

    /// The problem of a game whose moves differ between two readings, at its first move.
    fn ambiguous_language(
        &self,
        script: &Script<'_>,
        first: ReadingId,
        other: ReadingId,
    ) -> Problem {
        let range = match script.moves().next() {
            Some(text) => text.range.clone(),
            None => 0..0,
        };

        let first = self.named[first.0].name();
        let other = self.named[other.0].name();

        Problem {
            kind: ProblemKind::AmbiguousLanguage,
            at: range.start,
            ply: Ply::START,
            text: script.text.get(range).unwrap_or_default().to_owned(),
            message: format!("the moves are legal in {first} and in {other}, and are not the same"),
        }
    }
}

/// The languages to try, each with its code and letters: the given letters, or all languages.
fn languages_to_try<'l>(
    letters: Option<(&'l str, &'l PieceLetters)>,
    notation: Option<Notation>,
) -> Vec<(&'l str, &'l PieceLetters)> {
    match (letters, notation) {
        // These notations have no letters of a language.
        (_, Some(Notation::Uci | Notation::Iccf)) => vec![("en", PieceLetters::english())],
        (Some(letters), _) => vec![letters],
        (None, _) => LANGUAGES
            .iter()
            .map(|language| (language.codes[0], &language.letters))
            .collect(),
    }
}

/// Returns `true` if readings have a system with these letters. Numeric notation has no letters, so one reading of it
/// serves all languages.
fn contains_reading(readings: &[NamedReading], letters: &PieceLetters, system: System) -> bool {
    readings.iter().any(|known| {
        let has_letters = system == System::Numeric || known.letters == *letters;
        known.system == system && has_letters
    })
}

impl NamedReading {
    /// The letters that the language shares with English, as bits of [`letter_bit`].
    fn english_letters(&self) -> u8 {
        let mut bits = 0;
        for role in Role::ALL {
            bits |= letter_bits(self.letters.letter(role).as_bytes());
        }

        bits
    }
}

impl<'t> ReadGame<'t> {
    /// A game that is kept as text because the work on it after the replay has panicked.
    pub fn unread(text: &'t str, bug: &Bug) -> ReadGame<'t> {
        ReadGame::english(unread(text, bug))
    }

    /// A game that was read as English PGN.
    pub(super) fn english(replay: Replay<'t>) -> ReadGame<'t> {
        ReadGame {
            replay,
            reading: None,
            notation: None,
            equals: Vec::new(),
            is_whole: true,
            other: None,
        }
    }
}

/// The moves of the game and of its variations, in a form in which two replays are compared.
fn outcome<'r>(replay: &'r Replay<'_>) -> (u64, &'r Annotations) {
    (replay.moves_hash, &replay.game.annotations)
}

/// The letters among `K R B N` that a game of English SAN has; `None` if it has a `Q`, which no other language has, or
/// no letter at all.
///
/// `P` is a pawn in English, where it is never written, and a knight in Dutch.
fn doubtful_letters(replay: &Replay<'_>, text: &str) -> Option<u8> {
    let moves = replay.game.moves.as_bytes();
    if memchr(b'Q', moves).is_some() {
        return None;
    }

    let mut letters = letter_bits(moves);
    for (_, annotation) in replay.game.annotations.iter() {
        if let Annotation::Move(san) = annotation {
            letters |= letter_bits(san.as_bytes());
        }
    }

    let is_doubtful = letters != 0 || text.as_bytes().windows(3).any(is_written_pawn_move);
    is_doubtful.then_some(letters)
}

/// Returns `true` if three bytes begin a move with the letter `P`: `Pe4`, `Pex`, `Pxe`.
fn is_written_pawn_move(part: &[u8]) -> bool {
    matches!(
        part,
        [b'P', b'a'..=b'h', b'1'..=b'8' | b'x'] | [b'P', b'x', _]
    )
}

/// The bits of all letters in a text, see [`letter_bit`].
fn letter_bits(text: &[u8]) -> u8 {
    text.iter().fold(0, |bits, &byte| bits | letter_bit(byte))
}

//! Finds the move that a text means in a position, in any system and with any letters.
//!
//! A grammar turns the text into constraints, and the legal moves that satisfy them decide. Further statements are
//! checked and noted, but never rule a move out. The result is always a legal move.
//!
//! PGN in English has its own parser, which is several times faster: [`San`](super::San).

use super::choice::Choice;
use super::constraints::MoveText;
use super::language::{PieceLetters, normalized};
use super::note::Note;
use super::san::{Resolved, rivals};
use super::suffix::{Suffix, split};
use super::symbol::{Spelling, is_dash, symbols};
use super::unread::UnreadMove;
use super::{algebraic, descriptive, numeric};
use crate::board::{Move, MoveKind, Position, Role};

/// A notation system with a grammar of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// Squares by file letter and rank digit: PGN, FIDE, long, coordinate and engine notation.
    Algebraic,
    /// Squares by the pieces that start on their files: `P-K4`, `P4R`.
    Descriptive,
    /// Squares by two digits: `5254`.
    Numeric,
}

impl System {
    /// All systems, the most common first.
    pub const ALL: [System; 3] = [System::Algebraic, System::Descriptive, System::Numeric];
}

/// The letters and system in which a text is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'l> {
    /// The piece letters. Chess symbols are accepted as well.
    pub letters: &'l PieceLetters,
    /// The notation of squares and captures.
    pub system: System,
}

/// A move that was found, and what else the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move, with the data needed to write it as SAN.
    pub resolved: Resolved,
    /// Statements that are false or doubtful.
    pub notes: Vec<Note>,
    /// The NAGs of the suffixes, as in `Nf3!` or `Rxe8+-`.
    pub nags: Vec<u8>,
    /// Whether the mover offers a draw: `(=)`.
    pub draw_offer: bool,
}

impl Found {
    /// The move.
    pub fn mv(&self) -> Move {
        self.resolved.mv
    }
}

/// Finds the one legal move that a text means.
///
/// Suffixes may be part of the text, with or without spaces: `exd6 e.p.`, `B x Kt ch`; see
/// [`is_continuation`](super::is_continuation).
///
/// # Errors
/// If the text is not a move text, or no legal move or more than one matches it.
///
/// ```
/// use stamma_chess::board::Position;
/// use stamma_chess::notation::{PieceLetters, Reading, System, read, san};
/// let position = Position::start();
/// for (text, code, system) in [
///     ("Cf3", "fr", System::Algebraic),
///     ("♘g1-f3", "ru", System::Algebraic),
///     ("Kt-KB3", "en", System::Descriptive),
///     ("C3AR", "es", System::Descriptive),
///     ("7163", "en", System::Numeric),
/// ] {
///     let letters = PieceLetters::of_language(code).unwrap();
///     let found = read(text, Reading { letters, system }, &position).unwrap();
///     assert_eq!(san(&position, found.mv()), "Nf3");
/// }
/// ```
pub fn read(text: &str, reading: Reading<'_>, position: &Position) -> Result<Found, UnreadMove> {
    let text = normalized(text.trim());
    let (core, suffix) = split(&text);
    let mut choice = Choice::default();
    gather(core, reading, position, &mut choice);
    match choice.decide(position, &suffix) {
        Ok((mv, notes)) => Ok(found(mv, notes, suffix, position)),
        Err(why) => Err(UnreadMove {
            why,
            meant: choice.meant,
        }),
    }
}

/// Checks the suffix against the position after the move.
#[inline]
fn found(mv: Move, mut notes: Vec<Note>, suffix: Suffix, position: &Position) -> Found {
    let mut nags = suffix.nags;
    if suffix.mark.is_some() || suffix.mate_or_better {
        let mut after = position.clone();
        after.play(mv);
        notes.extend(suffix.mark.and_then(|mark| mark.fault(&after)));
        if suffix.mate_or_better && !after.is_checkmate() {
            nags.push(16);
        }
    }
    if suffix.en_passant && mv.kind != MoveKind::EnPassant {
        notes.push(Note::FalseEnPassant);
    }
    let resolved = Resolved {
        mv,
        rivals: rivals(position, mv),
    };
    Found {
        resolved,
        notes,
        nags,
        draw_offer: suffix.draw_offer,
    }
}

/// Collects the legal moves that a text may mean, by the first reading that has any.
#[inline]
fn gather(core: &str, reading: Reading<'_>, position: &Position, choice: &mut Choice) {
    if let Some(special) = castling_or_null(core) {
        return choice.add(&special, position);
    }
    match reading.system {
        System::Numeric => {
            for (text, note) in numeric::parse(core, position.turn()) {
                choice.note = note;
                choice.add(&text, position);
                if !choice.is_empty() {
                    return;
                }
            }
        }
        System::Algebraic | System::Descriptive => {
            gather_spelt(core, reading, Spelling::Exact, position, choice);
            // A piece letter in lower case must not change the piece if the squares alone decide.
            if choice.is_empty() && !is_coordinates(core) {
                choice.note = Some(Note::Slip);
                gather_spelt(core, reading, Spelling::Slips, position, choice);
            }
        }
    }
}

/// Returns `true` for two squares and nothing else: `e2e4`, `e7-e8`.
fn is_coordinates(core: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    match core.as_bytes() {
        [from @ .., b'-' | b'x' | b':', f, r] if from.len() == 2 => {
            is_square(from) && is_square(&[*f, *r])
        }
        [a, b, c, d] => is_square(&[*a, *b]) && is_square(&[*c, *d]),
        _ => false,
    }
}

#[inline]
fn gather_spelt(
    core: &str,
    reading: Reading<'_>,
    spelling: Spelling,
    position: &Position,
    choice: &mut Choice,
) {
    if reading.system == System::Algebraic {
        if let Some(symbols) = symbols(core, reading.letters, spelling) {
            let texts = algebraic::parse(symbols.as_slice());
            texts
                .iter()
                .flatten()
                .for_each(|text| choice.add(text, position));
        }
        return;
    }
    if let Some(castles) = descriptive::castles(core) {
        return choice.add(&castles, position);
    }
    let core = descriptive::with_signs(core, reading.letters.letter(Role::Knight) == "N");
    if let Some(symbols) = symbols(&core, reading.letters, spelling) {
        let texts = descriptive::parse(symbols.as_slice(), position.turn());
        texts.iter().for_each(|text| choice.add(text, position));
    }
}

/// Parses `O-O` with any zeros, letters and dashes, and null moves.
#[inline]
fn castling_or_null(core: &str) -> Option<MoveText> {
    match core.as_bytes().first() {
        Some(b'a'..=b'h' | b'1'..=b'8' | b'A'..=b'N' | b'P'..=b'Y') => None,
        _ => castling_or_null_rare(core),
    }
}

fn castling_or_null_rare(core: &str) -> Option<MoveText> {
    if matches!(core, "--" | "Z0" | "null" | "0000" | "pass") {
        return Some(MoveText::Null);
    }
    let is_round = |c| matches!(c, 'O' | 'o' | '0' | 'О' | 'о' | 'Ο' | 'ο');
    let signs = core.chars().filter(|c| !c.is_whitespace());
    let mut count = 0;
    for (i, c) in signs.enumerate() {
        if !(if i % 2 == 0 { is_round(c) } else { is_dash(c) }) {
            return None;
        }
        count = i + 1;
    }
    let short = match count {
        3 => true,
        5 => false,
        _ => return None,
    };
    Some(MoveText::Castle { short: Some(short) })
}

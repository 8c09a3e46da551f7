//! Finds the move that a text means in a position, in any system and with any letters.
//!
//! A grammar turns the text into constraints, and the legal moves that satisfy the constraints decide. Other statements
//! of the text, such as check, are verified and noted, but never rule a move out. The result is always a legal move.
//!
//! PGN in English has its own parser, which is several times faster: [`San`](super::San).

use super::choice::Choice;
use super::constraints::MoveText;
use super::language::{PieceLetters, normalized};
use super::note::Note;
use super::san::{Resolved, rivals};
use super::suffix::{Suffix, split_suffix};
use super::symbol::{Spelling, is_dash, symbols};
use super::unread::UnreadMove;
use super::{algebraic, descriptive, numeric};
use crate::board::{CastlingSide, Move, MoveKind, Position, Role};

/// A notation system that has its own grammar.
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

/// A move that was found, with the notes, NAGs and draw offer of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMove {
    /// The move, with the data needed to write it as SAN.
    pub resolved: Resolved,
    /// Statements that are false or doubtful.
    pub notes: Vec<Note>,
    /// The NAGs of the suffixes, as in `Nf3!` or `Rxe8+-`.
    pub nags: Vec<u8>,
    /// `true` if the mover offers a draw: `(=)`.
    pub draw_offer: bool,
}

impl ReadMove {
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
pub fn read(text: &str, reading: Reading<'_>, position: &Position) -> Result<ReadMove, UnreadMove> {
    let text = normalized(text.trim());
    let (core, suffix) = split_suffix(&text);

    // The suffix is verified afterwards: it must not rule out a move that the squares name.
    let mut choice = Choice::default();
    collect_moves(core, reading, position, &mut choice);

    match choice.decide(position, &suffix) {
        Ok((mv, notes)) => Ok(read_move(mv, notes, suffix, position)),
        Err(why) => Err(UnreadMove {
            why,
            meant: choice.meant,
        }),
    }
}

/// The NAG of `±`, a moderate advantage for White (PGN §10).
pub(crate) const PLUS_MINUS_NAG: u8 = 16;

/// The answer for a chosen move: the notes with the faults of the suffix, checked against the position after the move.
#[inline]
fn read_move(mv: Move, mut notes: Vec<Note>, suffix: Suffix, position: &Position) -> ReadMove {
    let mut nags = suffix.nags;

    if suffix.mark.is_some() || suffix.mate_or_better {
        let mut after = position.clone();
        after.play(mv);

        notes.extend(suffix.mark.and_then(|mark| mark.fault(&after)));

        // `±` means mate only in a position that is mate; elsewhere it is a NAG.
        if suffix.mate_or_better && !after.is_checkmate() {
            nags.push(PLUS_MINUS_NAG);
        }
    }

    if suffix.en_passant && mv.kind != MoveKind::EnPassant {
        notes.push(Note::FalseEnPassant);
    }

    let resolved = Resolved {
        mv,
        rivals: rivals(position, mv),
    };

    ReadMove {
        resolved,
        notes,
        nags,
        draw_offer: suffix.draw_offer,
    }
}

/// Collects the legal moves that a text may mean, by the first reading that has any.
#[inline]
fn collect_moves(core: &str, reading: Reading<'_>, position: &Position, choice: &mut Choice) {
    if let Some(special) = castling_or_null(core) {
        return choice.add(&special, position);
    }

    match reading.system {
        System::Numeric => {
            // The most likely reading of the digits comes first, and the first with a legal move counts.
            for (text, note) in numeric::parse(core, position.turn()) {
                choice.note = note;
                choice.add(&text, position);

                if !choice.is_empty() {
                    return;
                }
            }
        }
        System::Algebraic | System::Descriptive => {
            collect_spelt(core, reading, Spelling::Exact, position, choice);

            // Slips are considered only if no legal move is spelt like this. Coordinates have no piece letter that
            // could be a slip: as a slip, they would be the move of another piece.
            if choice.is_empty() && !is_coordinates(core) {
                choice.note = Some(Note::Slip);
                collect_spelt(core, reading, Spelling::Slips, position, choice);
            }
        }
    }
}

/// Returns `true` for two squares and nothing else: `e2e4`, `e7-e8`.
fn is_coordinates(core: &str) -> bool {
    let is_square = |file: u8, rank: u8| {
        let is_file = (b'a'..=b'h').contains(&file);
        let is_rank = (b'1'..=b'8').contains(&rank);
        is_file && is_rank
    };

    match *core.as_bytes() {
        [from_file, from_rank, b'-' | b'x' | b':', to_file, to_rank]
        | [from_file, from_rank, to_file, to_rank] => {
            is_square(from_file, from_rank) && is_square(to_file, to_rank)
        }
        _ => false,
    }
}

/// Collects the legal moves of an algebraic or descriptive text, with or without slips of spelling.
#[inline]
fn collect_spelt(
    core: &str,
    reading: Reading<'_>,
    spelling: Spelling,
    position: &Position,
    choice: &mut Choice,
) {
    if reading.system == System::Algebraic {
        if let Some(symbols) = symbols(core, reading.letters, spelling) {
            for text in algebraic::parse(symbols.as_slice()).iter().flatten() {
                choice.add(text, position);
            }
        }

        return;
    }

    if let Some(castles) = descriptive::castles(core) {
        return choice.add(&castles, position);
    }

    let knight_is_n = reading.letters.letter(Role::Knight) == "N";
    let signs = descriptive::with_signs(core, knight_is_n);

    if let Some(symbols) = symbols(&signs, reading.letters, spelling) {
        for text in &descriptive::parse(symbols.as_slice(), position.turn()) {
            choice.add(text, position);
        }
    }
}

/// Parses `O-O` with any zeros, letters and dashes, and null moves.
#[inline]
fn castling_or_null(core: &str) -> Option<MoveText> {
    // Nearly every move begins with one of these characters, but no castling or null move does.
    match core.as_bytes().first() {
        Some(b'a'..=b'h' | b'1'..=b'8' | b'A'..=b'N' | b'P'..=b'Y') => None,
        _ => castling_or_null_rare(core),
    }
}

/// Like [`castling_or_null`], for any first character.
fn castling_or_null_rare(core: &str) -> Option<MoveText> {
    if matches!(core, "--" | "Z0" | "null" | "0000" | "pass") {
        return Some(MoveText::Null);
    }

    // Zeros and letters of three alphabets, Latin, Cyrillic and Greek.
    let is_round = |c| matches!(c, 'O' | 'o' | '0' | 'О' | 'о' | 'Ο' | 'ο');
    let signs = core.chars().filter(|c| !c.is_whitespace());

    let mut count = 0;
    for (i, c) in signs.enumerate() {
        let fits = if i % 2 == 0 { is_round(c) } else { is_dash(c) };
        if !fits {
            return None;
        }

        count = i + 1;
    }

    // `O-O` has three signs, `O-O-O` has five.
    let side = match count {
        3 => CastlingSide::King,
        5 => CastlingSide::Queen,
        _ => return None,
    };

    Some(MoveText::Castle(Some(side)))
}

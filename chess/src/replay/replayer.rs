//! Plays the events of a game's text on the board.
//!
//! A line is followed until a text is not a move in it. Then the line is *lost*, and the rest of it is mere text: the
//! rest of a lost variation, or after a lost mainline the rest of the game.

mod events;
mod set_up;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::board_ending::BoardEnding;
use super::game_fault::game_faults;
use super::glyphs::{is_harmless, unglue};
use super::problem::excerpt;
use super::repetition::Repetition;
use super::tags::RESERVED_TAGS;
use super::utf8::utf8;
use super::{Ending, PositionKey, Problem, ProblemKind, Replay, Visit};
use crate::board::{Color, Move, Position};
use crate::game::{Annotation, Annotations, Game, Lines, Ply, TagPair, Variant, tag_value};
use crate::notation::{MoveFault, PLUS_MINUS_NAG, Resolved, San, SanText, Unresolved, mark};
use crate::pgn::{Termination, Token, Visitor, result_length};

/// The maximum number of faults of a game reported one by one; the text after them is kept as text.
const MAX_FAULTS: usize = 1000;

/// The half-move clocks at which a player may claim a draw (FIDE Laws 9.3), and at which the game is drawn (9.6).
const FIFTY_MOVES: u32 = 2 * 50;
const SEVENTY_FIVE_MOVES: u32 = 2 * 75;

/// The earlier occurrences of a position at its third one, for which a player may claim a draw (FIDE Laws 9.2), and at
/// its fifth one, with which the game is drawn (9.6).
const BEFORE_THREEFOLD: u32 = 2;
const BEFORE_FIVEFOLD: u32 = 4;

/// Movetext below this size is mostly moves.
const SHORT_MOVETEXT_BYTES: usize = 2048;

/// A game while its events are played on the board.
pub(super) struct Replayer<'t> {
    text: &'t str,
    tags: Vec<TagPair<'t>>,
    variant: Variant,
    start: Option<Position>,
    /// The positions of the open lines, the mainline first.
    lines: Lines<Position>,
    has_variations: bool,
    /// The number of variations opened since the line was lost, which are mere text.
    lost_depth: usize,
    /// The offset at which the line was lost.
    broken: Option<usize>,
    /// The moves of the mainline, each with a space behind.
    san: Vec<u8>,
    played: Vec<Move>,
    moves_hash: u64,
    visits: Vec<Visit>,
    repetition: Repetition,
    ending: Ending,
    /// `true` if positions beyond the first are recorded, with the rules for draws that depend on them.
    has_positions: bool,
    /// `true` if the mainline's position has not occurred before.
    is_first_visit: bool,
    annotations: Annotations,
    /// The termination marker and its offset.
    termination: Option<(Termination, usize)>,
    /// The text after the termination marker.
    trailing: Option<Range<usize>>,
    problems: Vec<Problem>,
}

impl<'t> Replayer<'t> {
    pub(super) fn new(text: &'t str) -> Replayer<'t> {
        Replayer {
            text,
            tags: Vec::with_capacity(RESERVED_TAGS),
            variant: Variant::Standard,
            start: None,
            lines: Lines::new(Position::start()),
            has_variations: memchr(b'(', text.as_bytes()).is_some(),
            lost_depth: 0,
            broken: None,
            san: Vec::new(),
            played: Vec::new(),
            moves_hash: 0,
            visits: Vec::new(),
            repetition: Repetition::default(),
            ending: Ending::default(),
            has_positions: true,
            is_first_visit: false,
            annotations: Annotations::default(),
            termination: None,
            trailing: None,
            problems: Vec::new(),
        }
    }

    /// Makes room for the moves of movetext that begins at `at`: about six bytes each, and more where it is long
    /// because of comments.
    fn reserve(&mut self, at: usize) {
        let bytes = self.text.len() - at;
        let is_short = bytes < SHORT_MOVETEXT_BYTES;
        let plies = if is_short { bytes / 5 } else { bytes / 8 };
        let san_bytes = if is_short { bytes / 4 * 3 } else { bytes / 2 };

        self.san.reserve(san_bytes);
        self.played.reserve(plies);
        if self.has_positions {
            // The start is a position as well.
            self.visits.reserve(plies + 1);
            self.repetition.reserve(plies + 1);
        }
    }

    /// Records no positions but the first.
    pub(super) fn without_positions(self) -> Replayer<'t> {
        Replayer {
            has_positions: false,
            ..self
        }
    }

    /// Adds a problem at the current half-move.
    pub(super) fn problem(&mut self, kind: ProblemKind, at: usize, text: &str, message: String) {
        self.problems.push(Problem {
            kind,
            at,
            ply: self.ply(),
            text: text.to_owned(),
            message,
        });
    }

    /// Merges a fault into the last problem, and returns `true`, if both are of one kind with only white space between
    /// them.
    fn extend_problem(&mut self, kind: ProblemKind, at: usize, length: usize) -> bool {
        let Some(last) = self.problems.last_mut().filter(|last| last.kind == kind) else {
            return false;
        };

        let end = last.at + last.text.len();
        let is_adjacent = self
            .text
            .get(end..at)
            .is_some_and(|gap| gap.trim_ascii().is_empty());

        match self.text.get(end..at + length) {
            Some(more) if is_adjacent => {
                last.text.push_str(more);
                true
            }
            _ => false,
        }
    }

    /// Returns `true` in the mainline, outside variations.
    fn in_mainline(&self) -> bool {
        self.lines.depth() == 0 && self.lost_depth == 0
    }

    /// Returns `true` if the current line, or an enclosing one, is lost.
    pub(super) fn is_lost(&self) -> bool {
        self.broken.is_some()
    }

    /// Adds an annotation after the current half-move, unless the line is lost.
    fn annotate(&mut self, annotation: Annotation<'_>) {
        if !self.is_lost() {
            self.annotations.push(self.ply(), annotation);
        }
    }

    /// Adds a comment, with line breaks turned into spaces, unless the line is lost.
    fn annotate_with_comment(&mut self, text: &str) {
        if !self.is_lost() {
            self.annotations.push_unwrapped_comment(self.ply(), text);
        }
    }

    /// Removes the move just played in a variation from the text of the mainline, and adds it as an annotation.
    ///
    /// `mainline_bytes` is the length of the mainline's text before the move.
    fn annotate_with_move(&mut self, mainline_bytes: usize) {
        let san = utf8(self.san[mainline_bytes..].trim_ascii_end());

        self.annotations.push(self.ply(), Annotation::Move(san));
        self.san.truncate(mainline_bytes);
    }

    /// Records the current position of the mainline, and the rules for draws that it meets.
    fn visit(&mut self) {
        let position = self.lines.here();
        let key = PositionKey::new(position, self.variant);
        let clock = position.halfmove_clock();
        let ply = self.ply();

        let earlier = self.repetition.visit(key, clock);
        self.is_first_visit = earlier == 0;

        if self.is_first_visit {
            self.visits.push(Visit {
                key,
                check_key: position.check_key(),
                next: Visit::END,
                ply: Visit::stored_ply(ply),
            });
        }

        // Tested once for all rules, as hardly any position meets a rule.
        if earlier >= BEFORE_THREEFOLD || clock >= FIFTY_MOVES {
            let ending = &mut self.ending;
            note_first(&mut ending.threefold, earlier >= BEFORE_THREEFOLD, ply);
            note_first(&mut ending.fivefold, earlier >= BEFORE_FIVEFOLD, ply);
            note_first(&mut ending.fifty_moves, clock >= FIFTY_MOVES, ply);
            note_first(
                &mut ending.seventy_five_moves,
                clock >= SEVENTY_FIVE_MOVES,
                ply,
            );
        }
    }

    /// Plays a move in the current line, leaving its text in `self.san`.
    #[inline(always)]
    fn play(&mut self, token: Token<'_>) -> Result<Move, Option<Unresolved>> {
        let san = San::from_token(token).ok_or(None)?;
        let resolved = san.resolve(self.position()).map_err(Some)?;

        self.play_resolved(resolved);
        Ok(resolved.mv)
    }

    /// Plays a resolved move in the current line, leaving its text in `self.san`.
    #[inline(always)]
    fn play_resolved(&mut self, resolved: Resolved) {
        let mut text = SanText::new(self.lines.here(), resolved);

        let position = self.lines.next(self.has_variations);
        position.play(resolved.mv);

        if let Some(mark) = mark(position) {
            text.push(mark);
        }
        text.push(b' ');
        text.append(&mut self.san);
    }

    /// Adds a move that has been played to the mainline.
    #[inline(always)]
    fn add_to_mainline(&mut self, mv: Move) {
        self.moves_hash = fnv(self.moves_hash, u64::from(mv.code()));
        self.played.push(mv);

        if !self.has_positions {
            return;
        }

        // Only the first visit of the position that the move leaves has an entry.
        if self.is_first_visit
            && let Some(visit) = self.visits.last_mut()
        {
            visit.next = mv.code();
        }

        self.visit();
    }

    /// Plays a move that was read in any notation in the current line.
    pub(super) fn add_found(&mut self, resolved: Resolved) {
        if self.in_mainline() {
            self.play_resolved(resolved);
            self.add_to_mainline(resolved.mv);
        } else {
            let mainline_bytes = self.san.len();
            self.play_resolved(resolved);
            self.annotate_with_move(mainline_bytes);
        }
    }

    /// The position of the current line.
    pub(super) fn position(&self) -> &Position {
        self.lines.here()
    }

    /// The number of half-moves in the mainline.
    fn ply(&self) -> Ply {
        Ply::new(self.played.len() as u32)
    }

    #[inline(always)]
    fn mainline_move(&mut self, token: Token<'t>, at: usize) {
        match self.play(token) {
            Ok(mv) => self.add_to_mainline(mv),
            Err(error) => self.lose_line(token, at, error),
        }
    }

    #[inline(never)]
    fn variation_move(&mut self, token: Token<'t>, at: usize) {
        let mainline_bytes = self.san.len();

        match self.play(token) {
            Ok(_) => self.annotate_with_move(mainline_bytes),
            Err(error) => self.lose_line(token, at, error),
        }
    }

    /// Plays a move with attached text, given that it is a move text by itself.
    fn glued_move(&mut self, bare: &'t str, nag: Option<u8>, at: usize) {
        self.move_text(Token::new(bare.as_bytes()), at);

        let Some(nag) = nag else {
            return;
        };
        // `±` after a mating move means mate.
        let is_sign_of_mate = nag == PLUS_MINUS_NAG && self.position().is_checkmate();
        if !is_sign_of_mate {
            self.nag(nag, at);
        }
    }

    /// Abandons the current line at a text that is not a move in it.
    #[cold]
    fn lose_line(&mut self, token: Token<'t>, at: usize, error: Option<Unresolved>) {
        let text = utf8(token.text);

        if error.is_none() {
            if is_harmless(text) {
                return;
            }

            // A sign or word may be attached to a move text: `Rxe8+-`, `exd6ep`.
            if let Some((bare, nag)) = unglue(text) {
                return self.glued_move(bare, nag, at);
            }
        }

        let why = match error {
            None => MoveFault::NoMoveText,
            Some(Unresolved::Illegal) => MoveFault::Illegal,
            Some(Unresolved::Ambiguous) => MoveFault::Ambiguous,
        };
        self.lose_line_at(text, at, why, "");
    }

    /// Abandons the current line at a text; `more` is added to the reason.
    pub(super) fn lose_line_at(&mut self, text: &str, at: usize, why: MoveFault, more: &str) {
        let place = self.with_move_number(text);
        let side = self.position().turn().name();

        let (kind, message) = match why {
            MoveFault::NoMoveText => (
                ProblemKind::UnknownToken,
                format!("{place}: this is no move"),
            ),
            MoveFault::Illegal => (
                ProblemKind::IllegalMove,
                format!("{place}: {side} has no legal move that this can mean{more}"),
            ),
            MoveFault::Ambiguous => (
                ProblemKind::AmbiguousMove,
                format!("{place}: {side} has several legal moves that this can mean{more}"),
            ),
        };

        self.problem(kind, at, excerpt(text), message);
        self.broken = Some(at);
    }

    /// Keeps words that are not a move as a comment in their place.
    pub(super) fn keep_words(&mut self, range: Range<usize>) {
        if self.is_lost() {
            return;
        }

        let at = range.start;
        let Some(words) = self.text.get(range) else {
            return;
        };

        let message = format!("{}: this is no move", self.with_move_number(words));
        self.problem(ProblemKind::UnknownToken, at, excerpt(words), message);
        self.annotate_with_comment(words);
        self.limit_faults(at);
    }

    /// Ends the line at a fault if there have been too many.
    fn limit_faults(&mut self, at: usize) {
        if self.problems.len() > MAX_FAULTS {
            self.broken = Some(at);
        }
    }

    /// A text with its move number: `2... Nf7`.
    pub(super) fn with_move_number(&self, text: &str) -> String {
        let position = self.position();
        let number = position.fullmove_number();
        let dots = match position.turn() {
            Color::White => ".",
            Color::Black => "...",
        };

        format!("{number}{dots} {}", excerpt(text))
    }

    /// The replayed game, with the problems that are known at its end.
    pub(super) fn finish(self) -> Replay<'t> {
        let text = self.text;
        let (at, terminator) = self.terminator();
        let is_lost = self.is_lost();

        let mut replay = self.into_replay();

        // The last position of a lost mainline is not the end of the game.
        let ending = if replay.game.is_played && !is_lost {
            BoardEnding::of(&replay.last)
        } else {
            None
        };
        replay.ending.board = ending.map(BoardEnding::name);

        let faults = game_faults(&replay, ending, text, at, terminator);
        replay.problems.extend(faults);

        // The sort is stable, so problems of one place stay in the order in which they were found.
        replay.problems.sort_by_key(|problem| problem.at);

        replay
    }

    /// The replayed game, with the problems of its events, and without its ending on the board.
    fn into_replay(mut self) -> Replay<'t> {
        let rest = self.rest().map(|rest| &self.text[rest]);
        let last = self.lines.into_here();

        let is_played = !self.visits.is_empty();

        let start_fen = self.start.as_ref().map(Position::fen);
        let start = start_fen.filter(|fen| fen != STANDARD_START_FEN);

        self.san.truncate(self.san.trim_ascii_end().len());
        let moves = String::from_utf8(self.san).expect("canonical SAN is ASCII");

        let termination = self.termination.map(|(termination, _)| termination);
        let result = game_result(&self.tags, termination);

        let game = Game {
            tags: self.tags,
            variant: self.variant,
            start: start.map(Cow::Owned),
            is_played,
            moves: Cow::Owned(moves),
            annotations: Cow::Owned(self.annotations),
            rest: rest.map(Cow::Borrowed),
            result,
            termination,
        };

        Replay {
            game,
            start: self.start,
            played: self.played,
            visits: self.visits,
            moves_hash: self.moves_hash,
            last,
            ending: self.ending,
            problems: self.problems,
        }
    }

    /// The range of unused text: from the place where the mainline was lost, to the end of the text after the
    /// termination marker.
    fn rest(&self) -> Option<Range<usize>> {
        let end = self.termination.map_or(self.text.len(), |(_, at)| at);
        let unplayed = match self.broken {
            Some(start) => trimmed(self.text, start..end),
            None => None,
        };

        joined_ranges(unplayed, self.trailing.clone())
    }

    /// The offset and text of the termination marker; the end of the text if there is none.
    fn terminator(&self) -> (usize, &'t str) {
        let at = self.termination.map_or(self.text.len(), |(_, at)| at);
        let rest = &self.text[at..];

        // `*` is no score: like any other text, it ends at white space or a sign.
        let end_of_word = |c: char| c.is_whitespace() || "{;()".contains(c);
        let length = result_length(rest)
            .or_else(|| rest.find(end_of_word))
            .unwrap_or(rest.len());

        (at, excerpt(&rest[..length]))
    }
}

/// The result of a game: the result of its `Result` tag, or if there is none, of its termination marker.
pub(super) fn game_result(tags: &[TagPair<'_>], termination: Option<Termination>) -> Termination {
    tag_value(tags, "Result")
        .and_then(Termination::from_text)
        .or(termination)
        .unwrap_or(Termination::Unknown)
}

/// The range of unplayed movetext, of the text after the termination marker, or from the one to the other.
pub(super) fn joined_ranges(
    unplayed: Option<Range<usize>>,
    trailing: Option<Range<usize>>,
) -> Option<Range<usize>> {
    match (unplayed, trailing) {
        (Some(unplayed), Some(trailing)) => Some(unplayed.start..trailing.end),
        (unplayed, trailing) => unplayed.or(trailing),
    }
}

/// Sets the half-move at which a rule first applies.
fn note_first(rule: &mut Option<Ply>, applies: bool, ply: Ply) {
    if applies && rule.is_none() {
        *rule = Some(ply);
    }
}

/// The FEN of the standard start position, which a game does not store.
const STANDARD_START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The parameters of 64-bit FNV-1a.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// Adds a value to a 64-bit FNV-1a hash.
fn fnv(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(FNV_PRIME)
}

/// The range of a part of a text without white space at its ends; `None` if nothing is left.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;

    let leading_bytes = part.len() - part.trim_ascii_start().len();
    let start = range.start + leading_bytes;
    let end = start + part.trim_ascii().len();

    if start < end { Some(start..end) } else { None }
}

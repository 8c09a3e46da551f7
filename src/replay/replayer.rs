//! Follows the events of a game's text on the board.
//!
//! A line is followed until a text is no move in it; then it is *lost*, and what remains of it is but
//! text. A lost variation costs its own rest, a lost mainline the rest of the game.

mod set_up;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::game_fault::game_faults;
use super::glyphs::{glyph_nag, is_harmless, unglue};
use super::problem::excerpt;
use super::repetition::Repetition;
use super::utf8::utf8;
use super::{Ending, MAX_DEPTH, PositionKey, Problem, ProblemKind, Replay, Visit};
use crate::board::{Color, Move, Position};
use crate::game::{Annotation, Annotations, Game, Lines, TagPair, Variant, tag_value};
use crate::notation::{MoveFault, Resolved, San, Unresolved, mark, write_san};
use crate::pgn::{Fault, Termination, Token, Visitor, result_length, unescape};

/// Faults of a game's text that are told one by one; what follows is kept as text.
const MAX_FAULTS: usize = 1000;

pub(super) struct Replayer<'t> {
    text: &'t str,
    tags: Vec<TagPair<'t>>,
    variant: Variant,
    start: Option<Position>,
    /// The positions of the lines that are being read, the mainline first.
    lines: Lines<Position>,
    has_variations: bool,
    /// Variations that have been opened since the line was lost, which are but text.
    lost_depth: usize,
    broken: Option<usize>,
    san: Vec<u8>,
    played: Vec<Move>,
    moves_hash: u64,
    visits: Vec<Visit>,
    repetition: Repetition,
    ending: Ending,
    /// Whether positions are wanted beyond the first, and what depends on them.
    has_positions: bool,
    /// Whether the position of the mainline is a first visit.
    is_first_visit: bool,
    annotations: Annotations,
    termination: Option<(Termination, usize)>,
    trailing: Option<Range<usize>>,
    problems: Vec<Problem>,
}

impl<'t> Replayer<'t> {
    pub(super) fn new(text: &'t str) -> Replayer<'t> {
        Replayer {
            text,
            tags: Vec::with_capacity(16),
            variant: Variant::Standard,
            start: None,
            lines: Lines::new(Position::start()),
            has_variations: memchr(b'(', text.as_bytes()).is_some(),
            lost_depth: 0,
            broken: None,
            san: Vec::with_capacity(text.len() / 2),
            played: Vec::with_capacity(text.len() / 8),
            moves_hash: 0,
            visits: Vec::with_capacity(text.len() / 8),
            repetition: Repetition::with_capacity(text.len() / 8),
            ending: Ending::default(),
            has_positions: true,
            is_first_visit: false,
            annotations: Annotations::default(),
            termination: None,
            trailing: None,
            problems: Vec::new(),
        }
    }

    /// Takes no note of positions but the first.
    pub(super) fn without_positions(self) -> Replayer<'t> {
        Replayer { has_positions: false, ..self }
    }

    pub(super) fn problem(&mut self, kind: ProblemKind, at: usize, text: &str, message: String) {
        let text = text.to_owned();
        let ply = self.plies();
        self.problems.push(Problem { kind, at, ply, text, message });
    }

    /// Takes a fault into the one before, if that is of the same kind and stands right before it.
    fn extend_problem(&mut self, kind: ProblemKind, at: usize, length: usize) -> bool {
        let Some(last) = self.problems.last_mut() else { return false };
        let end = last.at + last.text.len();
        match self.text.get(end..at + length) {
            Some(more) if last.kind == kind && self.text[end..at].trim_ascii().is_empty() => {
                last.text.push_str(more);
                true
            }
            _ => false,
        }
    }

    /// `true` when the mainline is being read, and not a variation.
    fn in_mainline(&self) -> bool {
        self.lines.depth() == 0 && self.lost_depth == 0
    }

    /// `true` when the line that is being read, or one around it, can be followed no further.
    pub(super) fn is_lost(&self) -> bool {
        self.broken.is_some()
    }

    fn annotate(&mut self, annotation: Annotation<'_>) {
        if !self.is_lost() {
            self.annotations.push(self.plies(), annotation);
        }
    }

    fn annotate_with_comment(&mut self, text: &str) {
        if !self.is_lost() {
            self.annotations.push_unwrapped_comment(self.plies(), text);
        }
    }

    /// Takes the move that has just been played in a variation off the texts of moves, which are of the mainline.
    fn annotate_with_move(&mut self, mainline_bytes: usize) {
        let san = Annotation::Move(utf8(&self.san[mainline_bytes..]));
        self.annotations.push(self.played.len() as u32, san);
        self.san.truncate(mainline_bytes);
    }

    fn visit(&mut self) {
        let position = self.lines.here();
        let key = PositionKey::new(position, self.variant);
        let (clock, ply) = (position.halfmove_clock(), self.plies());
        let earlier = self.repetition.visit(key, clock);
        self.is_first_visit = earlier == 0;
        if self.is_first_visit {
            let check_key = position.check_key();
            self.visits.push(Visit { key, check_key, next: Visit::END });
        }
        if earlier >= 2 || clock >= 100 {
            let ending = &mut self.ending;
            let note = |rule: &mut Option<u32>, applies| {
                if applies && rule.is_none() {
                    *rule = Some(ply);
                }
            };
            note(&mut ending.threefold, earlier >= 2);
            note(&mut ending.fivefold, earlier >= 4);
            note(&mut ending.fifty_moves, clock >= 100);
            note(&mut ending.seventy_five_moves, clock >= 150);
        }
    }

    /// Plays a move in the line that is being read; its text is left in `self.san`.
    #[inline]
    fn play(&mut self, token: Token<'_>) -> Result<Move, Option<Unresolved>> {
        let san = San::from_token(token).ok_or(None)?;
        let resolved = san.resolve(self.position()).map_err(Some)?;
        self.play_resolved(resolved);
        Ok(resolved.mv)
    }

    #[inline(always)]
    fn play_resolved(&mut self, resolved: Resolved) {
        write_san(self.lines.here(), resolved, &mut self.san);
        let play = |position: &mut Position| position.play(resolved.mv);
        if self.has_variations {
            self.lines.play(play);
        } else {
            self.lines.play_last(play);
        }
        self.san.extend(mark(self.lines.here()));
    }

    /// Takes a move that has been played into the mainline.
    #[inline(always)]
    fn add_to_mainline(&mut self, mv: Move) {
        self.moves_hash = fnv(self.moves_hash, u64::from(mv.code()));
        if self.is_first_visit
            && let Some(visit) = self.visits.last_mut()
        {
            visit.next = mv.code();
        }
        self.played.push(mv);
        if self.has_positions {
            self.visit();
        }
    }

    /// Plays a move that was found in any notation, in the line that is being read.
    pub(super) fn add_found(&mut self, resolved: Resolved) {
        if self.in_mainline() {
            if !self.san.is_empty() {
                self.san.push(b' ');
            }
            self.play_resolved(resolved);
            return self.add_to_mainline(resolved.mv);
        }
        let mainline = self.san.len();
        self.play_resolved(resolved);
        self.annotate_with_move(mainline);
    }

    /// The position in the line that is being read.
    pub(super) fn position(&self) -> &Position {
        self.lines.here()
    }

    /// The half-moves of the mainline.
    fn plies(&self) -> u32 {
        self.played.len() as u32
    }

    #[inline]
    fn mainline_move(&mut self, token: Token<'t>, at: usize) {
        if !self.san.is_empty() {
            self.san.push(b' ');
        }
        match self.play(token) {
            Ok(mv) => self.add_to_mainline(mv),
            Err(error) => {
                if self.san.last() == Some(&b' ') {
                    self.san.pop();
                }
                self.lose(token, at, error);
            }
        }
    }

    fn variation_move(&mut self, token: Token<'t>, at: usize) {
        let mainline = self.san.len();
        match self.play(token) {
            Ok(_) => self.annotate_with_move(mainline),
            Err(error) => self.lose(token, at, error),
        }
    }

    /// A move with something glued to it, which is known to be a move text by itself.
    fn glued_move(&mut self, bare: &'t str, nag: Option<u8>, at: usize) {
        self.move_text(Token::new(bare.as_bytes()), at);
        // `±` behind a mate is another sign for it.
        if let Some(nag) = nag.filter(|&nag| nag != 16 || !self.position().is_checkmate()) {
            self.nag(nag, at);
        }
    }

    /// Gives up the line that is being read at a text that is no move in it.
    #[cold]
    fn lose(&mut self, token: Token<'t>, at: usize, error: Option<Unresolved>) {
        let text = utf8(token.text);
        if error.is_none() {
            if is_harmless(text) {
                return;
            }
            if let Some((bare, nag)) = unglue(text) {
                return self.glued_move(bare, nag, at);
            }
        }
        let why = match error {
            None => MoveFault::NoMoveText,
            Some(Unresolved::Illegal) => MoveFault::Illegal,
            Some(Unresolved::Ambiguous) => MoveFault::Ambiguous,
        };
        self.lose_at(text, at, why, "");
    }

    /// Gives up the line that is being read; `more` is said of the reason.
    pub(super) fn lose_at(&mut self, text: &str, at: usize, why: MoveFault, more: &str) {
        let (side, place) = (self.position().turn().name(), self.place(text));
        let (kind, message) = match why {
            MoveFault::NoMoveText => {
                (ProblemKind::UnknownToken, format!("{place}: this is no move"))
            }
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

    /// Keeps words that are no move as a comment where they stand.
    pub(super) fn keep_words(&mut self, range: Range<usize>) {
        let (text, at) = (self.text, range.start);
        if let Some(words) = text.get(range).filter(|_| !self.is_lost()) {
            let message = format!("{}: this is no move", self.place(words));
            self.problem(ProblemKind::UnknownToken, at, excerpt(words), message);
            self.annotate_with_comment(words);
            self.limit_faults(at);
        }
    }

    /// Ends the line at a fault when there have been too many.
    fn limit_faults(&mut self, at: usize) {
        if self.problems.len() > MAX_FAULTS {
            self.broken = Some(at);
        }
    }

    /// A text with the number of its move: `2... Nf7`.
    pub(super) fn place(&self, text: &str) -> String {
        let dots = if self.position().turn() == Color::White { "." } else { "..." };
        format!("{}{dots} {}", self.position().fullmove_number(), excerpt(text))
    }

    pub(super) fn finish(self) -> Replay<'t> {
        let rest = self.rest();
        let (at, terminator) = self.terminator();
        let termination = self.termination.map(|(termination, _)| termination);
        let tagged = tag_value(&self.tags, "Result").and_then(Termination::from_text);
        let last = self.lines.into_here();
        let is_played = !self.visits.is_empty();
        let mut ending = self.ending;
        if is_played && self.broken.is_none() {
            ending.board = board_ending(&last);
        }
        let start = self.start.as_ref().map(Position::fen).filter(|fen| fen != USUAL_START);
        let moves = String::from_utf8(self.san).expect("canonical SAN is ASCII");
        let game = Game {
            tags: self.tags,
            variant: self.variant,
            start: start.map(Cow::Owned),
            is_played,
            moves: Cow::Owned(moves),
            annotations: Cow::Owned(self.annotations),
            rest: rest.map(|rest| Cow::Borrowed(&self.text[rest])),
            result: tagged.or(termination).unwrap_or(Termination::Unknown),
            termination,
        };
        let (start, played, visits, moves_hash) =
            (self.start, self.played, self.visits, self.moves_hash);
        let mut problems = self.problems;
        let mut replay =
            Replay { game, start, played, visits, moves_hash, last, ending, problems: Vec::new() };
        problems.extend(game_faults(&replay, self.text, at, terminator));
        problems.sort_by_key(|problem| problem.at);
        replay.problems = problems;
        replay
    }

    /// What could not be used of the text.
    fn rest(&self) -> Option<Range<usize>> {
        let end = self.termination.map_or(self.text.len(), |(_, at)| at);
        let rest = self.broken.and_then(|start| trimmed(self.text, start..end));
        let Some(trailing) = self.trailing.clone() else { return rest };
        Some(rest.map_or(trailing.start, |rest| rest.start)..trailing.end)
    }

    /// Where the terminator stands, and how it is written; the end where there is none.
    fn terminator(&self) -> (usize, &'t str) {
        let at = self.termination.map_or(self.text.len(), |(_, at)| at);
        let rest = &self.text[at..];
        let word = || rest.find(|c: char| c.is_whitespace() || "{;()".contains(c));
        let end = result_length(rest).or_else(word);
        (at, excerpt(&rest[..end.unwrap_or(rest.len())]))
    }
}

/// The FEN of the usual start position.
const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3)
}

fn board_ending(position: &Position) -> Option<&'static str> {
    if position.is_insufficient_material() {
        return Some("insufficient-material");
    }
    match (position.has_legal_move(), position.is_check()) {
        (true, _) => None,
        (false, true) => Some("checkmate"),
        (false, false) => Some("stalemate"),
    }
}

/// The part of a text without white space at its ends, if anything is left.
fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let start = range.start + part.len() - part.trim_ascii_start().len();
    let end = start + part.trim_ascii().len();
    (start < end).then_some(start..end)
}

impl<'t> Visitor<'t> for Replayer<'t> {
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], _at: usize) {
        let value = match unescape(value) {
            Cow::Borrowed(value) => Cow::Borrowed(utf8(value)),
            Cow::Owned(value) => Cow::Owned(utf8(&value).to_owned()),
        };
        self.tags.push(TagPair::new(utf8(name), value));
    }

    fn movetext(&mut self, at: usize) {
        self.set_up(at);
    }

    #[inline]
    fn move_text(&mut self, token: Token<'t>, at: usize) {
        if self.is_lost() {
            return;
        }
        if let Some(nag) = glyph_nag(token) {
            self.nag(nag, at);
        } else if self.in_mainline() {
            self.mainline_move(token, at);
        } else {
            self.variation_move(token, at);
        }
    }

    fn nag(&mut self, nag: u8, _at: usize) {
        self.annotate(Annotation::Nag(nag));
    }

    fn comment(&mut self, text: &'t [u8], _at: usize) {
        self.annotate_with_comment(utf8(text));
    }

    fn escaped_line(&mut self, text: &'t [u8], _at: usize) {
        self.annotate(Annotation::EscapedLine(utf8(text)));
    }

    fn begin_variation(&mut self, at: usize) {
        if !self.is_lost() && self.lines.depth() == MAX_DEPTH {
            let message = format!("this variation stands inside {MAX_DEPTH} others");
            self.problem(ProblemKind::DeepVariation, at, "(", message);
            self.broken = Some(at);
        }
        if self.is_lost() {
            self.lost_depth += 1;
            return;
        }
        self.annotate(Annotation::BeginVariation);
        self.lines.begin_variation();
    }

    fn end_variation(&mut self, at: usize) {
        if self.lost_depth > 0 {
            self.lost_depth -= 1;
            return;
        }
        if !self.lines.end_variation() {
            return;
        }
        // The mainline is not lost, or this variation would have been but text.
        if let Some(start) = self.broken.take()
            && let Some(rest) = trimmed(self.text, start..at)
        {
            self.annotate_with_comment(&self.text[rest]);
        }
        self.annotate(Annotation::EndVariation);
    }

    fn termination(&mut self, termination: Termination, at: usize) {
        if self.in_mainline() {
            self.termination = Some((termination, at));
        } else {
            self.annotate(Annotation::Comment(termination.as_str()));
        }
    }

    fn trailing(&mut self, text: &'t [u8], at: usize) {
        let message = "there is text after the end of the game".to_owned();
        self.problem(ProblemKind::TextAfterEnd, at, excerpt(utf8(text)), message);
        self.trailing = Some(at..at + text.len());
    }

    fn fault(&mut self, fault: Fault, text: &'t [u8], at: usize) {
        let (kind, message) = match fault {
            Fault::InvalidTag => {
                (ProblemKind::InvalidTag, "this is no tag pair like [Name \"value\"]")
            }
            Fault::UnclosedTag => (ProblemKind::InvalidTag, "the tag pair has no closing ]"),
            Fault::UnclosedComment => {
                (ProblemKind::UnclosedComment, "the comment has no closing }")
            }
            Fault::UnclosedVariation => {
                (ProblemKind::UnclosedVariation, "a variation has no closing )")
            }
            Fault::StrayParenthesis => (ProblemKind::StrayParenthesis, "a ) closes no variation"),
            Fault::StrayBrace => (ProblemKind::StrayBrace, "a } closes no comment"),
            Fault::InvalidNag => (ProblemKind::InvalidNag, "a $ without a number from 0 to 255"),
            Fault::EscapedNag => {
                (ProblemKind::InvalidNag, "a NAG has a backslash before it, and is read without it")
            }
        };
        if self.is_lost() {
            return;
        }
        if matches!(fault, Fault::InvalidTag | Fault::InvalidNag) {
            self.comment(text, at);
        }
        if self.extend_problem(kind, at, text.len()) {
            return;
        }
        self.problem(kind, at, utf8(text), message.to_owned());
        self.limit_faults(at);
    }
}

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
use crate::game::{Annotation, Annotations, Variant};
use crate::notation::{MoveFault, Resolved, San, Unresolved, mark, write_san};
use crate::pgn::{Fault, Termination, Token, Visitor, result_length, unescape};

/// A line that is interrupted by a variation.
struct Line {
    position: Position,
    previous: Position,
}

/// Faults of a game's text that are told one by one; what follows is kept as text.
const MAX_FAULTS: usize = 1000;

pub(super) struct Replayer<'t> {
    text: &'t str,
    game: Replay<'t>,
    /// The position before the last move; kept up only when there are variations.
    previous: Position,
    has_variations: bool,
    /// The lines around the one that is being read, the mainline first.
    around: Vec<Line>,
    /// Variations that have been opened since the line was lost, which are but text.
    lost_depth: usize,
    broken: Option<usize>,
    san: Vec<u8>,
    repetition: Repetition,
    /// Whether positions are wanted beyond the first, and what depends on them.
    has_positions: bool,
    /// Whether the position that stands now is a first visit.
    is_first_visit: bool,
    termination_at: Option<usize>,
    trailing: Option<Range<usize>>,
}

impl<'t> Replayer<'t> {
    pub(super) fn new(text: &'t str) -> Replayer<'t> {
        let game = Replay {
            tags: Vec::with_capacity(16),
            variant: Variant::Standard,
            start: None,
            moves: String::new(),
            played: Vec::with_capacity(text.len() / 8),
            plies: 0,
            visits: Vec::with_capacity(text.len() / 8),
            moves_hash: 0,
            annotations: Annotations::default(),
            termination: None,
            rest: None,
            last: Position::start(),
            ending: Ending::default(),
            problems: Vec::new(),
        };
        Replayer {
            text,
            game,
            previous: Position::start(),
            has_variations: memchr(b'(', text.as_bytes()).is_some(),
            around: Vec::new(),
            lost_depth: 0,
            broken: None,
            san: Vec::with_capacity(text.len() / 2),
            repetition: Repetition::with_capacity(text.len() / 8),
            has_positions: true,
            is_first_visit: false,
            termination_at: None,
            trailing: None,
        }
    }

    /// Takes no note of positions but the first.
    pub(super) fn without_positions(self) -> Replayer<'t> {
        Replayer { has_positions: false, ..self }
    }

    pub(super) fn problem(&mut self, kind: ProblemKind, at: usize, text: &str, message: String) {
        let text = text.to_owned();
        self.game.problems.push(Problem { kind, at, ply: self.game.plies, text, message });
    }

    /// Takes a fault into the one before, if that is of the same kind and stands right before it.
    fn extend_problem(&mut self, kind: ProblemKind, at: usize, length: usize) -> bool {
        let Some(last) = self.game.problems.last_mut() else { return false };
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
        self.around.is_empty() && self.lost_depth == 0
    }

    /// `true` when the line that is being read, or one around it, can be followed no further.
    pub(super) fn is_lost(&self) -> bool {
        self.broken.is_some()
    }

    fn annotate(&mut self, annotation: Annotation<'_>) {
        if !self.is_lost() {
            self.game.annotations.push(self.game.plies, annotation);
        }
    }

    fn annotate_with_comment(&mut self, text: &str) {
        if !self.is_lost() {
            self.game.annotations.push_unwrapped_comment(self.game.plies, text);
        }
    }

    /// Takes the move that has just been played in a variation off the texts of moves, which are of the mainline.
    fn annotate_with_move(&mut self, mainline_bytes: usize) {
        let san = Annotation::Move(utf8(&self.san[mainline_bytes..]));
        self.game.annotations.push(self.game.plies, san);
        self.san.truncate(mainline_bytes);
    }

    fn visit(&mut self) {
        let position = &self.game.last;
        let key = PositionKey::new(position, self.game.variant);
        let (clock, ply) = (position.halfmove_clock(), self.game.plies);
        let earlier = self.repetition.visit(key, clock);
        self.is_first_visit = earlier == 0;
        if self.is_first_visit {
            let check_key = position.check_key();
            self.game.visits.push(Visit { key, check_key, next: Visit::END });
        }
        if earlier >= 2 || clock >= 100 {
            let ending = &mut self.game.ending;
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
        let resolved = san.resolve(&self.game.last).map_err(Some)?;
        self.play_resolved(resolved);
        Ok(resolved.mv)
    }

    #[inline(always)]
    fn play_resolved(&mut self, resolved: Resolved) {
        if self.has_variations {
            self.previous.clone_from(&self.game.last);
        }
        write_san(&self.game.last, resolved, &mut self.san);
        self.game.last.play(resolved.mv);
        self.san.extend(mark(&self.game.last));
    }

    /// Takes a move that has been played into the mainline.
    #[inline(always)]
    fn add_to_mainline(&mut self, mv: Move) {
        self.game.moves_hash = fnv(self.game.moves_hash, u64::from(mv.code()));
        if self.is_first_visit
            && let Some(visit) = self.game.visits.last_mut()
        {
            visit.next = mv.code();
        }
        self.game.played.push(mv);
        self.game.plies += 1;
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
        &self.game.last
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
        if let Some(nag) = nag.filter(|&nag| nag != 16 || !self.game.last.is_checkmate()) {
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
        let (side, place) = (self.game.last.turn().name(), self.place(text));
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
        if self.game.problems.len() > MAX_FAULTS {
            self.broken = Some(at);
        }
    }

    /// A text with the number of its move: `2... Nf7`.
    pub(super) fn place(&self, text: &str) -> String {
        let dots = if self.game.last.turn() == Color::White { "." } else { "..." };
        format!("{}{dots} {}", self.game.last.fullmove_number(), excerpt(text))
    }

    pub(super) fn finish(mut self) -> Replay<'t> {
        let end = self.termination_at.unwrap_or(self.text.len());
        if let Some(start) = self.broken {
            self.game.rest = trimmed(self.text, start..end);
        }
        if let Some(trailing) = self.trailing.take() {
            let start = self.game.rest.as_ref().map_or(trailing.start, |rest| rest.start);
            self.game.rest = Some(start..trailing.end);
        }
        self.game.moves =
            String::from_utf8(std::mem::take(&mut self.san)).expect("canonical SAN is ASCII");
        let playable = !self.game.visits.is_empty();
        if playable && self.broken.is_none() {
            self.game.ending.board = board_ending(&self.game.last);
        }
        let (at, terminator) = self.terminator();
        self.game.problems.extend(game_faults(&self.game, self.text, at, terminator));
        self.game.problems.sort_by_key(|problem| problem.at);
        self.game
    }

    /// Where the terminator stands, and how it is written; the end where there is none.
    fn terminator(&self) -> (usize, &'t str) {
        let at = self.termination_at.unwrap_or(self.text.len());
        let rest = &self.text[at..];
        let word = || rest.find(|c: char| c.is_whitespace() || "{;()".contains(c));
        let end = result_length(rest).or_else(word);
        (at, excerpt(&rest[..end.unwrap_or(rest.len())]))
    }
}

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
        self.game.tags.push((utf8(name), value));
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
        if !self.is_lost() && self.around.len() == MAX_DEPTH {
            let message = format!("this variation stands inside {MAX_DEPTH} others");
            self.problem(ProblemKind::DeepVariation, at, "(", message);
            self.broken = Some(at);
        }
        if self.is_lost() {
            self.lost_depth += 1;
            return;
        }
        self.annotate(Annotation::BeginVariation);
        let position = std::mem::replace(&mut self.game.last, self.previous.clone());
        self.around.push(Line { position, previous: self.previous.clone() });
    }

    fn end_variation(&mut self, at: usize) {
        if self.lost_depth > 0 {
            self.lost_depth -= 1;
            return;
        }
        let Some(line) = self.around.pop() else { return };
        self.game.last = line.position;
        self.previous = line.previous;
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
            self.game.termination = Some(termination);
            self.termination_at = Some(at);
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

//! Plays a game through under one reading of its moves.

use super::reading::TextFeatures;
use super::replayer::Replayer;
use super::script::{Event, MoveWords, Script};
use super::{ProblemKind, Replay};
use crate::notation::{MoveFault, Note, PieceLetters, ReadMove, Reading, UnreadMove, read, san};
use crate::pgn::{Termination, Visitor};

/// Plays a game through under a reading that explains all of it.
///
/// # Errors
/// If a text means no move, or only as a slip: the number of events before it, and the reason.
pub(super) fn follow_whole<'t>(
    script: &Script<'t>,
    reading: Reading<'_>,
) -> Result<Replay<'t>, (usize, Option<MoveFault>)> {
    let mut replayer = Replayer::new(script.text);

    for (number, event) in script.events.iter().enumerate() {
        let Some(text) = replayer.move_or_pass_on(event) else {
            continue;
        };

        match replayer.follow(text, reading) {
            Ok(()) => {}
            Err(Fault::NoMove(error)) => return Err((number, Some(error.why))),
            Err(Fault::Slip(_)) => return Err((number, None)),
        }
    }

    Ok(replayer.finish())
}

/// A reading, and the texts it applies to.
#[derive(Clone)]
pub(super) struct FallbackReading<'l> {
    pub(super) reading: Reading<'l>,
    /// Restricts the reading to texts that each of these languages cannot read, because it lacks a capital of the text.
    pub(super) unlike: Vec<&'l PieceLetters>,
}

impl<'l> FallbackReading<'l> {
    /// Applies the reading to all texts.
    pub(super) fn for_all_texts(reading: Reading<'l>) -> FallbackReading<'l> {
        FallbackReading {
            reading,
            unlike: Vec::new(),
        }
    }

    /// Returns `true` if the reading applies to a text.
    fn applies_to(&self, text: &MoveWords<'_>) -> bool {
        if self.unlike.is_empty() {
            return true;
        }

        let features = TextFeatures::of([&*text.words]);
        !self.unlike.iter().any(|letters| features.are_in(letters))
    }
}

/// A game, played as far as possible.
pub(super) struct Followed<'t> {
    pub(super) replay: Replay<'t>,
    /// The number of the first event at which a line was lost; the number of all events if none was.
    pub(super) lost_at: usize,
    /// The number of the first event read by a later fallback.
    pub(super) other_at: Option<usize>,
}

/// Plays a game through, reading each text by the first fallback that explains it; slips are accepted and noted.
pub(super) fn follow<'t>(script: &Script<'t>, fallbacks: &[FallbackReading<'_>]) -> Followed<'t> {
    let mut replayer = Replayer::new(script.text);
    let mut lost_at = None;
    let mut other_at = None;

    for (number, event) in script.events.iter().enumerate() {
        let Some(text) = replayer.move_or_pass_on(event) else {
            continue;
        };

        match replayer.follow_any(text, fallbacks) {
            Ok(fallback) => {
                let is_other = !fallback.unlike.is_empty();
                if is_other && other_at.is_none() {
                    other_at = Some(number);
                }
            }
            Err(Fault::Slip(found)) => replayer.add_move(text, *found),
            Err(Fault::NoMove(error)) => {
                replayer.lose_text(text, error);
                lost_at.get_or_insert(number);
            }
        }
    }

    Followed {
        replay: replayer.finish(),
        lost_at: lost_at.unwrap_or(script.events.len()),
        other_at,
    }
}

/// The reason why a text is not followed.
enum Fault {
    NoMove(UnreadMove),
    /// The text means a move only if it is misspelt.
    Slip(Box<ReadMove>),
}

impl<'t> Replayer<'t> {
    /// The fallback reading that explains a text.
    ///
    /// # Errors
    /// The fault under the first reading, if none explains the text.
    fn follow_any<'s, 'l>(
        &mut self,
        text: &MoveWords<'_>,
        fallbacks: &'s [FallbackReading<'l>],
    ) -> Result<&'s FallbackReading<'l>, Fault> {
        let mut first_fault = None;

        for fallback in fallbacks {
            if !fallback.applies_to(text) {
                continue;
            }

            match self.follow(text, fallback.reading) {
                Ok(()) => return Ok(fallback),
                Err(fault) => _ = first_fault.get_or_insert(fault),
            }
        }

        Err(first_fault.unwrap_or(Fault::NoMove(UnreadMove {
            why: MoveFault::NoMoveText,
            meant: None,
        })))
    }

    /// Plays the move that a text means under a reading.
    fn follow(&mut self, text: &MoveWords<'_>, reading: Reading<'_>) -> Result<(), Fault> {
        match read(&text.words, reading, self.position()) {
            Ok(found) if found.notes.contains(&Note::Slip) => {
                return Err(Fault::Slip(Box::new(found)));
            }
            Ok(found) => self.add_move(text, found),
            // A loss for both sides, for which PGN has no result. Castling is impossible here.
            Err(_) if text.may_be_result && matches!(&*text.words, "0-0" | "0–0" | "0:0") => {
                self.comment(b"0-0", text.range.start);
                self.termination(Termination::Unknown, text.range.start);
            }
            Err(error) => return Err(Fault::NoMove(error)),
        }

        Ok(())
    }

    /// Plays a move, and adds the problems, NAGs and the draw offer in its text.
    fn add_move(&mut self, text: &MoveWords<'_>, found: ReadMove) {
        let at = text.range.start;

        for &note in &found.notes {
            if let Some(kind) = problem_kind(note) {
                let message = format!("{}: {note}", self.with_move_number(&text.words));
                self.problem(kind, at, &text.words, message);
            }
        }

        self.add_found(found.resolved);

        for nag in found.nags {
            self.nag(nag, at);
        }
        if found.draw_offer {
            self.comment(b"(=)", at);
        }
    }

    /// Abandons the current line at a text, naming the moves that may have been meant.
    fn lose_text(&mut self, text: &MoveWords<'_>, error: UnreadMove) {
        let position = self.position();

        let mut hints = String::new();
        if let Some(legal) = error.what_was_legal(position) {
            hints.push_str("; ");
            hints.push_str(&legal);
        }
        if let Some(nearest) = error.nearest(position) {
            hints.push_str("; the nearest is ");
            hints.push_str(&san(position, nearest));
        }

        self.lose_line_at(&text.words, text.range.start, error.why, &hints);
    }

    /// The text of a move to follow; `None` after any other event has been passed on.
    #[inline]
    fn move_or_pass_on<'e>(&mut self, event: &'e Event<'t>) -> Option<&'e MoveWords<'t>> {
        match event {
            // The moves of a lost line are mere text.
            Event::Move(text) if !self.is_lost() => Some(text),
            _ => {
                self.pass_on(event);
                None
            }
        }
    }

    /// Passes an event that is not a move to the visitor's method for it.
    fn pass_on(&mut self, event: &Event<'t>) {
        match *event {
            // A move of a lost line: the text of the line is kept as a whole.
            Event::Move(_) => {}
            Event::Words(ref range) => self.keep_words(range.clone()),

            Event::Tag(name, value, at) => self.tag(name, value, at),
            Event::Movetext(at) => self.movetext(at),
            Event::Nag(nag, at) => self.nag(nag, at),
            Event::Comment(text, at) => self.comment(text, at),
            Event::BeginVariation(at) => self.begin_variation(at),
            Event::EndVariation(at) => self.end_variation(at),
            Event::Termination(termination, at) => self.termination(termination, at),
            Event::Trailing(text, at) => self.trailing(text, at),
            Event::EscapedLine(text, at) => self.escaped_line(text, at),
            Event::Fault(fault, text, at) => self.fault(fault, text, at),
        }
    }
}

/// The kind of problem that a note represents, if any.
///
/// A wing in descriptive notation is the side on which a piece started. A position does not show this, so a wing is
/// never false.
fn problem_kind(note: Note) -> Option<ProblemKind> {
    match note {
        Note::FalseCheck
        | Note::FalseDoubleCheck
        | Note::FalseMate
        | Note::FalseCapture
        | Note::FalseCaptured
        | Note::FalseEnPassant => Some(ProblemKind::FalseMark),
        Note::Slip | Note::QueenAssumed | Note::DecidedByMark => Some(ProblemKind::ImpreciseMove),
        Note::FalseWing | Note::DecidedByWing => None,
    }
}

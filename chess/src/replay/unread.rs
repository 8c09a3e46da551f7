//! Reads a game whose replay has panicked: its tags, and its movetext as mere text.

use std::borrow::Cow;
use std::ops::Range;

use super::problem::excerpt;
use super::replayer::{game_result, joined_ranges, trimmed};
use super::tags::tag_pair;
use super::utf8::utf8;
use super::{Ending, Problem, ProblemKind, Replay};
use crate::board::Position;
use crate::bug::{Bug, caught};
use crate::game::{Annotation, Annotations, Game, Ply, TagPair, Variant, tag_value};
use crate::pgn::{Fault, Termination, Visitor, read_game};

/// A game that has not been played, with a problem that describes the bug.
pub(super) fn unread<'t>(text: &'t str, bug: &Bug) -> Replay<'t> {
    // The panic may come from the reader itself.
    let parts = caught(|| Parts::read(text)).unwrap_or_else(|_| Parts::new(text));
    let Parts {
        tags,
        annotations,
        movetext,
        termination,
        trailing,
        ..
    } = parts;

    let end = termination.map_or(text.len(), |(_, at)| at);
    let rest = joined_ranges(trimmed(text, movetext..end), trailing);

    let termination = termination.map(|(termination, _)| termination);
    let result = game_result(&tags, termination);
    let variant = tag_value(&tags, "Variant")
        .map(Variant::from_tag)
        .unwrap_or_default();
    let game = Game {
        tags,
        variant,
        start: None,
        is_played: false,
        moves: Cow::Borrowed(""),
        annotations: Cow::Owned(annotations),
        rest: rest.and_then(|rest| text.get(rest)).map(Cow::Borrowed),
        result,
        termination,
    };

    Replay {
        game,
        start: None,
        played: Vec::new(),
        visits: Vec::new(),
        moves_hash: 0,
        last: Position::start(),
        ending: Ending::default(),
        problems: vec![problem_of(bug, text.trim_ascii_start())],
    }
}

/// The problem of a game on which Stamma fails.
pub fn problem_of(bug: &Bug, text: &str) -> Problem {
    let line = text.lines().next().unwrap_or_default();

    Problem {
        kind: ProblemKind::Bug,
        at: 0,
        ply: Ply::START,
        text: excerpt(line).to_owned(),
        message: format!("Stamma fails on this game; please report it with the game: {bug}"),
    }
}

/// The parts of a game's text.
struct Parts<'t> {
    text: &'t str,
    tags: Vec<TagPair<'t>>,
    /// Comments and other text in the tag section.
    annotations: Annotations,
    /// The offset at which the movetext begins.
    movetext: usize,
    is_in_movetext: bool,
    termination: Option<(Termination, usize)>,
    trailing: Option<Range<usize>>,
    depth: usize,
}

impl<'t> Parts<'t> {
    /// A text that has movetext only.
    fn new(text: &'t str) -> Parts<'t> {
        Parts {
            text,
            tags: Vec::new(),
            annotations: Annotations::default(),
            movetext: 0,
            is_in_movetext: false,
            termination: None,
            trailing: None,
            depth: 0,
        }
    }

    /// The parts of a text.
    fn read(text: &'t str) -> Parts<'t> {
        let mut parts = Parts::new(text);
        read_game(text.as_bytes(), &mut parts);
        parts
    }
}

impl<'t> Visitor<'t> for Parts<'t> {
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], _: usize) {
        self.tags.push(tag_pair(self.text, name, value));
    }

    fn movetext(&mut self, at: usize) {
        self.movetext = at;
        self.is_in_movetext = true;
    }

    fn comment(&mut self, text: &'t [u8], _: usize) {
        if !self.is_in_movetext {
            self.annotations
                .push_unwrapped_comment(Ply::START, utf8(text));
        }
    }

    fn escaped_line(&mut self, text: &'t [u8], _: usize) {
        if !self.is_in_movetext {
            self.annotations
                .push(Ply::START, Annotation::EscapedLine(utf8(text)));
        }
    }

    fn begin_variation(&mut self, _: usize) {
        self.depth += 1;
    }

    fn end_variation(&mut self, _: usize) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn termination(&mut self, termination: Termination, at: usize) {
        if self.depth == 0 {
            self.termination = Some((termination, at));
        }
    }

    fn trailing(&mut self, text: &'t [u8], at: usize) {
        self.trailing = Some(at..at + text.len());
    }

    fn fault(&mut self, fault: Fault, text: &'t [u8], _: usize) {
        if fault == Fault::InvalidTag {
            self.annotations
                .push_unwrapped_comment(Ply::START, utf8(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::shown;
    use crate::replay::Readings;

    /// The parts that are kept of a game whose replay panics.
    fn kept(text: &str) -> (String, String, String) {
        let text = format!("[StammaPanicsAt \"replay\"]\n{text}");
        let read = Readings::default().replay(&text);
        let (replay, reading) = (read.replay, read.reading);
        let Replay {
            game,
            problems,
            visits,
            ..
        } = replay;
        assert_eq!((reading, visits.len(), game.is_played), (None, 0, false));
        assert_eq!(problems.len(), 1);
        let message =
            "Stamma fails on this game; please report it with the game: provoked at replay";
        assert_eq!(
            (problems[0].kind.code(), &*problems[0].message),
            ("bug", message)
        );
        let tags = game.tags[1..]
            .iter()
            .map(|tag| format!("{} {}", tag.name, tag.value));
        let rest = game.rest.as_deref().unwrap_or_default();
        let tags = tags.collect::<Vec<String>>().join(" ");
        (
            tags,
            shown(&game.annotations),
            format!("{rest} {}", game.result.as_str()),
        )
    }

    macro_rules! keeps {
        ($($name:ident: $text:literal => $tags:literal, $annotations:literal, $rest:literal;)*) => {$(
            #[test]
            fn $name() {
                let (tags, annotations, rest) = kept($text);
                assert_eq!((&*tags, &*annotations, &*rest), ($tags, $annotations, $rest));
            }
        )*};
    }

    keeps! {
        a_game: "[White \"A\"]\n\n1. e4 {x} (1. d4 1-0) e5 0-1\n" =>
            "White A", "", "1. e4 {x} (1. d4 1-0) e5 0-1";
        text_in_the_tag_section: "{x}\n[White \"A\"]\nWhite \"B\"]\n%y\n\n1. e4\n" =>
            "White A", "0: {x {White \"B\"] %y", "1. e4 *";
        text_after_the_end: "[White \"A\"]\n\n1. e4 1-0 so it was\n" => "White A", "", "1. e4 1-0 so it was 1-0";
        no_moves: "\n*" => "", "", " *";
    }
}

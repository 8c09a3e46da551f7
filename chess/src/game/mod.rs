//! A game as a value, and the cursor over its lines.
//!
//! Knows no text format: `replay` reads PGN into a game and `export` writes it; `storage` reads and writes JSON.

mod annotation;
mod date;
mod facts;
mod judgement;
mod lines;
mod ply;
mod tag_pair;
mod variant;

use std::borrow::Cow;

pub use annotation::{Annotation, Annotations};
pub use date::{ParseDateError, PartialDate};
pub use date::{is_standard_date, standard_date};
pub use facts::GameFacts;
pub use judgement::{Accuracy, Judgement, MainlineEvaluations, win_percent};
pub use lines::{Lines, Step, steps};
pub use ply::Ply;
pub use tag_pair::TagPair;
pub use tag_pair::tag_value;
pub use variant::Variant;

// Only for the package `stamma`: these items may change in any version.
#[doc(hidden)]
pub use self::{
    annotation::unwrapped, facts::known_elo, facts::year, lines::balanced, variant::folded_variant,
};

use crate::pgn::Termination;

/// A game: its tag pairs, start position, moves, annotations and result.
///
/// A game from a replay borrows its texts from the PGN. A game from a database owns its texts.
///
/// ```
/// use stamma_chess::game::Step;
/// let replay = stamma_chess::replay::replay("[White \"Morphy\"]\n\n1. e4 (1. d4) e5 1-0");
/// let game = replay.game;
/// assert_eq!(game.tag("White"), Some("Morphy"));
/// assert_eq!(game.moves, "e4 e5");
/// assert_eq!(game.steps().filter(|(_, step)| matches!(step, Step::Mainline(_))).count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game<'t> {
    /// The tag pairs in order.
    pub tags: Vec<TagPair<'t>>,
    /// The chess variant.
    pub variant: Variant,
    /// The FEN of the start position, if it is not the standard start position.
    pub start: Option<Cow<'t, str>>,
    /// `true` if the game, or at least its start position, has been played through. If not, Stamma does not know its
    /// variant or cannot set up its start, and `rest` is all of its movetext.
    pub is_played: bool,
    /// The mainline in canonical SAN, separated by single spaces.
    pub moves: Cow<'t, str>,
    /// The comments, NAGs, variations and escape lines.
    pub annotations: Cow<'t, Annotations>,
    /// The unreadable rest of the movetext, without the termination marker.
    pub rest: Option<Cow<'t, str>>,
    /// The result, from the Result tag, or from the termination marker if the tag is missing or invalid.
    pub result: Termination,
    /// The game termination marker after the moves, if present.
    pub termination: Option<Termination>,
}

impl<'t> Game<'t> {
    /// The value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag_value(&self.tags, name)
    }

    /// Sets the value of the first tag with this name, or appends a new tag.
    pub fn set_tag(&mut self, name: &'t str, value: impl Into<Cow<'t, str>>) {
        let first = self.tags.iter_mut().find(|tag| tag.name == name);
        match first {
            Some(tag) => tag.value = value.into(),
            None => self.tags.push(TagPair::new(name, value)),
        }
    }

    /// Iterates over the moves and annotations of the game in reading order.
    pub fn steps(&self) -> impl Iterator<Item = (Ply, Step<'_>)> {
        steps(&self.moves, &self.annotations)
    }

    /// A game that borrows the texts of this game.
    pub fn borrowed(&self) -> Game<'_> {
        Game {
            tags: self.tags.iter().map(TagPair::borrowed).collect(),
            variant: self.variant,
            start: self.start.as_deref().map(Cow::Borrowed),
            is_played: self.is_played,
            moves: Cow::Borrowed(&self.moves),
            annotations: Cow::Borrowed(&self.annotations),
            rest: self.rest.as_deref().map(Cow::Borrowed),
            result: self.result,
            termination: self.termination,
        }
    }

    /// This game with owned texts.
    pub fn into_owned(self) -> Game<'static> {
        let owned = |text: Cow<'t, str>| Cow::Owned(text.into_owned());
        Game {
            tags: self.tags.into_iter().map(TagPair::into_owned).collect(),
            variant: self.variant,
            start: self.start.map(owned),
            is_played: self.is_played,
            moves: owned(self.moves),
            annotations: Cow::Owned(self.annotations.into_owned()),
            rest: self.rest.map(owned),
            result: self.result,
            termination: self.termination,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Annotation, Annotations, Ply};

    /// Annotations from words at each number of half-moves: `(`, `)`, `$1`, `{comment`, `%line` and moves.
    pub(crate) fn annotations(at: &[(u32, &str)]) -> Annotations {
        let mut annotations = Annotations::default();
        for &(ply, words) in at {
            for word in words.split(' ') {
                annotations.push(Ply::new(ply), annotation(word));
            }
        }
        annotations
    }

    /// The inverse of [`annotations`], with each number of half-moves before its words: `1: $1 {a, 3: ( d4 )`.
    pub(crate) fn shown(annotations: &Annotations) -> String {
        let mut shown = String::new();
        let mut last = None;
        for (ply, annotation) in annotations.iter() {
            if last == Some(ply) {
                shown.push(' ');
            } else {
                let separator = if last.is_some() { ", " } else { "" };
                shown += &format!("{separator}{ply}: ");
            }
            shown += &match annotation {
                Annotation::Move(san) => san.to_owned(),
                Annotation::Comment(text) => format!("{{{text}"),
                Annotation::Nag(nag) => format!("${nag}"),
                Annotation::BeginVariation => "(".to_owned(),
                Annotation::EndVariation => ")".to_owned(),
                Annotation::EscapedLine(text) => format!("%{text}"),
            };
            last = Some(ply);
        }
        shown
    }

    fn annotation(word: &str) -> Annotation<'_> {
        if let Some(text) = word.strip_prefix('{') {
            Annotation::Comment(text)
        } else if let Some(text) = word.strip_prefix('%') {
            Annotation::EscapedLine(text)
        } else if let Some(nag) = word.strip_prefix('$') {
            Annotation::Nag(nag.parse().expect("the number of a NAG"))
        } else if word.starts_with('(') {
            Annotation::BeginVariation
        } else if word.starts_with(')') {
            Annotation::EndVariation
        } else {
            Annotation::Move(word)
        }
    }
}

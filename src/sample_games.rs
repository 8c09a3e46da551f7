//! Games and annotations for unit tests, made of a few words.

use std::borrow::Cow;

use crate::game::{Annotation, Annotations, Game, Ply, Variant};
use crate::pgn::Termination;

/// A game with moves from the standard start position, without tags and annotations.
pub(crate) fn game(moves: &str) -> Game<'_> {
    Game {
        tags: Vec::new(),
        variant: Variant::Standard,
        start: None,
        is_played: true,
        moves: Cow::Borrowed(moves),
        annotations: Cow::default(),
        rest: None,
        result: Termination::Unknown,
        termination: None,
    }
}

/// Annotations from words, separated by blanks, after each number of half-moves: `(`, `)`, `$1`, `{comment`, `%line`
/// and moves.
pub(crate) fn annotations(at: &[(u32, &str)]) -> Annotations {
    let mut annotations = Annotations::default();
    for &(ply, words) in at {
        for word in words.split(' ') {
            annotations.push(Ply::new(ply), annotation(word));
        }
    }
    annotations
}

/// The annotation that a word stands for, by its first character; a move if the word has no mark.
fn annotation(word: &str) -> Annotation<'_> {
    if word.starts_with('(') {
        return Annotation::BeginVariation;
    }
    if word.starts_with(')') {
        return Annotation::EndVariation;
    }

    if let Some(text) = word.strip_prefix('{') {
        return Annotation::Comment(text);
    }
    if let Some(text) = word.strip_prefix('%') {
        return Annotation::EscapedLine(text);
    }
    if let Some(number) = word.strip_prefix('$') {
        let nag = number.parse().expect("the number of a NAG");
        return Annotation::Nag(nag);
    }
    Annotation::Move(word)
}

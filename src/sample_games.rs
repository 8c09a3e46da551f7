//! Games and annotations for unit tests, made of a few words.

use std::borrow::Cow;

use crate::game::{Annotation, Annotations, Game, Ply, Variant};
use crate::pgn::Termination;

/// A game with these moves from the standard start position, and nothing else.
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

/// Annotations from words at each number of half-moves: `(`, `)`, `$1`, `{comment`, `%line` and moves.
pub(crate) fn annotations(at: &[(u32, &str)]) -> Annotations {
    let words = at
        .iter()
        .flat_map(|&(ply, words)| words.split(' ').map(move |word| (ply, word)));
    words
        .map(|(ply, word)| (Ply::new(ply), annotation(word)))
        .collect()
}

fn annotation(word: &str) -> Annotation<'_> {
    match (word.get(..1), word.get(1..)) {
        (Some("("), _) => Annotation::BeginVariation,
        (Some(")"), _) => Annotation::EndVariation,
        (Some("{"), Some(text)) => Annotation::Comment(text),
        (Some("%"), Some(text)) => Annotation::EscapedLine(text),
        (Some("$"), Some(nag)) => Annotation::Nag(nag.parse().expect("the number of a NAG")),
        _ => Annotation::Move(word),
    }
}

//! A game as a value: its annotations, and the cursor over its lines.
//!
//! Knows no text format: PGN is read into it by `replay` and written from it by `export`, JSON is read and written by
//! `storage`.

mod annotation;
mod date;
mod facts;
mod lines;
mod variant;

pub(crate) use annotation::unwrapped;
pub use annotation::{Annotation, Annotations};
pub use date::{ParseDateError, PartialDate};
pub(crate) use date::{is_standard_date, standard_date};
pub use facts::GameFacts;
pub(crate) use facts::{known_elo, year};
pub(crate) use lines::balanced;
pub use lines::{Lines, Step, steps};
pub use variant::Variant;
pub(crate) use variant::folded_variant;

#[cfg(test)]
pub(crate) mod tests {
    use super::{Annotation, Annotations};

    /// Annotations from words at each number of half-moves: `(`, `)`, `$1`, `{comment`, `%line` and moves.
    pub(crate) fn annotations(at: &[(u32, &str)]) -> Annotations {
        let words =
            at.iter().flat_map(|&(ply, words)| words.split(' ').map(move |word| (ply, word)));
        words.map(|(ply, word)| (ply, annotation(word))).collect()
    }

    /// Annotations as [`annotations`] reads them, with the half-moves before each number's: `1: $1 {a, 3: ( d4 )`.
    pub(crate) fn shown(annotations: &Annotations) -> String {
        let mut shown = String::new();
        let mut last = None;
        for (ply, annotation) in annotations.iter() {
            if last.is_some() {
                shown.push_str(if last == Some(ply) { " " } else { ", " });
            }
            if last != Some(ply) {
                shown += &format!("{ply}: ");
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
        match (word.get(..1), word.get(1..)) {
            (Some("("), _) => Annotation::BeginVariation,
            (Some(")"), _) => Annotation::EndVariation,
            (Some("{"), Some(text)) => Annotation::Comment(text),
            (Some("%"), Some(text)) => Annotation::EscapedLine(text),
            (Some("$"), Some(nag)) => Annotation::Nag(nag.parse().expect("the number of a NAG")),
            _ => Annotation::Move(word),
        }
    }
}

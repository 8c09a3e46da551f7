//! Comments, NAGs, variations and escape lines of a game, in the order of its text.

use super::ply::Ply;
use crate::pgn::Commands;
use std::borrow::Cow;
use std::fmt;

use memchr::memchr2;

/// An annotation: a move of a variation, or another token that PGN allows between moves (PGN §5, §6, §8.2.4, §8.2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Annotation<'a> {
    /// A move of a variation in canonical SAN.
    Move(&'a str),
    /// A comment, without braces.
    Comment(&'a str),
    /// A numeric annotation glyph.
    Nag(u8),
    /// Begins an alternative to the move before it in its line.
    BeginVariation,
    /// Ends a variation.
    EndVariation,
    /// An escape line, without its `%`.
    EscapedLine(&'a str),
}

/// The annotations of a game, each with its place on the mainline, in ascending order.
///
/// All texts are stored in one string, so that a heavily annotated game takes two allocations.
///
/// ```
/// use stamma_chess::game::{Annotation, Annotations, Ply};
/// let mut annotations = Annotations::default();
/// annotations.push(Ply::new(1), Annotation::Nag(1));
/// annotations.push(Ply::new(3), Annotation::Comment("a gambit"));
/// let comments = annotations.iter().filter(|(_, annotation)| matches!(annotation, Annotation::Comment(_)));
/// assert_eq!(comments.collect::<Vec<_>>(), [(Ply::new(3), Annotation::Comment("a gambit"))]);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    texts: String,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    ply: Ply,
    kind: Kind,
    /// The end of the entry's text in the shared string.
    end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Move,
    Comment,
    Nag(u8),
    BeginVariation,
    EndVariation,
    EscapedLine,
}

impl Annotations {
    /// Returns `true` if there are no annotations.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of annotations.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The place of the last annotation on the mainline.
    pub fn last_ply(&self) -> Option<Ply> {
        self.entries.last().map(|entry| entry.ply)
    }

    /// Iterates over the annotations in order, each with its place on the mainline.
    pub fn iter(&self) -> impl Iterator<Item = (Ply, Annotation<'_>)> + Clone {
        let mut begin = 0;
        self.entries.iter().map(move |entry| {
            let text = &self.texts[begin..entry.end];
            begin = entry.end;
            (entry.ply, entry.kind.with_text(text))
        })
    }

    /// Iterates over the comments of the mainline, without comments in variations.
    pub fn mainline_comments(&self) -> impl Iterator<Item = (Ply, &str)> {
        let mut depth = 0_usize;
        self.iter().filter_map(move |(ply, annotation)| {
            match annotation {
                Annotation::BeginVariation => depth += 1,
                // Another program may have stored more ends than beginnings.
                Annotation::EndVariation => depth = depth.saturating_sub(1),
                Annotation::Comment(text) if depth == 0 => return Some((ply, text)),
                _ => {}
            }
            None
        })
    }

    /// Iterates over the commands in comments of the mainline; comments without commands are skipped.
    pub fn mainline_commands(&self) -> impl Iterator<Item = (Ply, Commands)> {
        let with_commands = self
            .mainline_comments()
            .filter(|(_, text)| text.contains("[%"));

        with_commands.map(|(ply, text)| (ply, Commands::read(text)))
    }

    /// Appends an annotation.
    ///
    /// # Panics
    /// If `ply` is lower than the last annotation's.
    pub fn push(&mut self, ply: Ply, annotation: Annotation<'_>) {
        let (kind, text) = Kind::and_text(annotation);
        self.texts.push_str(text);
        self.push_entry(ply, kind);
    }

    /// Appends a comment, with line breaks turned into spaces: the two are equivalent in a comment (PGN §5).
    pub(crate) fn push_unwrapped_comment(&mut self, ply: Ply, text: &str) {
        let mut rest = text;

        while let Some(end) = memchr2(b'\n', b'\r', rest.as_bytes()) {
            self.texts.push_str(&rest[..end]);
            self.texts.push(' ');

            let from_break = &rest[end..];
            rest = from_break.strip_prefix("\r\n").unwrap_or(&from_break[1..]);
        }

        self.texts.push_str(rest);
        self.push_entry(ply, Kind::Comment);
    }

    /// Adds an entry for the text that has just been appended to `texts`.
    fn push_entry(&mut self, ply: Ply, kind: Kind) {
        assert!(
            self.last_ply().is_none_or(|last| last <= ply),
            "annotations are in order"
        );
        self.entries.push(Entry {
            ply,
            kind,
            end: self.texts.len(),
        });
    }
}

impl<'a> Extend<(Ply, Annotation<'a>)> for Annotations {
    fn extend<I: IntoIterator<Item = (Ply, Annotation<'a>)>>(&mut self, annotations: I) {
        for (ply, annotation) in annotations {
            self.push(ply, annotation);
        }
    }
}

impl<'a> FromIterator<(Ply, Annotation<'a>)> for Annotations {
    fn from_iter<I: IntoIterator<Item = (Ply, Annotation<'a>)>>(annotations: I) -> Annotations {
        let mut collected = Annotations::default();
        collected.extend(annotations);
        collected
    }
}

impl fmt::Debug for Annotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Kind {
    /// The kind of an annotation, and its text, if it has one.
    fn and_text<'a>(annotation: Annotation<'a>) -> (Kind, &'a str) {
        match annotation {
            Annotation::Move(san) => (Kind::Move, san),
            Annotation::Comment(text) => (Kind::Comment, text),
            Annotation::Nag(nag) => (Kind::Nag(nag), ""),
            Annotation::BeginVariation => (Kind::BeginVariation, ""),
            Annotation::EndVariation => (Kind::EndVariation, ""),
            Annotation::EscapedLine(text) => (Kind::EscapedLine, text),
        }
    }

    /// The annotation of this kind with a text, which is ignored by kinds without a text.
    fn with_text(self, text: &str) -> Annotation<'_> {
        match self {
            Kind::Move => Annotation::Move(text),
            Kind::Comment => Annotation::Comment(text),
            Kind::Nag(nag) => Annotation::Nag(nag),
            Kind::BeginVariation => Annotation::BeginVariation,
            Kind::EndVariation => Annotation::EndVariation,
            Kind::EscapedLine => Annotation::EscapedLine(text),
        }
    }
}

/// The text with line breaks turned into spaces: PGN writers break lines wherever they run out of room, so the two are
/// equivalent in comments.
pub fn unwrapped(text: &str) -> Cow<'_, str> {
    if memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }

    let without_pairs = text.replace("\r\n", " ");
    Cow::Owned(without_pairs.replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_round_trip_in_order() {
        let all = [
            (Ply::START, Annotation::Comment("Played in Paris.")),
            (Ply::new(3), Annotation::Nag(1)),
            (Ply::new(3), Annotation::BeginVariation),
            (Ply::new(3), Annotation::Move("d4")),
            (Ply::new(3), Annotation::EscapedLine(" by a program")),
            (Ply::new(3), Annotation::EndVariation),
        ];

        let annotations: Annotations = all.into_iter().collect();

        let again: Vec<_> = annotations.iter().collect();
        assert_eq!(again, all);
        assert_eq!(annotations.len(), 6);
        assert_eq!(annotations.last_ply(), Some(Ply::new(3)));
    }

    #[test]
    fn line_breaks_of_comments_are_spaces() {
        let text = "one\ntwo\r\nthree\rfour\n\r\"five\"\n";
        let mut annotations = Annotations::default();
        annotations.push_unwrapped_comment(Ply::START, text);
        let expected = "one two three four  \"five\" ";
        assert_eq!(
            annotations.iter().next(),
            Some((Ply::START, Annotation::Comment(expected)))
        );
        assert_eq!(unwrapped(text), expected);
    }
}

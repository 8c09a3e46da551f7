//! The comments of a game, each with where it stands.

use std::fmt::Display;
use std::vec::IntoIter;

use rusqlite::{Connection, Error, OptionalExtension, Result};

use crate::storage::Annotations;

/// A comment and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Half-moves played before it, in the line in which it stands.
    pub(crate) ply: i64,
    /// The moves of that line since it left the mainline, with single spaces; none on the mainline.
    pub(crate) variation: Option<String>,
    /// What it says.
    pub(crate) text: String,
}

/// The comments of a game in the order of its text.
///
/// One after the other, since the moves that lead to a comment may be many.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    /// Half-moves of the mainline, and the strings that stand there.
    annotations: IntoIter<(u32, Vec<String>)>,
    texts: IntoIter<String>,
    line: Line,
}

impl Comments {
    /// Those of the game with a number, none when there is no such game.
    ///
    /// # Errors
    /// When the database cannot be read, or the annotations are none.
    pub(crate) fn of_game(connection: &Connection, game: i64) -> Result<Comments> {
        let sql = "SELECT annotations FROM movetext WHERE game_id = ?1";
        let mut select = connection.prepare_cached(sql)?;
        let comments = select.query_row([game], |row| {
            let json = row.get_ref(0)?.as_str_or_null().map_err(|error| unreadable(game, error))?;
            Comments::read(json).map_err(|error| unreadable(game, error))
        });
        Ok(comments.optional()?.unwrap_or_default())
    }

    fn read(json: Option<&str>) -> serde_json::Result<Comments> {
        let annotations = Annotations::read(json)?.0.into_iter().map(|at| {
            let texts = at.texts.into_iter().map(|text| text.into_owned());
            (at.ply, texts.collect())
        });
        let annotations = annotations.collect::<Vec<_>>().into_iter();
        Ok(Comments { annotations, ..Comments::default() })
    }
}

fn unreadable(game: i64, why: impl Display) -> Error {
    Error::ModuleError(format!("the annotations of game {game} cannot be read: {why}"))
}

impl Iterator for Comments {
    type Item = Comment;

    fn next(&mut self) -> Option<Comment> {
        loop {
            for text in self.texts.by_ref() {
                if let Some(comment) = self.line.follow(text) {
                    return Some(comment);
                }
            }
            let (ply, texts) = self.annotations.next()?;
            self.texts = texts.into_iter();
            self.line = Line { mainline_ply: ply, ..Line::default() };
        }
    }
}

/// The line that is being read.
#[derive(Debug, Default)]
struct Line {
    /// Half-moves of the mainline before all this.
    mainline_ply: u32,
    /// The moves since the mainline was left.
    moves: Vec<String>,
    /// The variations that are open.
    variations: Vec<Variation>,
}

#[derive(Debug)]
struct Variation {
    /// How many moves lead to its first one.
    begins: usize,
    /// The move that it is an alternative to, when that is none of the mainline.
    replaces: Option<String>,
}

impl Line {
    /// Takes one string of the annotations; gives the comment, if it is one.
    fn follow(&mut self, mut text: String) -> Option<Comment> {
        match text.as_bytes().first() {
            Some(b'{') => return Some(self.comment(text.split_off(1))),
            Some(b'(') => self.begin_variation(),
            Some(b')') => self.end_variation(),
            Some(b'$' | b'%') | None => {}
            Some(_) => self.moves.push(text),
        }
        None
    }

    fn comment(&self, text: String) -> Comment {
        let ply = i64::from(self.mainline_ply);
        match self.variations.is_empty() {
            true => Comment { ply, variation: None, text },
            false => {
                let ply = (ply - 1).max(0) + self.moves.len() as i64;
                Comment { ply, variation: Some(self.moves.join(" ")), text }
            }
        }
    }

    fn begin_variation(&mut self) {
        let first = self.variations.last().map_or(0, |variation| variation.begins);
        let replaces = if self.moves.len() > first { self.moves.pop() } else { None };
        self.variations.push(Variation { begins: self.moves.len(), replaces });
    }

    fn end_variation(&mut self) {
        if let Some(variation) = self.variations.pop() {
            self.moves.truncate(variation.begins);
            self.moves.extend(variation.replaces);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    macro_rules! comments {
        ($($name:ident: $movetext:expr => $comments:expr;)*) => {$(
            #[test]
            fn $name() {
                let json = replay($movetext).annotations;
                let comments = Comments::read(Some(&json)).expect("annotations");
                let found: Vec<_> = comments.map(|c| (c.ply, c.variation, c.text)).collect();
                let expected: &[(i64, Option<&str>, &str)] = &$comments;
                let owned = |text: &str| text.to_owned();
                let expected = expected.iter().map(|&(ply, variation, text)| {
                    (ply, variation.map(owned), owned(text))
                });
                assert_eq!(found, expected.collect::<Vec<_>>());
            }
        )*};
    }

    comments! {
        of_the_mainline: "{a} 1. e4 {b} {c} e5 $1 2. Nf3 {d} *"
            => [(0, None, "a"), (1, None, "b"), (1, None, "c"), (3, None, "d")];
        of_a_variation: "1. e4 e5 ({a} 1... c5 {b} 2. Nf3 {c}) {d} 2. Nf3 *"
            => [(1, Some(""), "a"), (2, Some("c5"), "b"), (3, Some("c5 Nf3"), "c"), (2, None, "d")];
        of_a_variation_in_one: "1. e4 e5 (1... c5 2. Nf3 (2. c3 {a} d5 {b}) {c} d6 {d}) *"
            => [(3, Some("c5 c3"), "a"), (4, Some("c5 c3 d5"), "b"), (3, Some("c5 Nf3"), "c"),
                (4, Some("c5 Nf3 d6"), "d")];
        of_two_variations: "1. e4 (1. d4 {a}) (1. c4 {b}) *"
            => [(1, Some("d4"), "a"), (1, Some("c4"), "b")];
        of_a_variation_at_the_beginning_of_one: "1. e4 e5 (1... c5 2. Nf3 ((2. c3 {a}) 2. f4 {b})) *"
            => [(3, Some("c5 c3"), "a"), (3, Some("c5 f4"), "b")];
        before_the_first_move: "(1. d4 {a}) 1. e4 *" => [(1, Some("d4"), "a")];
        of_a_variation_that_cannot_be_played: "1. e4 e5 (1... Ke4 2. Nf3) *"
            => [(1, Some(""), "Ke4 2. Nf3")];
        that_are_none: "1. e4 $1 (1. d4) *" => [];
    }
}

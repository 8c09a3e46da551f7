//! The comments of a game, each with its place.

use std::fmt::Display;
use std::vec::IntoIter;

use rusqlite::{Connection, Error, OptionalExtension, Result};

use crate::game::{Annotation, Annotations, Lines, Ply, balanced};
use crate::storage::{GameId, read_annotations};

/// A comment and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Half-moves played before it, on its line.
    pub(crate) ply: i64,
    /// The moves of its variation since it left the mainline, separated by single spaces; `None` on the mainline.
    pub(crate) variation: Option<String>,
    /// The text of the comment.
    pub(crate) text: String,
}

/// The comments of a game in the order of its text.
///
/// The moves that lead to a comment are joined only when it is returned: for all comments of a long variation at once,
/// they would take memory quadratic in its length.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    places: IntoIter<Place>,
    moves: Vec<VariationMove>,
}

/// A comment, and its line.
#[derive(Debug)]
struct Place {
    text: String,
    mainline_ply: Ply,
    /// `None` on the mainline.
    line: Option<Line>,
}

/// A line that has left the mainline.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// The index of its last move in [`Comments::moves`].
    last: Option<usize>,
    /// The number of its moves.
    length: i64,
}

#[derive(Debug)]
struct VariationMove {
    san: String,
    /// The index of the move before it.
    before: Option<usize>,
}

impl Comments {
    /// Reads the comments of a game, none if there is no such game.
    ///
    /// # Errors
    /// When the database cannot be read, or the annotations have an unknown format.
    pub(crate) fn of_game(connection: &Connection, game: GameId) -> Result<Comments> {
        let sql = "SELECT annotations FROM movetext WHERE game_id = ?1";
        let mut select = connection.prepare_cached(sql)?;
        let annotations = select
            .query_row([game], |row| {
                let json = row
                    .get_ref(0)?
                    .as_str_or_null()
                    .map_err(|error| unreadable(game, error))?;
                read_annotations(json).map_err(|error| unreadable(game, error))
            })
            .optional()?;

        match annotations {
            Some(annotations) => Ok(Comments::new(&annotations)),
            None => Ok(Comments::default()),
        }
    }

    fn new(annotations: &Annotations) -> Comments {
        let mut places = Vec::new();
        let mut moves = Vec::new();
        let mut lines = Lines::new(Line::default());
        for (mainline_ply, annotation) in balanced(annotations) {
            match annotation {
                Annotation::Comment(text) => {
                    let line = (lines.depth() > 0).then_some(*lines.here());
                    places.push(Place {
                        text: text.to_owned(),
                        mainline_ply,
                        line,
                    });
                }
                Annotation::BeginVariation => lines.begin_variation(),
                Annotation::EndVariation => _ = lines.end_variation(),
                Annotation::Move(san) => lines.play(|line| {
                    moves.push(VariationMove {
                        san: san.to_owned(),
                        before: line.last,
                    });
                    *line = Line {
                        last: Some(moves.len() - 1),
                        length: line.length + 1,
                    };
                }),
                Annotation::Nag(_) | Annotation::EscapedLine(_) => {}
            }
        }

        Comments {
            places: places.into_iter(),
            moves,
        }
    }

    /// The moves of a line, separated by single spaces.
    fn moves_of(&self, line: Line) -> String {
        let mut moves = Vec::new();
        let mut last = line.last;
        while let Some(number) = last {
            moves.push(self.moves[number].san.as_str());
            last = self.moves[number].before;
        }
        moves.reverse();
        moves.join(" ")
    }
}

impl Iterator for Comments {
    type Item = Comment;

    fn next(&mut self) -> Option<Comment> {
        let Place {
            text,
            mainline_ply,
            line,
        } = self.places.next()?;

        let plies_before = i64::from(mainline_ply.get());
        match line {
            None => Some(Comment {
                ply: plies_before,
                variation: None,
                text,
            }),
            // A variation replaces the mainline's last move (PGN §8.2.5).
            Some(line) => Some(Comment {
                ply: (plies_before - 1).max(0) + line.length,
                variation: Some(self.moves_of(line)),
                text,
            }),
        }
    }
}

fn unreadable(game: GameId, why: impl Display) -> Error {
    Error::ModuleError(format!(
        "the annotations of game {game} cannot be read: {why}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    macro_rules! comments {
        ($($name:ident: $movetext:expr => $comments:expr;)*) => {$(
            #[test]
            fn $name() {
                let comments = Comments::new(&replay($movetext).game.annotations);
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

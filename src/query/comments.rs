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

/// A comment with the line that it is on.
#[derive(Debug)]
struct Place {
    text: String,
    mainline_ply: Ply,
    /// `None` on the mainline.
    variation: Option<VariationLine>,
}

/// The moves of a variation since it left the mainline.
#[derive(Clone, Copy, Debug, Default)]
struct VariationLine {
    /// The index of the last move in [`Comments::moves`].
    last: Option<usize>,
    /// The number of moves.
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
        let row = select.query_row([game], |row| {
            let cell = row.get_ref(0)?;
            let json = cell
                .as_str_or_null()
                .map_err(|error| unreadable(game, error))?;
            read_annotations(json).map_err(|error| unreadable(game, error))
        });

        match row.optional()? {
            Some(annotations) => Ok(Comments::new(&annotations)),
            None => Ok(Comments::default()),
        }
    }

    /// Collects the comments of annotations, each with its place.
    fn new(annotations: &Annotations) -> Comments {
        let mut places = Vec::new();
        let mut moves = Vec::new();
        let mut lines = Lines::new(VariationLine::default());
        for (mainline_ply, annotation) in balanced(annotations) {
            match annotation {
                Annotation::Comment(text) => {
                    let is_in_variation = lines.depth() > 0;
                    let variation = if is_in_variation {
                        Some(*lines.here())
                    } else {
                        None
                    };
                    places.push(Place {
                        text: text.to_owned(),
                        mainline_ply,
                        variation,
                    });
                }
                Annotation::BeginVariation => lines.begin_variation(),
                Annotation::EndVariation => _ = lines.end_variation(),
                // Each move refers to the move before it, so variations share the moves that they have in common.
                Annotation::Move(san) => lines.play(|line| {
                    moves.push(VariationMove {
                        san: san.to_owned(),
                        before: line.last,
                    });
                    *line = VariationLine {
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

    /// The moves of a variation, separated by single spaces.
    fn moves_of(&self, variation: VariationLine) -> String {
        let mut moves = Vec::new();
        let mut next = variation.last;
        while let Some(number) = next {
            let VariationMove { san, before } = &self.moves[number];
            moves.push(san.as_str());
            next = *before;
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
            variation,
        } = self.places.next()?;

        let plies_before = i64::from(mainline_ply.get());
        let Some(line) = variation else {
            return Some(Comment {
                ply: plies_before,
                variation: None,
                text,
            });
        };

        // A variation replaces the mainline's last move (PGN §8.2.5).
        let plies_at_branch = (plies_before - 1).max(0);
        Some(Comment {
            ply: plies_at_branch + line.length,
            variation: Some(self.moves_of(line)),
            text,
        })
    }
}

/// The error for annotations of a game that cannot be read.
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
                let expected: &[(i64, Option<&str>, &str)] = &$comments;
                let found: Vec<Comment> = Comments::new(&replay($movetext).game.annotations).collect();

                let rows: Vec<_> = found
                    .iter()
                    .map(|comment| (comment.ply, comment.variation.as_deref(), comment.text.as_str()))
                    .collect();
                assert_eq!(rows, expected);
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

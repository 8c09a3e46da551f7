//! Splits a game into lines: the mainline, and each variation with the moves that lead to it.

use std::borrow::Cow;

use crate::game::{Annotation, Annotations, Game, Ply, Step};

/// The moves of a line and its annotations.
pub(super) type Line<'g> = (Cow<'g, str>, Cow<'g, Annotations>);

/// A line under construction.
struct OpenLine<'g> {
    moves: Vec<&'g str>,
    /// The number of moves that lead to the line; the moves after them are the line's own moves.
    before: usize,
    annotations: Annotations,
}

impl<'g> OpenLine<'g> {
    /// A new variation, which replaces the last move of this line. If this line has no own move yet, the new variation
    /// replaces the move that this line replaces.
    fn variation(&self) -> OpenLine<'g> {
        let has_own = self.moves.len() > self.before;
        let before = self.moves.len() - usize::from(has_own);

        OpenLine {
            moves: self.moves[..before].to_vec(),
            before,
            annotations: Annotations::default(),
        }
    }

    fn has_content(&self) -> bool {
        self.moves.len() > self.before || !self.annotations.is_empty()
    }

    fn finish<'l>(self) -> Line<'l> {
        (
            Cow::Owned(self.moves.join(" ")),
            Cow::Owned(self.annotations),
        )
    }
}

/// The lines of a game, the mainline first. Each comment or NAG is in one line only: the moves that lead to a variation
/// have no annotations.
pub(super) fn split<'l>(game: &Game<'_>) -> Vec<Line<'l>> {
    let mainline = OpenLine {
        moves: Vec::new(),
        before: 0,
        annotations: Annotations::default(),
    };
    let mut lines = vec![mainline];

    // The indices of the open lines.
    let mut open = vec![0];

    for (_, step) in game.steps() {
        let here = open.last().copied().unwrap_or(0);
        match step {
            Step::Mainline(san) | Step::Annotation(Annotation::Move(san)) => {
                lines[here].moves.push(san);
            }
            Step::Annotation(Annotation::BeginVariation) => {
                open.push(lines.len());
                lines.push(lines[here].variation());
            }
            Step::Annotation(Annotation::EndVariation) => _ = open.pop(),
            Step::Annotation(annotation) => {
                let ply = Ply::new(lines[here].moves.len() as u32);
                lines[here].annotations.push(ply, annotation);
            }
        }
    }

    // The mainline stays even without content.
    let mut finished = Vec::with_capacity(lines.len());
    for (index, line) in lines.into_iter().enumerate() {
        if index == 0 || line.has_content() {
            finished.push(line.finish());
        }
    }
    finished
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games::{annotations, game};

    /// Each line as its moves, and its annotations by half-moves.
    fn lines(moves: &str, at: &[(u32, &str)]) -> Vec<String> {
        let game = Game {
            annotations: Cow::Owned(annotations(at)),
            ..game(moves)
        };
        let text = |(moves, annotations): &Line<'_>| {
            let word = |(ply, annotation)| match annotation {
                Annotation::Comment(text) => format!(" {ply}{{{text}"),
                Annotation::Nag(nag) => format!(" {ply}${nag}"),
                other => format!(" {ply}{other:?}"),
            };
            let words: String = annotations.iter().map(word).collect();
            format!("{moves}{words}")
        };

        split(&game).iter().map(text).collect()
    }

    macro_rules! splits {
        ($($name:ident: $moves:literal, $at:expr => $lines:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(lines($moves, &$at), $lines);
            }
        )*};
    }

    splits! {
        no_variation: "e4 e5", [(1, "{x")] => ["e4 e5 1{x"];
        of_white: "e4 e5", [(1, "( d4 d5 )")] => ["e4 e5", "d4 d5"];
        of_black: "e4 e5 Nf3", [(2, "$1 ( c5 $2 )")] =>
            ["e4 e5 Nf3 2$1", "e4 c5 2$2"];
        nested: "e4 e5", [(1, "( d4 d5 ( Nf6 c4 ) c4 )")] =>
            ["e4 e5", "d4 d5 c4", "d4 Nf6 c4"];
        two: "e4 e5", [(2, "( c5 ) {then ( e6 )")] =>
            ["e4 e5 2{then", "e4 c5", "e4 e6"];
        comment_first: "e4 e5", [(2, "( {or c5 )")] => ["e4 e5", "e4 c5 1{or"];
        without_own_moves: "e4 e5", [(2, "( ( c5 ) e6 ) ( )")] =>
            ["e4 e5", "e4 e6", "e4 c5"];
        before_the_first_move: "e4", [(0, "( d4 )")] => ["e4", "d4"];
        not_closed: "e4 e5", [(1, "( d4"), (2, "{x")] => ["e4 e5 2{x", "d4"];
    }
}

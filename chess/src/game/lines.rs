//! The cursor over a game's mainline and variations.
//!
//! [`steps`] yields the moves and annotations of a game in order; [`Lines`] keeps a state per open line, such as a
//! position or a move number. Every walk through a game is a loop over `steps` with a stack of such states.

use super::ply::Ply;
use super::{Annotation, Annotations};

/// The next item of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'g> {
    /// A move of the mainline in canonical SAN.
    Mainline(&'g str),
    /// An annotation; variations are balanced.
    Annotation(Annotation<'g>),
}

/// Iterates over the moves of a mainline and its annotations in reading order.
///
/// Variations belong to the move before them. Another program may have stored a variation without an end, or an end
/// without a variation: the variation ends where the mainline continues, and the surplus end is skipped.
///
/// ```
/// use stamma_chess::game::{Annotation, Annotations, Ply, Step, steps};
/// let variation = [Annotation::BeginVariation, Annotation::Move("d4")];
/// let annotations: Annotations = variation.into_iter().map(|item| (Ply::new(1), item)).collect();
/// let steps: Vec<Step<'_>> = steps("e4 e5", &annotations).map(|(_, step)| step).collect();
/// assert_eq!(steps[0], Step::Mainline("e4"));
/// assert_eq!(steps[3..], [Step::Annotation(Annotation::EndVariation), Step::Mainline("e5")]);
/// ```
pub fn steps<'g>(
    moves: &'g str,
    annotations: &'g Annotations,
) -> impl Iterator<Item = (Ply, Step<'g>)> {
    let mut mainline = moves.split_ascii_whitespace();
    let mut annotations = balanced(annotations).peekable();
    let mut here = Ply::START;
    std::iter::from_fn(move || {
        if let Some((ply, annotation)) = annotations.next_if(|&(ply, _)| ply <= here) {
            return Some((ply, Step::Annotation(annotation)));
        }

        if let Some(san) = mainline.next() {
            let before = here;
            here += 1;
            return Some((before, Step::Mainline(san)));
        }

        // After the last move there can only be annotations that another program has stored.
        let (ply, annotation) = annotations.next()?;
        Some((ply, Step::Annotation(annotation)))
    })
}

/// The annotations, with variations balanced at each half-move.
pub fn balanced(annotations: &Annotations) -> impl Iterator<Item = (Ply, Annotation<'_>)> {
    let mut stored = annotations.iter().peekable();
    let mut depth = 0_usize;
    let mut here = Ply::START;
    std::iter::from_fn(move || {
        loop {
            // Variations that are still open after the last annotation of a half-move are closed there.
            let is_last_here = stored.peek().is_none_or(|&(next, _)| next != here);
            if is_last_here && depth > 0 {
                depth -= 1;
                return Some((here, Annotation::EndVariation));
            }

            let (ply, annotation) = stored.next()?;
            here = ply;
            match annotation {
                Annotation::BeginVariation => depth += 1,
                Annotation::EndVariation if depth == 0 => continue,
                Annotation::EndVariation => depth -= 1,
                _ => {}
            }
            return Some((ply, annotation));
        }
    })
}

/// A stack of states, one per open line: the mainline and the nested variations being read.
///
/// A variation is an alternative to the last move of its line, so it begins with the state before that move.
#[derive(Clone, Debug)]
pub struct Lines<S> {
    /// The state of the current line.
    here: S,
    /// The state before the last move of the current line.
    before: S,
    /// The two states of each enclosing line, the mainline first.
    around: Vec<(S, S)>,
}

impl<S: Clone> Lines<S> {
    /// The mainline at its start.
    pub fn new(start: S) -> Lines<S> {
        Lines {
            before: start.clone(),
            here: start,
            around: Vec::new(),
        }
    }

    /// The state of the current line.
    pub fn here(&self) -> &S {
        &self.here
    }

    /// The state of the current line, by value.
    pub fn into_here(self) -> S {
        self.here
    }

    /// The state before the last move of the current line; at the beginning of a line, its initial state.
    pub fn before(&self) -> &S {
        &self.before
    }

    /// The number of open variations.
    pub fn depth(&self) -> usize {
        self.around.len()
    }

    /// Plays a move.
    #[inline(always)]
    pub fn play(&mut self, play: impl FnOnce(&mut S)) {
        play(self.next(true));
    }

    /// The state that the next move changes; the state before it is kept if a variation `may_follow`.
    #[inline(always)]
    pub fn next(&mut self, may_follow: bool) -> &mut S {
        if may_follow {
            self.before.clone_from(&self.here);
        }
        &mut self.here
    }

    /// Sets the state of the current line and the initial state of its next variation.
    pub fn set(&mut self, state: S) {
        self.before.clone_from(&state);
        self.here = state;
    }

    /// Begins an alternative to the last move.
    pub fn begin_variation(&mut self) {
        let here = std::mem::replace(&mut self.here, self.before.clone());
        self.around.push((here, self.before.clone()));
    }

    /// Ends a variation; returns `false` if none is open.
    pub fn end_variation(&mut self) -> bool {
        let Some((here, before)) = self.around.pop() else {
            return false;
        };
        self.here = here;
        self.before = before;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::annotations;

    fn words(moves: &str, at: &[(u32, &str)]) -> String {
        let annotations = annotations(at);
        let word = |(_, step)| match step {
            Step::Mainline(san) => san.to_uppercase(),
            Step::Annotation(Annotation::Move(san)) => san.to_owned(),
            Step::Annotation(Annotation::BeginVariation) => "(".to_owned(),
            Step::Annotation(Annotation::EndVariation) => ")".to_owned(),
            Step::Annotation(other) => format!("{other:?}"),
        };

        let words: Vec<String> = steps(moves, &annotations).map(word).collect();
        words.join(" ")
    }

    #[test]
    fn steps_are_in_order_and_balanced() {
        assert_eq!(words("e4 e5", &[]), "E4 E5");

        let balanced = words("e4 e5", &[(1, "( d4 )"), (2, "( c5 )")]);
        assert_eq!(balanced, "E4 ( d4 ) E5 ( c5 )");

        let unbalanced = words("e4 e5", &[(1, "( d4 ( c4"), (2, ") ( c5 ) )")]);
        assert_eq!(unbalanced, "E4 ( d4 ( c4 ) ) E5 ( c5 )");

        let out_of_range = words("e4", &[(0, "( d4"), (7, "( c5")]);
        assert_eq!(out_of_range, "( d4 ) E4 ( c5 )");
    }

    #[test]
    fn lines_resume_where_they_were_left() {
        let mut lines = Lines::new(String::new());
        let play = |lines: &mut Lines<String>, san: &str| lines.play(|line| line.push_str(san));

        play(&mut lines, "e4 ");
        play(&mut lines, "e5 ");
        lines.begin_variation();
        assert_eq!(lines.here(), "e4 ");
        assert_eq!(lines.depth(), 1);

        // Two variations that begin without a move between them replace one move.
        play(&mut lines, "c5 ");
        lines.begin_variation();
        lines.begin_variation();
        play(&mut lines, "c6 ");
        assert_eq!(lines.here(), "e4 c6 ");

        assert!(lines.end_variation());
        assert!(lines.end_variation());
        assert_eq!(lines.here(), "e4 c5 ");

        assert!(lines.end_variation());
        assert!(!lines.end_variation(), "the mainline has no end");
        assert_eq!(lines.here(), "e4 e5 ");
    }
}

//! Replays the variations of a game.
//!
//! Another program may have stored the annotations, so each line is followed as far as possible.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::{MAX_DEPTH, Mainline, PositionKey, Visit};
use crate::board::Position;
use crate::game::{Annotation, Lines, Ply, Variant};
use crate::notation::San;

/// A position and the half-moves that lead to it.
#[derive(Clone, Debug)]
struct Reached {
    position: Position,
    ply: Ply,
}

/// The variations of a game, including nested ones, in the order of its text.
#[derive(Clone, Debug)]
pub struct Variations<'m, A> {
    /// The mainline, played up to the current annotations.
    mainline: Mainline<'m>,
    /// The balanced annotations, each with the number of mainline half-moves before it.
    annotations: A,
    /// The number of mainline half-moves before the last annotation.
    at: Ply,
    /// The state of each line; `None` for a line that is lost.
    lines: Lines<Option<Reached>>,
}

impl<'m, 'a, A: Iterator<Item = (Ply, Annotation<'a>)>> Variations<'m, A> {
    /// The variations of a game at the start of its mainline, from its [balanced](crate::game::balanced) annotations.
    pub fn new(mainline: Mainline<'m>, annotations: A) -> Variations<'m, A> {
        let start = Reached {
            position: mainline.position().clone(),
            ply: Ply::START,
        };
        Variations {
            mainline,
            annotations,
            at: Ply::START,
            lines: Lines::new(Some(start)),
        }
    }

    /// Plays up to a position, and returns the number of half-moves that lead to it.
    pub fn find(mut self, wanted: &Position) -> Option<Ply> {
        while let Some(here) = self.next() {
            if here.position.key() == wanted.key() && here.position == *wanted {
                return Some(here.ply);
            }
        }
        None
    }

    /// Adds the positions that the mainline's visits lack, each once.
    pub fn add_visits(mut self, variant: Variant, visits: &mut Vec<Visit>) {
        let Some(mut here) = self.next() else { return };

        let mut known: HashSet<_, RandomState> = visits
            .iter()
            .map(|visit| (visit.key, visit.check_key))
            .collect();

        loop {
            let key = PositionKey::new(&here.position, variant);
            let check_key = here.position.check_key();

            if known.insert((key, check_key)) {
                visits.push(Visit {
                    key,
                    check_key,
                    next: Visit::VARIATION,
                    ply: Visit::stored_ply(here.ply),
                });
            }

            match self.next() {
                Some(next) => here = next,
                None => return,
            }
        }
    }

    /// Plays the next move of a variation and returns the state after it.
    fn next(&mut self) -> Option<&Reached> {
        loop {
            let (at, annotation) = self.annotations.next()?;
            self.play_mainline_to(at);

            match annotation {
                Annotation::BeginVariation => self.begin_variation(),
                Annotation::EndVariation => _ = self.lines.end_variation(),
                Annotation::Move(san) if self.lines.depth() > 0 => {
                    self.lines.play(|line| play(line, san));
                    if self.lines.here().is_some() {
                        break;
                    }

                    // A variation of a lost line is lost, too.
                    self.lines.set(None);
                }
                _ => {}
            }
        }

        self.lines.here().as_ref()
    }

    /// Plays the mainline up to a number of half-moves.
    fn play_mainline_to(&mut self, at: Ply) {
        if at == self.at {
            return;
        }
        self.at = at;

        // A variation replaces the last move, so the line needs the state before it as well.
        let mut before = None;
        while self.mainline.ply() < at {
            let Some((_, mv)) = self.mainline.step() else {
                return self.lines.set(None);
            };

            if self.mainline.ply() + 1 == at {
                before = Some(self.reached());
            }
            self.mainline.play(mv);
        }

        self.lines.set(before);
        let here = self.reached();
        self.lines.play(|line| *line = Some(here));
    }

    /// The state of the mainline.
    fn reached(&self) -> Reached {
        Reached {
            position: self.mainline.position().clone(),
            ply: self.mainline.ply(),
        }
    }

    /// Begins a variation, which is lost if it is nested too deeply.
    fn begin_variation(&mut self) {
        self.lines.begin_variation();
        if self.lines.depth() > MAX_DEPTH {
            self.lines.set(None);
        }
    }
}

/// Plays a move in a line, which is lost if the text is not a legal move.
fn play(line: &mut Option<Reached>, san: &str) {
    let Some(reached) = line else { return };

    let resolved = San::parse(san.as_bytes()).and_then(|san| san.resolve(&reached.position).ok());
    match resolved {
        Some(resolved) => {
            reached.position.play(resolved.mv);
            reached.ply += 1;
        }
        None => *line = None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::balanced;
    use crate::game::tests::annotations as read;

    /// The variations of a mainline, given the strings at each number of half-moves, separated by spaces.
    fn lines(moves: &str, annotations: &[(u32, &str)]) -> Vec<(u32, String)> {
        let mainline = Mainline::new(None, moves).expect("the usual start");
        let annotations = read(annotations);
        let mut variations = Variations::new(mainline, balanced(&annotations));

        let mut found = Vec::new();
        while let Some(here) = variations.next() {
            let fen = here.position.fen();
            let board = fen.split(' ').next().unwrap_or_default();
            found.push((here.ply.get(), board.to_owned()));
        }
        found
    }

    /// The position after each of some lines, with its number of half-moves.
    fn after(lines: &[&str]) -> Vec<(u32, String)> {
        let stand = |moves: &&str| {
            let mut line = Mainline::new(None, moves).expect("the usual start");
            while let Some((_, mv)) = line.next().expect("moves") {
                line.play(mv);
            }

            let fen = line.position().fen();
            let board = fen.split(' ').next().unwrap_or_default();
            (line.ply().get(), board.to_owned())
        };

        lines.iter().map(stand).collect()
    }

    macro_rules! plays {
        ($($name:ident: $moves:expr, $annotations:expr => $lines:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(lines($moves, &$annotations), after(&$lines));
            }
        )*};
    }

    plays! {
        none: "e4 e5", [(1, "{a $1 %b")] => [];
        an_alternative: "e4 e5 Nf3", [(2, "( c5 $1 Nf3 {a )")] => ["e4 c5", "e4 c5 Nf3"];
        two_of_one_move: "e4", [(1, "( d4 ) ( c4 )")] => ["d4", "c4"];
        one_inside_another: "e4 e5", [(2, "( c5 Nf3 ( c3 d5 ) d6 )")]
            => ["e4 c5", "e4 c5 Nf3", "e4 c5 c3", "e4 c5 c3 d5", "e4 c5 Nf3 d6"];
        before_the_first_move: "e4", [(0, "( d4 d5 )")] => ["d4", "d4 d5"];
        at_the_beginning_of_one: "e4", [(1, "( ( c4 ) d4 )")] => ["c4", "d4"];
        null_moves: "e4 e5", [(2, "( -- d4 )")] => ["e4 --", "e4 -- d4"];
        of_several_moves: "e4 e5 Nf3", [(1, "( d4 )"), (3, "( f4 )")] => ["d4", "e4 e5 f4"];
        lost: "e4 e5", [(2, "( c5 Ke3 ( c3 ) d6 ) ( d5 )")] => ["e4 c5", "e4 d5"];
        inside_a_lost_one: "e4 e5", [(2, "( Ke3 ( c3 ( d3 ) ) d6 ) ( d5 )")] => ["e4 d5"];
        left_open: "e4 e5 Nf3", [(2, "( c5"), (3, "f4 ( Nc3 )")] => ["e4 c5", "e4 e5 Nc3"];
        closed_too_often: "e4 e5", [(2, "( c5 ) ) d6 ( d5 )")] => ["e4 c5", "e4 d5"];
        behind_a_lost_mainline: "e4 Ke3 Nf3", [(1, "( d4 )"), (2, "( c5 )"), (3, "( f4 )")] => ["d4"];
        behind_the_last_move: "e4", [(2, "( c5 )")] => [];
    }

    #[test]
    fn depth_is_limited() {
        let begins = "( ".repeat(MAX_DEPTH);
        let ends = ") ".repeat(MAX_DEPTH);

        let deepest = format!("{begins}d4");
        assert_eq!(lines("e4", &[(1, &deepest)]), after(&["d4"]));

        let too_deep = format!("{begins}( d4 {ends}) ( c4");
        assert_eq!(lines("e4", &[(1, &too_deep)]), after(&["c4"]));
    }

    #[test]
    fn visits_exclude_those_of_the_mainline() {
        let mainline = Mainline::new(None, "e4 e5 Nf3").expect("the usual start");
        let mut visits = mainline.clone().visits(Variant::Standard);
        let annotations = read(&[(1, "( Nf3 e5 e4 ) ( Nf3")]);
        let variations = Variations::new(mainline, balanced(&annotations));

        variations.add_visits(Variant::Standard, &mut visits);

        // The positions after 1. Nf3 and 1... e5: 2. e4 leads to a position of the mainline.
        let added: Vec<u16> = visits[4..].iter().map(|visit| visit.next).collect();
        assert_eq!(added, [Visit::VARIATION; 2]);
    }
}

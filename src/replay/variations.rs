//! The positions of a game's variations, from its stored annotations (`docs/annotations.md`).
//!
//! Anybody may have written into them: a line is followed as far as it goes.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::{MAX_DEPTH, Mainline, PositionKey, Variant, Visit};
use crate::board::Position;
use crate::notation::San;

/// A position and the half-moves that lead to it.
#[derive(Clone, Debug)]
struct Stand {
    position: Position,
    ply: u32,
}

/// A variation that is open.
#[derive(Clone, Debug)]
struct Line {
    /// What stands now.
    here: Stand,
    /// What stood before the last move, where a variation inside this one begins.
    before: Stand,
    /// A text in it was no move; what remains of it is passed over.
    is_lost: bool,
}

/// The variations of a game, nested ones among them, in the order of its text.
#[derive(Clone, Debug)]
pub(crate) struct Variations<'m, A> {
    /// The mainline, played up to the annotations that are being read.
    mainline: Mainline<'m>,
    /// What stood before its last move; at its start, the start.
    before: Stand,
    /// The strings of the annotations with the half-moves of the mainline before them.
    annotations: A,
    /// The half-moves of the mainline before the last string.
    at: u32,
    /// The variations that are open, each inside the one before.
    open: Vec<Line>,
    /// How many are open inside these that are passed over.
    passed_over: usize,
}

impl<'m, 'a, A: Iterator<Item = (u32, &'a str)>> Variations<'m, A> {
    /// Those of a game at the start of its mainline. The strings come in the order of their half-moves.
    pub(crate) fn new(mainline: Mainline<'m>, annotations: A) -> Variations<'m, A> {
        let before = Stand { position: mainline.position().clone(), ply: 0 };
        Variations { mainline, before, annotations, at: 0, open: Vec::new(), passed_over: 0 }
    }

    /// Plays on until a position stands, and gives the half-moves that lead to it.
    pub(crate) fn find(mut self, wanted: &Position) -> Option<u32> {
        while let Some(here) = self.next() {
            if here.position.key() == wanted.key() && here.position == *wanted {
                return Some(here.ply);
            }
        }
        None
    }

    /// Adds the positions that are not among these of the mainline, each once.
    pub(crate) fn add_visits(mut self, variant: Variant, visits: &mut Vec<Visit>) {
        let Some(mut here) = self.next() else { return };
        let known = visits.iter().map(|visit| (visit.key, visit.witness));
        let mut known: HashSet<_, RandomState> = known.collect();
        loop {
            let key = PositionKey::new(&here.position, variant);
            let witness = here.position.witness();
            if known.insert((key, witness)) {
                visits.push(Visit { key, witness, next: Visit::VARIATION });
            }
            match self.next() {
                Some(next) => here = next,
                None => return,
            }
        }
    }

    /// Plays the next move of a variation and gives what stands then.
    fn next(&mut self) -> Option<&Stand> {
        loop {
            let (at, text) = self.annotations.next()?;
            self.turn_to(at);
            match text.as_bytes().first() {
                Some(b'(') => self.begin(),
                Some(b')') => self.end(),
                Some(b'{' | b'$' | b'%') | None => {}
                Some(_) if self.play(text) => break,
                Some(_) => {}
            }
        }
        self.open.last().map(|line| &line.here)
    }

    /// Plays the mainline up to a number of half-moves. Each has variations of its own.
    fn turn_to(&mut self, at: u32) {
        if at == self.at {
            return;
        }
        self.at = at;
        self.open.clear();
        self.passed_over = 0;
        while self.mainline.ply() < at {
            let Some((_, mv)) = self.mainline.step() else { return };
            let ply = self.mainline.ply();
            if ply + 1 == at {
                self.before = Stand { position: self.mainline.position().clone(), ply };
            }
            self.mainline.play(mv);
        }
    }

    fn begin(&mut self) {
        let before = match self.open.last() {
            _ if self.passed_over > 0 || self.open.len() == MAX_DEPTH => None,
            Some(around) => Some(&around.before).filter(|_| !around.is_lost),
            None => Some(&self.before).filter(|_| self.mainline.ply() == self.at),
        };
        match before.cloned() {
            Some(before) => {
                self.open.push(Line { here: before.clone(), before, is_lost: false });
            }
            None => self.passed_over += 1,
        }
    }

    fn end(&mut self) {
        match self.passed_over {
            0 => drop(self.open.pop()),
            _ => self.passed_over -= 1,
        }
    }

    /// Plays a move; `false` where the text is none, or stands in a line that is passed over.
    fn play(&mut self, text: &str) -> bool {
        let is_followed = |line: &&mut Line| self.passed_over == 0 && !line.is_lost;
        let Some(line) = self.open.last_mut().filter(is_followed) else { return false };
        let san = San::parse(text.as_bytes());
        let resolved = san.and_then(|san| san.resolve(&line.here.position).ok());
        let Some(resolved) = resolved else {
            line.is_lost = true;
            return false;
        };
        line.before.clone_from(&line.here);
        line.here.position.play(resolved.mv);
        line.here.ply += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variations of a mainline, with the strings of each number of half-moves separated by spaces.
    fn lines(moves: &str, annotations: &[(u32, &str)]) -> Vec<(u32, String)> {
        let mainline = Mainline::new(None, moves).expect("the usual start");
        let strings = annotations
            .iter()
            .flat_map(|&(ply, texts)| texts.split(' ').map(move |text| (ply, text)));
        let mut variations = Variations::new(mainline, strings);
        let mut found = Vec::new();
        while let Some(here) = variations.next() {
            let fen = here.position.fen();
            found.push((here.ply, fen.split(' ').next().unwrap_or_default().to_owned()));
        }
        found
    }

    /// What stands after each of some lines, with its half-moves.
    fn after(lines: &[&str]) -> Vec<(u32, String)> {
        let stand = |moves: &&str| {
            let mut line = Mainline::new(None, moves).expect("the usual start");
            while let Some((_, mv)) = line.next().expect("moves") {
                line.play(mv);
            }
            let fen = line.position().fen();
            (line.ply(), fen.split(' ').next().unwrap_or_default().to_owned())
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
        let texts = format!("{}d4 {}) ( c4", "( ".repeat(MAX_DEPTH + 1), ") ".repeat(MAX_DEPTH));
        assert_eq!(lines("e4", &[(1, &texts)]), after(&["c4"]));
        let texts = format!("{}d4", "( ".repeat(MAX_DEPTH));
        assert_eq!(lines("e4", &[(1, &texts)]), after(&["d4"]));
    }

    #[test]
    fn visits_are_those_that_the_mainline_has_not() {
        let mainline = Mainline::new(None, "e4 e5 Nf3").expect("the usual start");
        let mut visits = mainline.clone().visits(Variant::Standard);
        let strings = [(1, "("), (1, "Nf3"), (1, "e5"), (1, "e4"), (1, ")"), (1, "("), (1, "Nf3")];
        Variations::new(mainline, strings.into_iter()).add_visits(Variant::Standard, &mut visits);
        let next: Vec<u16> = visits[4..].iter().map(|visit| visit.next).collect();
        assert_eq!(next, [Visit::VARIATION; 2], "1. Nf3 and 1... e5, since 2. e4 is played");
    }
}

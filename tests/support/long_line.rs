//! A long game.

use std::collections::HashSet;

use stamma::board::Position;
use stamma::notation::san;

/// The moves of a game that repeats no position.
pub(crate) fn long_line(plies: usize) -> String {
    let board = |position: &Position| position.fen().split(' ').next().map(str::to_owned);
    let (mut position, mut line) = (Position::start(), Vec::new());
    let mut seen = HashSet::from([board(&position)]);
    while line.len() < plies {
        let next = position.legal_moves().into_iter().find_map(|mv| {
            let mut after = position.clone();
            after.play(mv);
            let goes_on = !after.legal_moves().is_empty();
            (goes_on && seen.insert(board(&after))).then_some((mv, after))
        });
        let (mv, after) = next.expect("a position that is new");
        line.push(san(&position, mv));
        position = after;
    }
    line.join(" ")
}

//! A long game.

use std::collections::HashSet;

use stamma::board::{Move, Position};
use stamma::notation::san;

/// The moves of a game that repeats no position.
pub(crate) fn long_line(plies: usize) -> String {
    let mut position = Position::start();
    let mut sans = Vec::new();
    let mut seen = HashSet::from([placement(&position)]);
    while sans.len() < plies {
        let (mv, after) = new_position(&position, &mut seen).expect("a position that is new");
        sans.push(san(&position, mv));
        position = after;
    }
    sans.join(" ")
}

/// The first legal move to a board that was not seen yet and where the game goes on.
fn new_position(position: &Position, seen: &mut HashSet<String>) -> Option<(Move, Position)> {
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv);
        // The second condition also notes the board, so it must be the last one.
        if !after.legal_moves().is_empty() && seen.insert(placement(&after)) {
            return Some((mv, after));
        }
    }
    None
}

/// The first field of the FEN: the men on their squares.
fn placement(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

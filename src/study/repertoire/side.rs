//! Whose repertoire it is, by its moves.

use super::RepertoireError;
use super::graph::Graph;
use crate::board::Color;

/// For one position in which the side has several moves, there are at least this many in which its opponent has several.
const CLEAR_PART: usize = 4;

/// The side that a repertoire is for: the side that nearly always has one move, while its opponent has several.
pub(super) fn side_of(graph: &Graph) -> Result<Color, RepertoireError> {
    let mut white = 0;
    let mut black = 0;
    for node in &graph.nodes {
        if node.moves.len() > 1 {
            match node.position.turn() {
                Color::White => white += 1,
                Color::Black => black += 1,
            }
        }
    }

    let is_clear = |own: usize, other: usize| other > 0 && own * CLEAR_PART <= other;
    if is_clear(white, black) {
        Ok(Color::White)
    } else if is_clear(black, white) {
        Ok(Color::Black)
    } else {
        Err(RepertoireError::UnclearSide { white, black })
    }
}

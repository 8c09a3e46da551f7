//! Infers from the moves which side a repertoire is for.

use super::RepertoireError;
use super::graph::Graph;
use crate::board::Color;

/// The minimum number of positions in which the opponent has several moves, for each position in which the side of the
/// repertoire has several moves.
const MIN_OPPONENT_CHOICES: usize = 4;

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

    // A single line shows no side: neither player has several moves.
    let is_clear = |own: usize, other: usize| other > 0 && own * MIN_OPPONENT_CHOICES <= other;
    if is_clear(white, black) {
        Ok(Color::White)
    } else if is_clear(black, white) {
        Ok(Color::Black)
    } else {
        Err(RepertoireError::UnclearSide { white, black })
    }
}

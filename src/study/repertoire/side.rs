//! Whose repertoire it is, by its moves.

use super::RepertoireError;
use super::graph::Graph;
use crate::board::Color;

/// The side has several moves in at most one of so many positions in which its opponent has several.
const CLEAR_PART: usize = 4;

/// The side that a repertoire is for: the one that nearly always has one move, while its opponent has several.
pub(super) fn side_of(graph: &Graph) -> Result<Color, RepertoireError> {
    let choices = |side: Color| {
        let nodes = graph
            .nodes
            .iter()
            .filter(|node| node.position.turn() == side);
        nodes.filter(|node| node.moves.len() > 1).count()
    };
    let (white, black) = (choices(Color::White), choices(Color::Black));
    let is_clear = |own: usize, other: usize| other > 0 && own * CLEAR_PART <= other;
    match (is_clear(white, black), is_clear(black, white)) {
        (true, _) => Ok(Color::White),
        (_, true) => Ok(Color::Black),
        _ => Err(RepertoireError::UnclearSide { white, black }),
    }
}

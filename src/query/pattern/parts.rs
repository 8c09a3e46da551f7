//! The parts of a pattern query.

use std::num::NonZeroU32;

use super::board_pattern::BoardPattern;
use super::flip::Flip;
use super::material::Material;
use super::sequence::MoveSequence;

/// The parts of a [`PositionQuery`](super::PositionQuery). A missing part always matches.
#[derive(Clone, Debug)]
pub struct PositionParts {
    /// The board, and the side to move.
    pub pattern: Option<BoardPattern>,
    /// The material.
    pub material: Option<Material>,
    /// Consecutive moves, the first of them played in a position where pattern and material match.
    pub through: Option<MoveSequence>,
    /// The number of consecutive positions, one per half-move, in which pattern and material must match; the moves
    /// begin in the first of them.
    pub positions: NonZeroU32,
    /// Mirrored forms that match as well. A form applies to all parts at once, and to all consecutive positions.
    pub flip: Flip,
}

impl Default for PositionParts {
    fn default() -> PositionParts {
        PositionParts {
            pattern: None,
            material: None,
            through: None,
            positions: NonZeroU32::MIN,
            flip: Flip::default(),
        }
    }
}

//! What a pattern query consists of.

use std::num::NonZeroU32;

use super::board_pattern::BoardPattern;
use super::flip::Flip;
use super::material::Material;
use super::sequence::MoveSequence;

/// The parts of a [`PositionQuery`](super::PositionQuery). What is missing always holds.
#[derive(Clone, Debug)]
pub struct PositionParts {
    /// What stands on the board, and who is to move.
    pub pattern: Option<BoardPattern>,
    /// Which men there are.
    pub material: Option<Material>,
    /// Moves that follow each other, the first of them in a position where pattern and material hold.
    pub through: Option<MoveSequence>,
    /// In how many positions in a row pattern and material hold together, each half-move making one; the moves
    /// begin in the first of them.
    pub positions: NonZeroU32,
    /// Which mirrored forms count as well. A form is looked for in all parts at once: a stretch of positions has the
    /// same form throughout.
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

//! The evaluations of a position and of those that moves lead to.

use crate::cli::evaluation_line::evaluation_line;
use stamma::board::Position;
use stamma::error::Result;
use stamma::query::{CombinedResults, MoveCount};
use stamma::storage::PositionEvaluation;

/// What is known of a position, and of those after the moves played in it.
pub(super) struct Evaluations {
    /// The evaluation of the position that was asked for.
    pub(super) before: Option<PositionEvaluation>,
    /// Those after each move.
    pub(super) after: Vec<Option<PositionEvaluation>>,
}

impl Evaluations {
    pub(super) fn read(
        results: &CombinedResults<'_>,
        positions: &[Position],
        moves: &[MoveCount],
    ) -> Result<Evaluations> {
        // Several positions, and a move in several of them, have no one evaluation.
        let mut asked = vec![single(positions)];
        for counted in moves {
            asked.push(single(&counted.positions_after(positions)));
        }
        let mut after = results.evaluations(asked)?;
        let before = after.remove(0);
        Ok(Evaluations { before, after })
    }

    /// The evaluation of the position itself, as a line; `None` if it is not known.
    pub(super) fn heading(&self, positions: &[Position]) -> Option<String> {
        let (found, [position]) = (self.before.as_ref()?, positions) else {
            return None;
        };
        Some(evaluation_line(position, found))
    }
}

/// The position, if there is one alone.
fn single(positions: &[Position]) -> Option<Position> {
    match positions {
        [position] => Some(position.clone()),
        _ => None,
    }
}

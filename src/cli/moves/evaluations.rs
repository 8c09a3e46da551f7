//! The evaluations of a position, and of the positions that its moves lead to.

use crate::cli::evaluation_line::evaluation_line;
use stamma::board::Position;
use stamma::error::Result;
use stamma::query::{CombinedResults, MoveCount};
use stamma::storage::PositionEvaluation;

/// The evaluations of a position and of the positions after its moves.
pub(super) struct Evaluations {
    /// The evaluation of the position itself.
    pub(super) before: Option<PositionEvaluation>,
    /// The evaluation after each move.
    pub(super) after: Vec<Option<PositionEvaluation>>,
}

impl Evaluations {
    /// Reads the evaluations from all databases of the results.
    pub(super) fn read(
        results: &CombinedResults<'_>,
        positions: &[Position],
        moves: &[MoveCount],
    ) -> Result<Evaluations> {
        // Several positions have no common evaluation, and neither has a move from several positions.
        let mut evaluated = vec![single(positions)];
        for counted in moves {
            evaluated.push(single(&counted.positions_after(positions)));
        }

        let mut after = results.evaluations(evaluated)?;
        let before = after.remove(0);
        Ok(Evaluations { before, after })
    }

    /// The evaluation of the position itself as a line; `None` if it is unknown, or if there are several positions.
    pub(super) fn heading(&self, positions: &[Position]) -> Option<String> {
        let evaluation = self.before.as_ref()?;
        let [position] = positions else {
            return None;
        };
        Some(evaluation_line(position, evaluation))
    }
}

/// The position, if there is exactly one.
fn single(positions: &[Position]) -> Option<Position> {
    match positions {
        [position] => Some(position.clone()),
        _ => None,
    }
}

//! The evaluation of a position.

use schemars::JsonSchema;
use serde::Serialize;

use crate::pgn::Evaluation;
use crate::storage::PositionEvaluation;

/// The evaluation of a position; all fields are null if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvaluationRef {
    /// In hundredths of a pawn; positive is good for White.
    pub eval_cp: Option<i32>,
    /// Moves to mate; positive if White mates.
    pub eval_mate: Option<i32>,
    /// The depth of the search in half-moves.
    pub eval_depth: Option<u8>,
}

impl EvaluationRef {
    /// The evaluation of a position, if there is one.
    pub fn new(evaluation: Option<&PositionEvaluation>) -> EvaluationRef {
        let Some(evaluation) = evaluation else { return EvaluationRef::default() };
        EvaluationRef {
            eval_cp: evaluation.score.centipawns(),
            eval_mate: evaluation.score.mate(),
            eval_depth: evaluation.depth,
        }
    }

    /// A score that was searched to a depth.
    pub fn of_score(score: Evaluation, depth: u8) -> EvaluationRef {
        EvaluationRef {
            eval_cp: score.centipawns(),
            eval_mate: score.mate(),
            eval_depth: Some(depth),
        }
    }

    /// The score.
    pub fn score(&self) -> Option<Evaluation> {
        let mate = self.eval_mate.map(Evaluation::Mate);
        mate.or(self.eval_cp.map(Evaluation::Centipawns))
    }
}

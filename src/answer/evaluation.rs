//! The evaluation of a position.

use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Color, Move, Position};
use crate::error::Result;
use crate::game::Judgement;
use crate::pgn::Evaluation;
use crate::storage::{Database, PositionEvaluation, best_evaluations};

/// The evaluation of a position; all fields are null if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvaluationRef {
    /// The evaluation in hundredths of a pawn; positive is good for White.
    pub eval_cp: Option<i32>,
    /// Moves to mate; positive if White mates.
    pub eval_mate: Option<i32>,
    /// The depth of the search in half-moves.
    pub eval_depth: Option<u8>,
}

impl EvaluationRef {
    /// The evaluation of a position, if there is one.
    pub fn new(evaluation: Option<&PositionEvaluation>) -> EvaluationRef {
        let Some(evaluation) = evaluation else {
            return EvaluationRef::default();
        };
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

/// The evaluation of a move, by the evaluations of the positions before and after the move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveEvaluation {
    /// The position before the move.
    pub before: EvaluationRef,
    /// The position after the move.
    pub after: EvaluationRef,
    /// `inaccuracy`, `mistake` or `blunder`; null for other moves, and where an evaluation is not known.
    pub judgement: Option<&'static str>,
}

impl MoveEvaluation {
    /// Reads the best evaluations in the databases of the position before the move and of the position after it.
    /// Without a move, the latter is missing.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read(
        databases: &[&Database],
        position: &Position,
        mv: Option<Move>,
    ) -> Result<MoveEvaluation> {
        let reached = mv.map(|mv| {
            let mut reached = position.clone();
            reached.play(mv);
            reached
        });
        let positions = [Some(position.clone()), reached];

        let mut by_database = Vec::with_capacity(databases.len());
        for database in databases {
            by_database.push(database.evaluations(&positions)?);
        }

        // The best evaluation of a position is the evaluation by the deepest search.
        let mut best = best_evaluations(by_database).into_iter();
        let before = best.next().flatten();
        let after = best.next().flatten();

        let side = position.turn();
        Ok(MoveEvaluation::new(side, before.as_ref(), after.as_ref()))
    }

    /// The evaluation of a move of a side, from the evaluations of the positions before and after the move.
    pub fn new(
        side: Color,
        before: Option<&PositionEvaluation>,
        after: Option<&PositionEvaluation>,
    ) -> MoveEvaluation {
        // A move is judged by the difference of both evaluations.
        let judgement = match (before, after) {
            (Some(before), Some(after)) => Judgement::of_move(before.score, after.score, side),
            _ => None,
        };

        MoveEvaluation {
            before: EvaluationRef::new(before),
            after: EvaluationRef::new(after),
            judgement: judgement.map(Judgement::name),
        }
    }

    /// The judgement whose name [`MoveEvaluation::judgement`] is.
    pub(super) fn judged_as(&self) -> Option<Judgement> {
        let mut judgements = Judgement::ALL.into_iter();
        judgements.find(|judgement| Some(judgement.name()) == self.judgement)
    }

    /// The loss by the move for a side, in centipawns; `None` if an evaluation is a mate or is unknown.
    pub fn loss(&self, side: Color) -> Option<i32> {
        let before = self.before.eval_cp?;
        let after = self.after.eval_cp?;

        // Evaluations are from White's point of view. The fields are public, so they may have any number.
        match side {
            Color::White => Some(before.saturating_sub(after)),
            Color::Black => Some(after.saturating_sub(before)),
        }
    }

    /// Both scores and the glyph of the judgement for a table: `+0.35 to -1.20 ??`; empty if no score is known.
    pub fn shown(&self) -> String {
        if self.before.score().is_none() && self.after.score().is_none() {
            return String::new();
        }

        let score = |evaluation: &EvaluationRef| match evaluation.score() {
            Some(score) => score.signed(),
            None => "-".to_owned(),
        };
        let before = score(&self.before);
        let after = score(&self.after);

        match self.judged_as() {
            Some(judgement) => format!("{before} to {after} {}", judgement.glyph()),
            None => format!("{before} to {after}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn centipawns(eval_cp: i32) -> EvaluationRef {
        EvaluationRef {
            eval_cp: Some(eval_cp),
            ..EvaluationRef::default()
        }
    }

    fn evaluated(before: EvaluationRef, after: EvaluationRef) -> MoveEvaluation {
        MoveEvaluation {
            before,
            after,
            judgement: None,
        }
    }

    #[test]
    fn a_loss_is_a_change_against_the_side() {
        for (before, after, white, black) in [
            (30, -120, 150, -150),
            (-120, 30, -150, 150),
            (i32::MIN, i32::MAX, i32::MIN, i32::MAX),
        ] {
            let evaluation = evaluated(centipawns(before), centipawns(after));
            assert_eq!(evaluation.loss(Color::White), Some(white));
            assert_eq!(evaluation.loss(Color::Black), Some(black));
        }

        let mate = EvaluationRef {
            eval_mate: Some(3),
            ..EvaluationRef::default()
        };
        assert_eq!(evaluated(centipawns(30), mate).loss(Color::White), None);
    }

    #[test]
    fn both_scores_are_shown_with_the_judgement() {
        let mut evaluation = evaluated(centipawns(35), centipawns(-120));
        assert_eq!(evaluation.shown(), "+0.35 to -1.20");

        evaluation.judgement = Some(Judgement::Blunder.name());
        assert_eq!(evaluation.judged_as(), Some(Judgement::Blunder));
        assert_eq!(evaluation.shown(), "+0.35 to -1.20 ??");

        let unknown = evaluated(EvaluationRef::default(), centipawns(-120));
        assert_eq!(unknown.shown(), "- to -1.20");
        assert_eq!(MoveEvaluation::default().shown(), "");
    }
}

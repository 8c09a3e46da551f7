//! The evaluations of a position and of those that moves lead to.

use serde::Serialize;

use crate::cli::printable::printable;
use stamma::board::Position;
use stamma::error::Result;
use stamma::notation::{san, uci};
use stamma::pgn::Evaluation;
use stamma::query::{CombinedResults, MoveCount};
use stamma::storage::PositionEvaluation;

/// The columns of [`EvaluationRecord`].
pub(super) const EVALUATION_COLUMNS: [&str; 3] = ["eval_cp", "eval_mate", "eval_depth"];

/// The evaluation of the position that a move leads to, for programs.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct EvaluationRecord {
    /// In hundredths of a pawn; positive is good for White.
    eval_cp: Option<i32>,
    eval_mate: Option<i32>,
    eval_depth: Option<u8>,
}

impl EvaluationRecord {
    fn new(evaluation: &PositionEvaluation) -> EvaluationRecord {
        let (eval_cp, eval_mate) = match evaluation.score {
            Evaluation::Centipawns(centipawns) => (Some(centipawns), None),
            Evaluation::Mate(moves) => (None, Some(moves)),
        };
        EvaluationRecord { eval_cp, eval_mate, eval_depth: evaluation.depth }
    }
}

/// What is known of a position, and of those after the moves played in it.
pub(super) struct Evaluations {
    /// The evaluation of the position that was asked for.
    before: Option<PositionEvaluation>,
    /// Those after each move.
    after: Vec<Option<PositionEvaluation>>,
}

impl Evaluations {
    pub(super) fn read(
        results: &CombinedResults<'_>,
        positions: &[Position],
        moves: &[MoveCount],
    ) -> Result<Evaluations> {
        let before = match positions {
            [position] => results.evaluations(std::slice::from_ref(position))?.pop().flatten(),
            _ => None,
        };
        // A move in several positions has no one evaluation.
        let single = |counted: &MoveCount| match counted.positions_after(positions).as_slice() {
            [position] => Some(position.clone()),
            _ => None,
        };
        let asked: Vec<Option<Position>> = moves.iter().map(single).collect();
        let known: Vec<Position> = asked.iter().flatten().cloned().collect();
        let mut found = results.evaluations(&known)?.into_iter();
        let after = asked.iter().map(|position| position.as_ref().and_then(|_| found.next()?));
        Ok(Evaluations { before, after: after.collect() })
    }

    /// A record for each move.
    pub(super) fn records(&self) -> Vec<EvaluationRecord> {
        let record = |evaluation: &Option<PositionEvaluation>| {
            evaluation.as_ref().map(EvaluationRecord::new).unwrap_or_default()
        };
        self.after.iter().map(record).collect()
    }

    /// The cells of a column for people; `None` if no move has an evaluation.
    pub(super) fn cells(&self) -> Option<Vec<String>> {
        if self.after.iter().all(Option::is_none) {
            return None;
        }
        let cell = |evaluation: &Option<PositionEvaluation>| {
            evaluation.as_ref().map(|found| signed(found.score)).unwrap_or_default()
        };
        Some(self.after.iter().map(cell).collect())
    }

    /// The evaluation of the position itself, as a line; `None` if it is not known.
    pub(super) fn heading(&self, positions: &[Position]) -> Option<String> {
        let (found, [position]) = (self.before.as_ref()?, positions) else { return None };
        let depth = found.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
        let best = match found.best_move {
            Some(mv) if position.legal_moves().contains(&mv) => {
                format!(", best move {}", san(position, mv))
            }
            Some(mv) => format!(", best move {}", uci(mv)),
            None => String::new(),
        };
        let source = match found.source.as_str() {
            "" => "games".to_owned(),
            name => printable(name).to_string(),
        };
        Some(format!("evaluation {}{depth}{best} ({source})", signed(found.score)))
    }
}

/// `+0.35`, `-1.20`, `0.00` or `#-3`.
fn signed(score: Evaluation) -> String {
    match score {
        Evaluation::Centipawns(centipawns) if centipawns > 0 => format!("+{score}"),
        _ => score.to_string(),
    }
}

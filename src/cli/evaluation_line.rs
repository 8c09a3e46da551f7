//! The evaluation of a position as a line of text.

use super::printable::printable;
use stamma::board::Position;
use stamma::notation::san;
use stamma::storage::PositionEvaluation;

/// The score of a position with its depth, the best move and where it is from.
pub(super) fn evaluation_line(position: &Position, found: &PositionEvaluation) -> String {
    let depth = found
        .depth
        .map(|depth| format!(", depth {depth}"))
        .unwrap_or_default();
    let best = found
        .best_move
        .map(|mv| format!(", best move {}", san(position, mv)));
    let best = best.unwrap_or_default();
    let source = match found.source.as_str() {
        "" => "games".to_owned(),
        name => printable(name).to_string(),
    };
    format!(
        "evaluation {}{depth}{best} ({source})",
        found.score.signed()
    )
}

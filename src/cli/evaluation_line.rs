//! The evaluation of a position as a line of text.

use super::printable::printable;
use stamma::board::Position;
use stamma::notation::san;
use stamma::storage::PositionEvaluation;

/// The score, the depth, the best move and the source of an evaluation, as a line.
pub(super) fn evaluation_line(position: &Position, found: &PositionEvaluation) -> String {
    let mut line = format!("evaluation {}", found.score.signed());
    if let Some(depth) = found.depth {
        line += &format!(", depth {depth}");
    }
    if let Some(mv) = found.best_move {
        line += &format!(", best move {}", san(position, mv));
    }

    // The name of the source is empty for evaluations from games.
    let source = match found.source.as_str() {
        "" => "games",
        name => name,
    };
    line += &format!(" ({})", printable(source));
    line
}

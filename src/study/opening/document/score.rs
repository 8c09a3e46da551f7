//! Shares and scores, as numbers and as bars.

use crate::query::Counts;
use crate::report::{Cell, Unit};

/// A share in per cent. A small share has a digit behind the point.
pub(super) fn share(part: u64, of: u64) -> String {
    Unit::PerCent.of(100.0 * part as f64 / of.max(1) as f64)
}

/// White's score in finished games.
pub(super) fn score(counts: &Counts) -> String {
    score_of(counts).map_or_else(|| "-".to_owned(), |score| format!("{score:.1} %"))
}

/// White's score in finished games, in per cent; `None` without a finished game.
pub(super) fn score_of(counts: &Counts) -> Option<f64> {
    if counts.finished() == 0 {
        return None;
    }
    let half_points = (2 * counts.white + counts.draws) as f64;
    Some(50.0 * half_points / counts.finished() as f64)
}

/// The results as a bar.
pub(super) fn bar(counts: &Counts) -> Cell {
    Cell::results([counts.white, counts.draws, counts.black])
}

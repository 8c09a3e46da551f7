//! Boards in reports.

use super::span::Span;
use crate::board::{Piece, Setup, Square};

/// A position in a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The position.
    pub setup: Setup,
    /// Whether Black is at the bottom.
    pub is_flipped: bool,
    /// The origin and target of a move, which are marked.
    pub moved: Option<[Square; 2]>,
    /// The caption.
    pub caption: Vec<Span>,
}

/// A board that shows how often a piece stands on which square.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatBoard {
    /// The piece.
    pub piece: Piece,
    /// Whether Black is at the bottom.
    pub is_flipped: bool,
    /// Squares with shares between 0 and 1, the greatest first.
    pub shares: Vec<(Square, f64)>,
    /// The caption.
    pub caption: Vec<Span>,
}

impl HeatBoard {
    /// The most frequent squares in words, such as `e4 55 %, f6 20 %`; at most `max`.
    pub fn squares(&self, max: usize) -> String {
        let mut squares = Vec::new();
        for (square, share) in self.shares.iter().take(max) {
            let per_cent = 100.0 * share;
            squares.push(format!("{square} {per_cent:.0} %"));
        }
        squares.join(", ")
    }
}

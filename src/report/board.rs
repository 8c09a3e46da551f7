//! Boards in reports.

use super::span::Span;
use crate::board::{Piece, Setup, Square};

/// A position in a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The position.
    pub setup: Setup,
    /// `true` if Black is at the bottom.
    pub is_flipped: bool,
    /// The origin and target of a move, which are marked.
    pub moved: Option<[Square; 2]>,
    /// The caption.
    pub caption: Vec<Span>,
}

/// A heat map of the squares on which a piece stands.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatBoard {
    /// The piece.
    pub piece: Piece,
    /// `true` if Black is at the bottom.
    pub is_flipped: bool,
    /// Squares with shares between 0 and 1, the greatest first.
    pub shares: Vec<(Square, f64)>,
    /// The caption.
    pub caption: Vec<Span>,
}

impl HeatBoard {
    /// The `max` most frequent squares in words: `e4 55 %, f6 20 %`.
    pub fn squares(&self, max: usize) -> String {
        let mut squares = Vec::new();
        for (square, share) in self.shares.iter().take(max) {
            let per_cent = 100.0 * share;
            squares.push(format!("{square} {per_cent:.0} %"));
        }
        squares.join(", ")
    }
}

//! Boards of reports.

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
    /// What is said of it.
    pub caption: Vec<Span>,
}

/// A board that shows how often a piece is on which square.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatBoard {
    /// The piece.
    pub piece: Piece,
    /// Whether Black is at the bottom.
    pub is_flipped: bool,
    /// Squares with shares between 0 and 1, the greatest first.
    pub shares: Vec<(Square, f64)>,
    /// What is said of it.
    pub caption: Vec<Span>,
}

impl HeatBoard {
    /// The most frequent squares in words, such as `e4 55 %, f6 20 %`; at most `most`.
    pub fn squares(&self, most: usize) -> String {
        let listed = self.shares.iter().take(most);
        let listed = listed.map(|(square, share)| format!("{square} {:.0} %", 100.0 * share));
        listed.collect::<Vec<String>>().join(", ")
    }
}

//! A move with the counts of its games.

use super::performance::performance;
use crate::board::{Color, Move};
use crate::index::Counts;

/// A move that was played in a position, with the counts of its games.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveCount {
    /// The move with its SAN; `None` for games that end here.
    pub played: Option<(String, Move)>,
    /// The side to move.
    pub mover: Color,
    /// The counts of its games.
    pub counts: Counts,
}

impl MoveCount {
    /// The move as SAN; `None` for games that end here.
    pub fn san(&self) -> Option<&str> {
        self.played.as_ref().map(|(san, _)| san.as_str())
    }

    /// The mean Elo of the side to move, over the games where it is known.
    pub fn average_elo(&self) -> Option<f64> {
        self.counts.mover_elo.mean()
    }

    /// The performance rating of the side to move in finished games against rated opponents: their mean rating, and
    /// FIDE's difference for the score.
    pub fn performance(&self) -> Option<f64> {
        performance(self.counts.opponent_elo, self.counts.half_points)
    }
}

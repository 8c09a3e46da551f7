//! A move with what is counted of its games.

use super::performance::performance;
use crate::board::{Color, Move};
use crate::index::Counts;

/// A move that was played in a position, with what is counted of its games.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveCount {
    /// The move with its SAN, none for games that end here.
    pub played: Option<(String, Move)>,
    /// The side that moves.
    pub mover: Color,
    /// What is counted of the games.
    pub counts: Counts,
}

impl MoveCount {
    /// The move as SAN, `None` for games that end here.
    pub fn san(&self) -> Option<&str> {
        self.played.as_ref().map(|(san, _)| san.as_str())
    }

    /// The mean Elo of the side that moves, where it is known.
    pub fn average_elo(&self) -> Option<f64> {
        self.counts.mover_elo.mean()
    }

    /// The rating that the side that moves has performed at in finished games against rated
    /// opponents: their mean, and FIDE's difference for the score.
    pub fn performance(&self) -> Option<f64> {
        performance(self.counts.opponent_elo, self.counts.half_points)
    }
}

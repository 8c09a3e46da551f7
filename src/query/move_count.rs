//! A move with the counts of its games.

use super::performance::performance;
use crate::board::{Color, Move, Position};
use crate::index::Counts;
use crate::replay::Visit;

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

    /// The code of the move, which identifies the move.
    pub(crate) fn code(&self) -> u16 {
        self.played.as_ref().map_or(Visit::END, |(_, mv)| mv.code())
    }

    /// The positions to which the move leads from some positions, each once.
    pub fn positions_after(&self, positions: &[Position]) -> Vec<Position> {
        let Some((_, mv)) = self.played else {
            return Vec::new();
        };

        let mut after: Vec<Position> = Vec::new();
        for position in positions {
            let is_legal = mv == Move::NULL || position.legal_moves().contains(&mv);
            if position.turn() != self.mover || !is_legal {
                continue;
            }

            let mut next = position.clone();
            next.play(mv);
            // Positions that differ in castling rights, for instance, may be equal after a move of the king.
            if !after.contains(&next) {
                after.push(next);
            }
        }
        after
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

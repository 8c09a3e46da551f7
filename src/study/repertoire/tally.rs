//! Counts of games by the moves of a position.

use crate::index::Counts;

/// Counts by the [codes](crate::board::Move::code) of moves, in no particular order.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveTally(Vec<(u16, Counts)>);

impl MoveTally {
    /// The counts of a move. A new move is added with zero counts.
    pub(super) fn counts_mut(&mut self, code: u16) -> &mut Counts {
        let counts = &mut self.0;
        let known = counts.iter().position(|(other, _)| *other == code);
        let at = match known {
            Some(at) => at,
            None => {
                counts.push((code, Counts::default()));
                counts.len() - 1
            }
        };

        let (_, of_move) = &mut counts[at];
        of_move
    }

    /// Adds the counts of other games.
    pub(super) fn merge(&mut self, other: &MoveTally) {
        for (code, counts) in other.iter() {
            self.counts_mut(code).merge(counts);
        }
    }

    /// The moves with their counts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, &Counts)> {
        self.0.iter().map(|(code, counts)| (*code, counts))
    }

    /// The sum of the counts of all moves.
    pub(super) fn sum(&self) -> Counts {
        let mut sum = Counts::default();
        for (_, counts) in &self.0 {
            sum.merge(counts);
        }
        sum
    }

    /// The counts of a move; zero if it was not played.
    pub(super) fn get(&self, code: u16) -> Counts {
        for (other, counts) in &self.0 {
            if *other == code {
                return *counts;
            }
        }
        Counts::default()
    }
}

//! Conditions on the quality of moves and on clocks, which comments of games record.

use super::Bounds;
use crate::columns::{Column, blunder_times, blunders, of_players};

/// Whose moves are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Mover {
    /// White's
    White,
    /// Black's
    Black,
    /// Either player's
    Any,
}

impl Mover {
    /// The word in options.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Mover::White => "white",
            Mover::Black => "black",
            Mover::Any => "any",
        }
    }
}

/// Conditions on the evaluations and clock times in the comments of a game. A game without them meets no condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QualityFilter {
    /// Requires a blunder of a player.
    pub blunder: Option<Mover>,
    /// The greatest change of the evaluation by a move, in centipawns from 0 to 2000.
    pub swing: Option<Bounds>,
    /// The accuracy of both players, in percent.
    pub accuracy: Option<Bounds>,
    /// White's accuracy.
    pub white_accuracy: Option<Bounds>,
    /// Black's accuracy.
    pub black_accuracy: Option<Bounds>,
    /// The shortest time left on a clock behind a move, in seconds.
    pub time_left: Option<Bounds>,
    /// The shortest time left behind a blunder, on the clock of the player who made it. Only blunders of the player in
    /// `blunder` count; without it, blunders of either.
    pub blunder_time: Option<Bounds>,
}

impl QualityFilter {
    /// The columns that [`QualityFilter::holds`] needs.
    pub(super) const COLUMNS: [Column; 5] = [
        Column::Judgements,
        Column::Swing,
        Column::Accuracy,
        Column::TimeLeft,
        Column::BlunderTime,
    ];

    /// `true` if every game matches.
    pub(super) fn is_empty(&self) -> bool {
        *self == QualityFilter::default()
    }

    /// `true` if the values of a game in the columns match.
    pub(super) fn holds(
        &self,
        [judgements, swing, accuracy, time_left, blunder_time]: [u64; 5],
    ) -> bool {
        // Columns have values plus 1, and 0 for a game without the value.
        let known_swing = swing.checked_sub(1);
        let known_time_left = time_left.checked_sub(1);

        self.has_blunder(blunders(judgements))
            && is_in(self.swing, known_swing, 1)
            && self.has_accuracies(of_players(accuracy))
            && is_in(self.time_left, known_time_left, TENTHS)
            && self.has_blunder_time(blunder_times(blunder_time))
    }

    /// `true` if the required player made a blunder, by the numbers of blunders of White and of Black.
    fn has_blunder(&self, [white, black]: [u64; 2]) -> bool {
        match self.blunder {
            None => true,
            Some(Mover::White) => white > 0,
            Some(Mover::Black) => black > 0,
            Some(Mover::Any) => white > 0 || black > 0,
        }
    }

    /// `true` if a shortest time behind a blunder, in tenths of a second, matches.
    fn has_blunder_time(&self, [white, black]: [Option<u64>; 2]) -> bool {
        let is_short = |time| is_in(self.blunder_time, time, TENTHS);
        match self.blunder {
            Some(Mover::White) => is_short(white),
            Some(Mover::Black) => is_short(black),
            Some(Mover::Any) | None => is_short(white) || is_short(black),
        }
    }

    /// `true` if the accuracies, in hundredths of a percent, match.
    fn has_accuracies(&self, players: Option<[u64; 2]>) -> bool {
        let (white, black) = match players {
            Some([white, black]) => (Some(white), Some(black)),
            None => (None, None),
        };

        is_in(self.accuracy, white, HUNDREDTHS)
            && is_in(self.accuracy, black, HUNDREDTHS)
            && is_in(self.white_accuracy, white, HUNDREDTHS)
            && is_in(self.black_accuracy, black, HUNDREDTHS)
    }
}

/// Columns have clock times in tenths of a second.
const TENTHS: u64 = 10;
/// Columns have accuracies in hundredths of a percent.
const HUNDREDTHS: u64 = 100;

/// `true` if there are no bounds, or `number / parts` is known and within them.
fn is_in(bounds: Option<Bounds>, number: Option<u64>, parts: u64) -> bool {
    match (bounds, number) {
        (None, _) => true,
        (Some(bounds), Some(number)) => bounds.has_parts(number, parts),
        (Some(_), None) => false,
    }
}

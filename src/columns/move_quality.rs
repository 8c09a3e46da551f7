//! The quality of a game's moves, from `[%eval]` and `[%clk]` in the comments of its mainline.

use crate::board::Color;
use crate::game::{Accuracy, Judgement, MainlineEvaluations, Ply, Variant};
use crate::pgn::Commands;

/// The values of the columns for evaluations and clocks. A value is 0 if it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveQuality {
    /// The numbers of White's inaccuracies, mistakes and blunders, and of Black's, eight bits each.
    pub(super) judgements: u64,
    /// The greatest change of the evaluation in centipawns, plus 1.
    pub(super) swing: u64,
    /// White's accuracy in hundredths of a percent plus 1, and 16 bits higher Black's.
    pub(super) accuracy: u64,
    /// White's average centipawn loss in tenths plus 1, and 16 bits higher Black's.
    pub(super) centipawn_loss: u64,
    /// The shortest clock time after a move, in tenths of a second, plus 1.
    pub(super) time_left: u64,
    /// The shortest time after a blunder of White, in tenths of a second, plus 1, and 32 bits higher after a blunder of
    /// Black.
    pub(super) blunder_time: u64,
}

/// The bits of a number of bad moves. Numbers that do not fit are stored as [`MAX_COUNT`].
const COUNT_BITS: u32 = 8;
const MAX_COUNT: u64 = (1 << COUNT_BITS) - 1;
/// The bits of a player's accuracy or loss.
const PLAYER_BITS: u32 = 16;
/// The bits of a clock time in tenths of a second.
const TIME_BITS: u32 = 32;
/// The longest stored clock time. It fits in [`TIME_BITS`] after 1 is added.
const MAX_TENTHS: f64 = 4_000_000_000.0;

impl MoveQuality {
    /// Reads the commands in the comments of a game with a number of plies, from a FEN or the standard position.
    pub(super) fn read(
        commands: &[(Ply, Commands)],
        plies: u32,
        fen: Option<&str>,
        variant: Variant,
    ) -> MoveQuality {
        let mut quality = MoveQuality::default();
        for (_, time) in clock_times(commands) {
            quality.time_left = shorter(quality.time_left, time);
        }

        let evaluated = commands
            .iter()
            .filter_map(|(ply, commands)| Some((*ply, commands.evaluation?)));
        let has_evaluations = evaluated.clone().next().is_some();
        if has_evaluations {
            let evaluations = MainlineEvaluations::new(evaluated, fen, variant);
            quality.set_evaluations(&evaluations, plies);
            quality.set_blunder_times(&evaluations, commands);
        }

        quality
    }

    /// Sets the values that follow from the evaluations of a game with a number of plies.
    fn set_evaluations(&mut self, evaluations: &MainlineEvaluations, plies: u32) {
        for (_, player, judgement) in evaluations.judgements() {
            let shift = judgement_shift(player, judgement);
            let count = self.judgements >> shift & MAX_COUNT;

            // A greater count would carry into the bits of the next count.
            if count < MAX_COUNT {
                self.judgements += 1 << shift;
            }
        }

        // A column has 0 for a game without a value, so all values are stored plus 1.
        if let Some(swing) = evaluations.greatest_swing() {
            self.swing = u64::from(swing) + 1;
        }

        // An accuracy is at most 100 %, and evaluations beyond ten pawns count as ten, so both numbers fit in 16 bits.
        if let Some(players) = evaluations.accuracy(plies) {
            self.accuracy = packed(players, |player| player.percent * 100.0);
            self.centipawn_loss = packed(players, |player| player.centipawn_loss * 10.0);
        }
    }

    /// Sets the shortest clock times after blunders.
    fn set_blunder_times(
        &mut self,
        evaluations: &MainlineEvaluations,
        commands: &[(Ply, Commands)],
    ) {
        let mut times = clock_times(commands).peekable();
        let mut white_time = 0;
        let mut black_time = 0;

        for (ply, player, judgement) in evaluations.judgements() {
            // Judgements and clock times are both in the order of moves.
            while times.next_if(|(at, _)| *at < ply).is_some() {}
            if judgement == Judgement::Blunder
                && let Some((_, time)) = times.next_if(|(at, _)| *at == ply)
            {
                match player {
                    Color::White => white_time = shorter(white_time, time),
                    Color::Black => black_time = shorter(black_time, time),
                }
            }
        }

        self.blunder_time = white_time | black_time << TIME_BITS;
    }
}

/// The clock times after moves, in tenths of a second plus 1.
fn clock_times(commands: &[(Ply, Commands)]) -> impl Iterator<Item = (Ply, u64)> {
    commands.iter().filter_map(|(ply, commands)| {
        // A clock before the first move has the time of the start.
        if ply.get() == 0 {
            return None;
        }

        let seconds = commands.clock_seconds?;
        Some((*ply, tenths(seconds) + 1))
    })
}

/// The shorter of a known time and another time. The known time is 0 if there is none yet.
fn shorter(known: u64, time: u64) -> u64 {
    if known == 0 { time } else { known.min(time) }
}

/// The lowest bit of a player's number of bad moves with a judgement.
fn judgement_shift(player: Color, judgement: Judgement) -> u32 {
    let counts_before = match player {
        Color::White => 0,
        Color::Black => Judgement::ALL.len() as u32,
    };
    (counts_before + judgement as u32) * COUNT_BITS
}

/// A part of a tenth of a second that is added before rounding down: a product that is a bit below a whole number of
/// tenths must not lose a tenth.
const ROUNDING_TENTHS: f64 = 1e-6;

/// The whole tenths of a second, rounded down.
fn tenths(seconds: f64) -> u64 {
    let tenths = seconds * 10.0 + ROUNDING_TENTHS;
    tenths.clamp(0.0, MAX_TENTHS) as u64
}

/// A value of White in the low 16 bits and the value of Black in the next 16 bits, each rounded and plus 1.
fn packed(players: [Accuracy; 2], value: impl Fn(Accuracy) -> f64) -> u64 {
    let [white, black] = players.map(|player| value(player).round() as u64 + 1);
    white | black << PLAYER_BITS
}

/// The values of White and Black in a column of both players; `None` if they are not known.
pub(crate) fn of_players(value: u64) -> Option<[u64; 2]> {
    let mask = (1 << PLAYER_BITS) - 1;
    let white = value & mask;
    let black = value >> PLAYER_BITS & mask;

    Some([white.checked_sub(1)?, black.checked_sub(1)?])
}

/// The numbers of inaccuracies, mistakes and blunders of White and of Black in their column.
pub(crate) fn judgements(value: u64) -> [[u64; 3]; 2] {
    let counts_of = |player: Color| {
        Judgement::ALL.map(|judgement| {
            let shift = judgement_shift(player, judgement);
            value >> shift & MAX_COUNT
        })
    };

    [Color::White, Color::Black].map(counts_of)
}

/// The numbers of blunders of White and of Black in the column of judgements.
pub(crate) fn blunders(value: u64) -> [u64; 2] {
    judgements(value).map(|[_, _, blunders]| blunders)
}

/// The shortest times on the clocks of White and of Black behind a blunder, in tenths of a second.
pub(crate) fn blunder_times(value: u64) -> [Option<u64>; 2] {
    let mask = (1 << TIME_BITS) - 1;
    let white = value & mask;
    let black = value >> TIME_BITS;

    [white.checked_sub(1), black.checked_sub(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_players_share_a_column() {
        assert_eq!(of_players(0), None);
        assert_eq!(of_players(1 | 101 << PLAYER_BITS), Some([0, 100]));
        assert_eq!(blunder_times(0), [None, None]);
        assert_eq!(blunder_times(11 | 1 << TIME_BITS), [Some(10), Some(0)]);

        let blunder_of_black = 1 << judgement_shift(Color::Black, Judgement::Blunder);
        assert_eq!(judgements(blunder_of_black), [[0, 0, 0], [0, 0, 1]]);
        assert_eq!(blunders(blunder_of_black), [0, 1]);
    }

    #[test]
    fn times_are_rounded_down_to_tenths() {
        for (seconds, expected) in [(0.0, 0), (0.3, 3), (59.99, 599), (-1.0, 0), (f64::NAN, 0)] {
            assert_eq!(tenths(seconds), expected, "{seconds}");
        }
    }
}

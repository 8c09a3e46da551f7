//! Evaluations and clock times in the comments of a mainline, and what Lichess makes of them.

use super::Known;

/// The position after a number of half-moves, in centipawns for White.
#[derive(Clone, Copy, Debug)]
enum Score {
    Centipawns(f64),
    Mate(i64),
}

impl Score {
    /// Centipawns, limited to ten pawns. A mate counts as ten pawns.
    fn bounded(self) -> f64 {
        match self {
            Score::Centipawns(score) => score.clamp(-1000.0, 1000.0),
            Score::Mate(moves) => moves.signum() as f64 * 1000.0,
        }
    }
}

/// The first readable operand of a command in a comment.
fn operand<T>(comment: &str, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    for text in comment.split("[%").skip(1) {
        let Some((command, _)) = text.split_once(']') else {
            continue;
        };
        let Some(operands) = command.strip_prefix(name) else {
            continue;
        };
        let Some(operands) = operands.strip_prefix(' ') else {
            continue;
        };

        // A second operand of `[%eval]` is the depth.
        let first = operands.split(',').next().unwrap_or_default();
        let value = read(first.trim());
        if value.is_some() {
            return value;
        }
    }
    None
}

/// The shortest time, in full tenths of a second, since the database stores tenths.
fn shortest(times: impl Iterator<Item = f64>) -> Option<f64> {
    // More than the error of a binary fraction, and far less than a tenth.
    const ROUNDING: f64 = 1e-6;

    let seconds = times.reduce(f64::min)?;
    Some((seconds * 10.0 + ROUNDING).floor() / 10.0)
}

/// A score as in `[%eval]`: pawns with a point, centipawns without one, or `#` and the moves to mate.
fn score(text: &str) -> Option<Score> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Score::Mate);
    }

    let number: f64 = text.parse().ok()?;
    let is_in_pawns = text.contains('.');
    let centipawns = if is_in_pawns { 100.0 * number } else { number };
    Some(Score::Centipawns(centipawns.round()))
}

fn seconds(text: &str) -> Option<f64> {
    let mut all = 0.0;
    // Hours, minutes and seconds, or the last of them alone.
    for part in text.split(':') {
        let part: f64 = part.parse().ok()?;
        all = all * 60.0 + part;
    }
    Some(all)
}

/// The logistic function that Lichess has fitted to its games, from -1 to 1.
fn chances(centipawns: f64) -> f64 {
    (0.003_682_08 * centipawns / 2.0).tanh()
}

/// The accuracy of a move that loses a number of percents of winning chances, as Lichess has fitted it.
fn move_accuracy(lost: f64) -> f64 {
    if lost <= 0.0 {
        return 100.0;
    }
    let accuracy = 103.1668100711649 * (-0.04354415386753951 * lost).exp() - 2.166924740191411;
    accuracy.clamp(0.0, 100.0)
}

fn standard_deviation(figures: &[f64]) -> f64 {
    let count = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let squares = figures
        .iter()
        .map(|figure| (figure - mean) * (figure - mean));
    let variance = squares.sum::<f64>() / count;
    variance.sqrt()
}

impl Known {
    fn is_white(&self, ply: usize) -> bool {
        let fen = self.fen.as_deref();
        let begins = fen.is_none_or(|fen| !fen.contains(" b "));
        let is_odd = ply % 2 == 1;
        is_odd == begins
    }

    fn score_after(&self, ply: usize) -> Option<Score> {
        let own = self.operand_after(ply, "eval", score);
        if own.is_some() {
            return own;
        }

        // As on Lichess, the standard position and the starts of Chess960 have 0.15 pawns. Other starts have no score.
        let is_usual_start = ply == 0 && (self.fen.is_none() || self.variant == "chess960");
        is_usual_start.then_some(Score::Centipawns(15.0))
    }

    /// The first readable operand of a command in the comments after a number of half-moves.
    fn operand_after<T>(
        &self,
        ply: usize,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        for (at, comment) in &self.mainline_comments {
            if *at as usize != ply {
                continue;
            }
            let value = operand(comment, name, &read);
            if value.is_some() {
                return value;
            }
        }
        None
    }

    fn has_scores(&self) -> bool {
        self.mainline_comments
            .iter()
            .any(|(_, text)| operand(text, "eval", score).is_some())
    }

    fn last_ply(&self) -> usize {
        let plies = self.mainline_comments.iter().map(|(ply, _)| *ply as usize);
        plies.max().unwrap_or(0)
    }

    /// Whether a player has a blunder.
    pub(super) fn has_blunder_of(&self, wanted_white: bool) -> bool {
        !self.blunders_of(wanted_white).is_empty()
    }

    /// The shortest time on a player's clock behind one of the player's blunders.
    pub(super) fn blunder_time(&self, wanted_white: bool) -> Option<f64> {
        let blunders = self.blunders_of(wanted_white).into_iter();
        let times = blunders.filter_map(|ply| self.operand_after(ply, "clk", seconds));
        shortest(times)
    }

    /// The half-moves that are a player's blunders.
    fn blunders_of(&self, wanted_white: bool) -> Vec<usize> {
        if !self.has_scores() {
            return Vec::new();
        }

        let mut blunders = Vec::new();
        for ply in 1..=self.last_ply() {
            if self.is_white(ply) == wanted_white && self.is_blunder(ply) {
                blunders.push(ply);
            }
        }
        blunders
    }

    /// Whether a half-move is a blunder by the rules of Lichess: it loses 0.3 of the winning chances, allows a mate, or
    /// gives up a mate.
    fn is_blunder(&self, ply: usize) -> bool {
        const LOST_CHANCES: f64 = 0.3;
        // The formula of the program differs from `chances` in the last digits.
        const ROUNDING: f64 = 1e-12;
        // With a losing side that is more than 7 pawns behind anyway, a mate is only a mistake.
        const LOST_GAME: f64 = 700.0;

        let (Some(before), Some(after)) = (self.score_after(ply - 1), self.score_after(ply)) else {
            return false;
        };
        let sign = if self.is_white(ply) { 1.0 } else { -1.0 };
        match (before, after) {
            (Score::Centipawns(before), Score::Centipawns(after)) => {
                let lost = chances(before * sign) - chances(after * sign);
                lost >= LOST_CHANCES - ROUNDING
            }
            (Score::Centipawns(before), Score::Mate(mate)) => {
                let is_mated = (mate as f64) * sign < 0.0;
                is_mated && before * sign >= -LOST_GAME
            }
            (Score::Mate(mate), Score::Centipawns(after)) => {
                let could_mate = (mate as f64) * sign > 0.0;
                could_mate && after * sign <= LOST_GAME
            }
            (Score::Mate(before), Score::Mate(after)) => {
                let could_mate = (before as f64) * sign > 0.0;
                let is_mated = (after as f64) * sign < 0.0;
                could_mate && is_mated
            }
        }
    }

    /// The greatest change of the evaluation by one move.
    pub(super) fn swing(&self) -> Option<f64> {
        if !self.has_scores() {
            return None;
        }

        let change = |ply: usize| {
            let before = self.score_after(ply - 1)?;
            let after = self.score_after(ply)?;
            Some((before.bounded() - after.bounded()).abs())
        };
        let changes = (1..=self.last_ply()).filter_map(change);
        changes.reduce(f64::max)
    }

    /// The shortest time on a clock behind a move.
    pub(super) fn time_left(&self) -> Option<f64> {
        let comments = self.mainline_comments.iter();
        // A clock before the first move is no time after a move.
        let behind_moves = comments.filter(|(ply, _)| *ply > 0);
        let times = behind_moves.filter_map(|(_, comment)| operand(comment, "clk", seconds));
        shortest(times)
    }

    /// The accuracy of White or Black in percent, like Lichess's accuracy of a game: the mean of two means over the
    /// player's moves, one weighted by the volatility of the position, the other one harmonic.
    pub(super) fn accuracy(&self, is_white: bool) -> Option<f64> {
        let scores: Vec<Score> = (0..).map_while(|ply| self.score_after(ply)).collect();
        if !self.are_all_known(&scores) {
            return None;
        }

        let percent = |score: &Score| 50.0 + 50.0 * chances(score.bounded());
        let percents: Vec<f64> = scores.iter().map(percent).collect();
        let moves = percents.len() - 1;
        // The volatility at a move is measured in a window of positions, whose width grows with the game.
        let width = (moves / 10).clamp(2, 8);
        // The percents are White's, and a loss of the player must be positive.
        let sign = if is_white { 1.0 } else { -1.0 };

        let (mut weighted, mut weights) = (0.0, 0.0);
        let (mut inverse, mut count) = (0.0, 0.0);
        for ply in (1..=moves).filter(|&ply| self.is_white(ply) == is_white) {
            let lost = sign * (percents[ply - 1] - percents[ply]);
            let accuracy = move_accuracy(lost);

            // The window that ends with this move; the first moves share the first window.
            let first = (ply + 1).saturating_sub(width);
            let end = (first + width).min(percents.len());
            let weight = standard_deviation(&percents[first..end]).clamp(0.5, 12.0);

            weighted += weight * accuracy;
            weights += weight;
            // An accuracy of zero has no inverse.
            inverse += 1.0 / accuracy.max(1.0);
            count += 1.0;
        }

        let weighted_mean = weighted / weights;
        let harmonic_mean = count / inverse;
        let percent = (weighted_mean + harmonic_mean) / 2.0;
        Some((percent * 100.0).round() / 100.0)
    }

    /// Whether the scores from the start on are all scores of the game, and enough for an accuracy: every position
    /// except the last one needs a score, and both players must have moved.
    fn are_all_known(&self, scores: &[Score]) -> bool {
        let mut plies = 0..=self.last_ply();
        let last_score = plies.rfind(|&ply| self.score_after(ply).is_some());
        // The scores begin with the score of the start, so `n` of them end at ply `n - 1`. Without scores, the number
        // wraps to one that no ply has.
        let has_no_gap = last_score == Some(scores.len().wrapping_sub(1));

        // One position may be without a score: the last one, which is often a mate or a stalemate.
        let is_long_enough = scores.len() >= self.plies as usize;
        let have_both_moved = scores.len() > 2;
        has_no_gap && is_long_enough && have_both_moved && self.has_scores()
    }
}

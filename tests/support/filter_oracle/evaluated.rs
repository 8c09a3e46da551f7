//! Evaluations and clock times in the comments of a mainline, and what Lichess makes of them.

use super::Known;

/// The position after a number of half-moves, in centipawns for White.
#[derive(Clone, Copy, Debug)]
enum Score {
    Centipawns(f64),
    Mate(i64),
}

impl Score {
    /// A mate is ten pawns, which is the most.
    fn bounded(self) -> f64 {
        match self {
            Score::Centipawns(score) => score.clamp(-1000.0, 1000.0),
            Score::Mate(moves) => moves.signum() as f64 * 1000.0,
        }
    }
}

/// The first readable operand of a command in a comment.
fn operand<T>(comment: &str, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    let commands = comment
        .split("[%")
        .skip(1)
        .filter_map(|text| text.split_once(']'));
    let mut operands = commands.filter_map(|(text, _)| text.strip_prefix(name)?.strip_prefix(' '));
    operands.find_map(|text| read(text.split(',').next()?.trim()))
}

fn score(text: &str) -> Option<Score> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Score::Mate);
    }
    let factor = if text.contains('.') { 100.0 } else { 1.0 };
    let number: f64 = text.parse().ok()?;
    Some(Score::Centipawns((number * factor).round()))
}

fn seconds(text: &str) -> Option<f64> {
    let mut all = 0.0;
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

impl Known {
    fn is_white(&self, ply: usize) -> bool {
        let begins = self.fen.as_deref().is_none_or(|fen| !fen.contains(" b "));
        (ply % 2 == 1) == begins
    }

    fn score_after(&self, ply: usize) -> Option<Score> {
        let here = self
            .mainline_comments
            .iter()
            .filter(|(at, _)| *at as usize == ply);
        let own = here
            .filter_map(|(_, comment)| operand(comment, "eval", score))
            .next();
        let is_usual = ply == 0 && (self.fen.is_none() || self.variant == "chess960");
        own.or(is_usual.then_some(Score::Centipawns(15.0)))
    }

    fn has_scores(&self) -> bool {
        self.mainline_comments
            .iter()
            .any(|(_, text)| operand(text, "eval", score).is_some())
    }

    fn last_ply(&self) -> usize {
        self.mainline_comments
            .iter()
            .map(|(ply, _)| *ply as usize)
            .max()
            .unwrap_or(0)
    }

    /// Whether a player has a blunder.
    pub(super) fn has_blunder_of(&self, wanted_white: bool) -> bool {
        !self.blunders_of(wanted_white).is_empty()
    }

    /// The shortest time on a player's clock behind one of the player's blunders.
    pub(super) fn blunder_time(&self, wanted_white: bool) -> Option<f64> {
        let blunders = self.blunders_of(wanted_white);
        let times = blunders.into_iter().filter_map(|ply| {
            let here = self
                .mainline_comments
                .iter()
                .filter(|(at, _)| *at as usize == ply);
            here.filter_map(|(_, comment)| operand(comment, "clk", seconds))
                .next()
        });
        times
            .reduce(f64::min)
            .map(|time| (time * 10.0 + 1e-6).floor() / 10.0)
    }

    /// The half-moves that are a player's blunders: a loss of 0.3 winning chances, a mate allowed or missed.
    fn blunders_of(&self, wanted_white: bool) -> Vec<usize> {
        if !self.has_scores() {
            return Vec::new();
        }
        let of_player = (1..=self.last_ply()).filter(|&ply| self.is_white(ply) == wanted_white);
        let is_blunder = |ply: &usize| {
            let ply = *ply;
            let sign = if wanted_white { 1.0 } else { -1.0 };
            match (self.score_after(ply - 1), self.score_after(ply)) {
                (Some(Score::Centipawns(before)), Some(Score::Centipawns(after))) => {
                    chances(before * sign) - chances(after * sign) >= 0.3 - 1e-12
                }
                (Some(Score::Centipawns(before)), Some(Score::Mate(mate))) => {
                    (mate as f64) * sign < 0.0 && before * sign >= -700.0
                }
                (Some(Score::Mate(mate)), Some(Score::Centipawns(after))) => {
                    (mate as f64) * sign > 0.0 && after * sign <= 700.0
                }
                (Some(Score::Mate(before)), Some(Score::Mate(after))) => {
                    (before as f64) * sign > 0.0 && (after as f64) * sign < 0.0
                }
                _ => false,
            }
        };
        of_player.filter(is_blunder).collect()
    }

    /// The greatest change of the evaluation.
    pub(super) fn swing(&self) -> Option<f64> {
        let change = |ply: usize| {
            let [before, after] = [self.score_after(ply - 1)?, self.score_after(ply)?];
            Some((before.bounded() - after.bounded()).abs())
        };
        let changes = (1..=self.last_ply())
            .filter_map(change)
            .filter(|_| self.has_scores());
        changes.reduce(f64::max)
    }

    /// The shortest time on a clock behind a move.
    pub(super) fn time_left(&self) -> Option<f64> {
        let behind = self.mainline_comments.iter().filter(|(ply, _)| *ply > 0);
        let times = behind.filter_map(|(_, comment)| operand(comment, "clk", seconds));
        times
            .reduce(f64::min)
            .map(|time| (time * 10.0 + 1e-6).floor() / 10.0)
    }

    /// The accuracy of White or Black in percent.
    pub(super) fn accuracy(&self, is_white: bool) -> Option<f64> {
        let scores: Vec<Score> = (0..).map_while(|ply| self.score_after(ply)).collect();
        let last_score = (0..=self.last_ply()).rfind(|&ply| self.score_after(ply).is_some());
        let is_whole = last_score == Some(scores.len().wrapping_sub(1))
            && scores.len() >= self.plies as usize
            && scores.len() > 2
            && self.has_scores();
        if !is_whole {
            return None;
        }
        let percents: Vec<f64> = scores
            .iter()
            .map(|score| 50.0 + 50.0 * chances(score.bounded()))
            .collect();
        let moves = percents.len() - 1;
        let width = (moves / 10).clamp(2, 8);
        let (mut weighted, mut weights, mut inverse, mut count) = (0.0, 0.0, 0.0, 0.0);
        for ply in (1..=moves).filter(|&ply| self.is_white(ply) == is_white) {
            let sign = if is_white { 1.0 } else { -1.0 };
            let lost = sign * (percents[ply - 1] - percents[ply]);
            let accuracy = match lost > 0.0 {
                true => 103.1668100711649 * (-0.04354415386753951 * lost).exp() - 2.166924740191411,
                false => 100.0,
            };
            let accuracy = accuracy.clamp(0.0, 100.0);
            // The window that ends with this move; the first moves share the first.
            let first = (ply + 1).saturating_sub(width);
            let window = &percents[first..(first + width).min(percents.len())];
            let mean = window.iter().sum::<f64>() / window.len() as f64;
            let variance = window
                .iter()
                .map(|percent| (percent - mean) * (percent - mean))
                .sum::<f64>()
                / window.len() as f64;
            let weight = variance.sqrt().clamp(0.5, 12.0);
            weighted += weight * accuracy;
            weights += weight;
            inverse += 1.0 / accuracy.max(1.0);
            count += 1.0;
        }
        let percent = (weighted / weights + count / inverse) / 2.0;
        Some((percent * 100.0).round() / 100.0)
    }
}

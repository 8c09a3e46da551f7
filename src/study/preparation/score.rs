//! The score of the opponent over the games of a line.

use super::games::OpponentGames;
use crate::query::player::PlayerScore;

/// The opponent's results in the games of a line, and the trend of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LineScore {
    /// All games, as the opponent sees them.
    pub score: PlayerScore,
    /// The number of games since [`Preparation::recent_since`](super::Preparation::recent_since).
    pub recent: u64,
    /// The earlier and the later half of the finished games with a date. The later half of an odd number has one game
    /// more.
    pub halves: [HalfScore; 2],
}

/// A half of the finished games of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HalfScore {
    /// The number of games.
    pub games: u64,
    /// The opponent's score in half points.
    pub half_points: u64,
}

impl HalfScore {
    /// The score in per cent; `None` without games.
    pub fn per_cent(&self) -> Option<f64> {
        if self.games == 0 {
            return None;
        }
        Some(50.0 * self.half_points as f64 / self.games as f64)
    }
}

impl LineScore {
    /// The score of some games, by their places in the order of dates.
    pub(super) fn count(games: &OpponentGames, places: &[u32]) -> LineScore {
        let mut line = LineScore::default();
        let mut finished = Vec::new();
        for &place in places {
            let game = &games.list[place as usize];
            line.score.add(game.side);
            line.recent += u64::from(games.is_recent(game));

            // Only games with a date belong to the earlier or the later half.
            if game.side.date.is_some() {
                finished.extend(game.side.half_points());
            }
        }

        let (earlier, later) = finished.split_at(finished.len() / 2);
        line.halves = [earlier, later].map(|half| HalfScore {
            games: half.len() as u64,
            half_points: half.iter().sum(),
        });

        line
    }

    /// The number of all games, including games without a result.
    pub fn all_games(&self) -> u64 {
        self.score.all_games()
    }

    /// The Wilson score interval of the opponent's score at 95 per cent confidence, in per cent; `None` without a
    /// finished game.
    ///
    /// A draw counts as half a success, so the interval is too wide rather than too narrow.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let games = self.score.finished();
        let share = self.score.per_cent()? / 100.0;
        Some(wilson(share, games as f64))
    }

    /// The change from the earlier to the later half in percentage points, if each has at least `games` games.
    pub fn trend(&self, games: u64) -> Option<f64> {
        let [earlier, later] = self.halves;
        if earlier.games < games || later.games < games {
            return None;
        }

        Some(later.per_cent()? - earlier.per_cent()?)
    }
}

/// The bounds of the Wilson score interval (Wilson 1927) at 95 per cent, in per cent.
fn wilson(share: f64, games: f64) -> (f64, f64) {
    /// The 97.5th percentile of the standard normal distribution.
    const Z: f64 = 1.959_963_985;

    let z2 = Z * Z / games;
    let variance = (share * (1.0 - share) + z2 / 4.0) / games;

    // Both lack the division by `1 + z²/n`.
    let center = share + z2 / 2.0;
    let half_width = Z * variance.sqrt();

    let bound = |value: f64| {
        let per_cent = 100.0 * value / (1.0 + z2);
        per_cent.clamp(0.0, 100.0)
    };
    (bound(center - half_width), bound(center + half_width))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    macro_rules! intervals {
        ($($name:ident: $share:expr, $games:expr => $low:expr, $high:expr;)*) => {$(
            #[test]
            fn $name() {
                let (low, high) = wilson($share, $games);
                assert_eq!((format!("{low:.1}"), format!("{high:.1}")), ($low.into(), $high.into()));
            }
        )*};
    }

    // Published examples: 0 of 10, 5 of 10, 10 of 10, 50 of 100.
    intervals! {
        none: 0.0, 10.0 => "0.0", "27.8";
        half_of_ten: 0.5, 10.0 => "23.7", "76.3";
        all: 1.0, 10.0 => "72.2", "100.0";
        half_of_a_hundred: 0.5, 100.0 => "40.4", "59.6";
    }
}

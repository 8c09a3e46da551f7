//! The score of a player.

use schemars::JsonSchema;
use serde::Serialize;

use super::{one_decimal, rounded};
use crate::query::player::PlayerScore;

/// Games of a player, as the player sees them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Score {
    /// All games, including games without a result.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The score in games with a result, in per cent with one decimal.
    pub score: Option<f64>,
    /// The average Elo of the player.
    pub average_elo: Option<i64>,
    /// The highest Elo of the player.
    pub highest_elo: Option<u16>,
    /// The average Elo of opponents in games with a result.
    pub opponent_elo: Option<i64>,
    /// The performance rating against these opponents.
    pub performance: Option<i64>,
    /// The earliest date of a game.
    pub first_date: Option<String>,
    /// The latest date of a game.
    pub last_date: Option<String>,
}

impl From<&PlayerScore> for Score {
    fn from(score: &PlayerScore) -> Score {
        Score {
            games: score.all_games(),
            wins: score.won,
            draws: score.drawn,
            losses: score.lost,
            score: score.per_cent().map(one_decimal),
            average_elo: score.elo.mean().map(rounded),
            highest_elo: score.highest_elo.map(u16::from),
            opponent_elo: score.opponent_elo.mean().map(rounded),
            performance: score.performance().map(rounded),
            first_date: score.first.map(|date| date.to_string()),
            last_date: score.last.map(|date| date.to_string()),
        }
    }
}

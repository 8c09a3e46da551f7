//! Numbers of games by their results.

use schemars::JsonSchema;
use serde::Serialize;

use crate::query::Counts;

/// Numbers of games by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Results {
    /// All games.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games without a known result.
    pub unfinished: u64,
}

impl Results {
    /// Adds the games of other results.
    pub fn add(&mut self, others: &Results) {
        self.games += others.games;
        self.white += others.white;
        self.draws += others.draws;
        self.black += others.black;
        self.unfinished += others.unfinished;
    }
}

impl From<&Counts> for Results {
    fn from(counts: &Counts) -> Results {
        Results {
            games: counts.all_games(),
            white: counts.white,
            draws: counts.draws,
            black: counts.black,
            unfinished: counts.unfinished,
        }
    }
}

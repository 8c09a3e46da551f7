//! The depth of a check, and its result.

use super::fault::Faults;

/// The number of games that are replayed and compared with the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Some thousand games, spread over all segments. Each run compares equal games.
    Sample,
    /// All games.
    Full,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The faults found.
    pub faults: Faults,
    /// The number of games in the database.
    pub games: u64,
    /// The number of games that were replayed and compared with the index.
    pub compared: u64,
    /// The number of positions in the compared games.
    pub positions: u64,
    /// The number of blocks of the index, all of which were decoded.
    pub blocks: u64,
}

/// The approximate number of games in a sample.
const SAMPLE_GAMES: u64 = 4096;

impl Depth {
    /// The step between compared games when there are `games` in all.
    pub(super) fn step(self, games: u64) -> u64 {
        match self {
            Depth::Full => 1,
            Depth::Sample => games.div_ceil(SAMPLE_GAMES).max(1),
        }
    }
}

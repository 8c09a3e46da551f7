//! How far a check goes, and what it has found.

use super::fault::Faults;

/// How many games are replayed and compared with the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Some thousand, spread over all segments, the same in each run.
    Sample,
    /// All.
    Full,
}

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What is wrong.
    pub faults: Faults,
    /// The games in the database.
    pub games: u64,
    /// Those of them that were replayed and compared with the index.
    pub compared: u64,
    /// The positions of these.
    pub positions: u64,
    /// The blocks of the index, all of which were decoded.
    pub blocks: u64,
}

/// About so many games are compared when not all are.
const SAMPLE_GAMES: u64 = 4096;

impl Depth {
    /// Each game of so many is compared, where there are so many in all.
    pub(super) fn step(self, games: u64) -> u64 {
        match self {
            Depth::Full => 1,
            Depth::Sample => games.div_ceil(SAMPLE_GAMES).max(1),
        }
    }
}

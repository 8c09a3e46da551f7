//! What is counted of a game.

use std::num::NonZeroU16;

use super::PartialDate;
use crate::pgn::Termination;

/// What is counted of a game wherever one of its positions is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// How it ended.
    pub result: Termination,
    /// White's Elo, up to 9999, when it is known.
    pub white_elo: Option<NonZeroU16>,
    /// Black's.
    pub black_elo: Option<NonZeroU16>,
    /// The year of its date, up to 9999, when it is known.
    pub year: Option<NonZeroU16>,
}

impl Default for GameFacts {
    fn default() -> GameFacts {
        GameFacts { result: Termination::Unknown, white_elo: None, black_elo: None, year: None }
    }
}

/// The year of a Date tag, where it is known.
pub(crate) fn year(date: &str) -> Option<NonZeroU16> {
    NonZeroU16::new(PartialDate::from_tag(date)?.year())
}

/// A rating as a column has it, where it is known: up to 9999.
pub(crate) fn known_elo(value: u64) -> Option<NonZeroU16> {
    let elo = u16::try_from(value).ok().filter(|&elo| elo <= 9999);
    elo.and_then(NonZeroU16::new)
}

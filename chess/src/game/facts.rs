//! The attributes of games that are aggregated in counts.

use std::num::NonZeroU16;

use super::PartialDate;
use crate::pgn::Termination;

/// The highest rating that counts as known.
const MAX_ELO: u16 = 9999;

/// The attributes of a game that are counted for each of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// The result.
    pub result: Termination,
    /// White's Elo, up to 9999, if known.
    pub white_elo: Option<NonZeroU16>,
    /// Black's Elo.
    pub black_elo: Option<NonZeroU16>,
    /// The year of its date, up to 9999, if known.
    pub year: Option<NonZeroU16>,
}

/// The year of a Date tag, if known.
pub fn year(date: &str) -> Option<NonZeroU16> {
    NonZeroU16::new(PartialDate::from_tag(date)?.year())
}

/// A rating from a column, if known: 1 to 9999.
pub fn known_elo(value: u64) -> Option<NonZeroU16> {
    let elo = u16::try_from(value).ok()?;
    if elo > MAX_ELO {
        return None;
    }
    NonZeroU16::new(elo)
}

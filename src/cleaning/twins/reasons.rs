//! Why two games are twins: the facts on which they agree, for people who check which games were joined.

use std::fmt;

/// A fact on which twins agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum TwinReason {
    /// Moves are equal or nearly equal.
    Moves = 1,
    /// Both names agree.
    Players = 1 << 1,
    /// One name agrees.
    OnePlayer = 1 << 2,
    /// The full dates are equal.
    Date = 1 << 3,
    /// The years are equal, and no known part of the dates differs.
    Year = 1 << 4,
    /// The rounds are equal.
    Round = 1 << 5,
    /// The results are equal.
    Result = 1 << 6,
    /// The events share words.
    Event = 1 << 7,
    /// The sites share words.
    Site = 1 << 8,
    /// The ratings are equal.
    Ratings = 1 << 9,
}

impl TwinReason {
    const ALL: [TwinReason; 10] = [
        TwinReason::Moves,
        TwinReason::Players,
        TwinReason::OnePlayer,
        TwinReason::Date,
        TwinReason::Year,
        TwinReason::Round,
        TwinReason::Result,
        TwinReason::Event,
        TwinReason::Site,
        TwinReason::Ratings,
    ];

    /// The name of the reason in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            TwinReason::Moves => "moves",
            TwinReason::Players => "players",
            TwinReason::OnePlayer => "one player",
            TwinReason::Date => "date",
            TwinReason::Year => "year",
            TwinReason::Round => "round",
            TwinReason::Result => "result",
            TwinReason::Event => "event",
            TwinReason::Site => "site",
            TwinReason::Ratings => "ratings",
        }
    }
}

/// A set of reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TwinReasons(u16);

impl TwinReasons {
    pub(super) fn add(&mut self, reason: TwinReason) {
        self.0 |= reason as u16;
    }

    /// All reasons.
    pub(super) const fn all() -> TwinReasons {
        TwinReasons(u16::MAX)
    }

    /// The reasons that both sets have.
    #[must_use]
    pub const fn and(self, other: TwinReasons) -> TwinReasons {
        TwinReasons(self.0 & other.0)
    }

    /// The reasons in the set.
    pub fn iter(self) -> impl Iterator<Item = TwinReason> {
        TwinReason::ALL
            .into_iter()
            .filter(move |&reason| self.0 & reason as u16 != 0)
    }
}

impl fmt::Display for TwinReasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, reason) in self.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            f.write_str(reason.as_str())?;
        }
        Ok(())
    }
}

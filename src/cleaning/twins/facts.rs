//! The facts about games, without their moves, that the search for twins compares.

use crate::cleaning::names::Round;
use crate::pgn::Termination;

/// The number of days within which two dates are near: a week.
const NEAR_DAYS: u32 = 7;

/// A date as far as it is known; 0 stands for `?`.
///
/// A [`PartialDate`](crate::game::PartialDate) has a year, and has a day only with its month. This type also has days
/// without a month, which are compared, and dates without a year, which match no date and contradict none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameDate {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

impl GameDate {
    /// Reads a date such as `1982.??.??`. A part that is no number is unknown.
    ///
    /// ```
    /// use stamma::cleaning::twins::GameDate;
    /// assert_eq!(GameDate::parse("1982.03.??"), GameDate { year: 1982, month: 3, day: 0 });
    /// assert_eq!(GameDate::parse("?"), GameDate::default());
    /// ```
    pub fn parse(text: &str) -> GameDate {
        let mut numbers = text
            .split(['.', '-', '/'])
            .map(|part| part.trim().parse::<u16>().unwrap_or(0));
        let year = numbers.next().unwrap_or(0);
        let month = numbers.next().unwrap_or(0);
        let day = numbers.next().unwrap_or(0);

        let up_to = |max: u16, number: u16| if number <= max { number as u8 } else { 0 };
        GameDate {
            year,
            month: up_to(12, month),
            day: up_to(31, day),
        }
    }

    /// The number of known parts: year, month and day.
    pub fn known_parts(self) -> u8 {
        u8::from(self.year > 0) + u8::from(self.month > 0) + u8::from(self.day > 0)
    }

    /// `true` if year, month and day are known.
    pub(super) fn is_full(self) -> bool {
        self.known_parts() == 3
    }

    /// The approximate number of days between two dates, with years of 365 days and months of 30. An unknown part
    /// counts as 0.
    fn days_apart(self, other: GameDate) -> u32 {
        let days = |date: GameDate| {
            let days_of_years = 365 * u32::from(date.year);
            let days_of_months = 30 * u32::from(date.month);
            days_of_years + days_of_months + u32::from(date.day)
        };

        days(self).abs_diff(days(other))
    }

    /// Compares two dates. In one year, an unknown month or day agrees with any other.
    pub(super) fn compare(self, other: GameDate) -> DateMatch {
        if self.year == 0 || other.year == 0 {
            return DateMatch::Unknown;
        }

        let are_full = self.is_full() && other.is_full();
        if self.year != other.year {
            let is_same_day = (self.month, self.day) == (other.month, other.day);
            return match self.year.abs_diff(other.year) {
                1 if are_full && self.days_apart(other) <= NEAR_DAYS => DateMatch::Near,
                _ if are_full && !is_same_day => DateMatch::OtherDay,
                1 => DateMatch::NextYear,
                _ => DateMatch::Far,
            };
        }

        let differ = |mine: u8, yours: u8| mine != yours && mine > 0 && yours > 0;
        if !differ(self.month, other.month) && !differ(self.day, other.day) {
            return if are_full {
                DateMatch::Equal
            } else {
                DateMatch::Compatible
            };
        }

        let is_swapped = (self.month, self.day) == (other.day, other.month);
        if is_swapped || self.days_apart(other) <= NEAR_DAYS {
            DateMatch::Near
        } else {
            DateMatch::SameYear
        }
    }
}

/// The likeness of two dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateMatch {
    /// The same day.
    Equal,
    /// The same year, and no known part differs.
    Compatible,
    /// A year is missing.
    Unknown,
    /// A week apart at most, or month and day exchanged.
    Near,
    /// The same year, with another month or day.
    SameYear,
    /// The year before or after.
    NextYear,
    /// Full dates of different years with another day and month.
    OtherDay,
    /// Years further apart, without full dates of another day and month.
    Far,
}

/// The facts about a game without its moves, in 64 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// A hash of start position and mainline, equal for equal moves.
    pub moves_hash: u64,
    /// A hash of the start position; 0 for the standard position.
    pub start: u32,
    /// Half-moves of the mainline.
    pub plies: u32,
    /// Index of White's name among the names of the search.
    pub white: u32,
    /// Index of Black's name.
    pub black: u32,
    /// Index of the event among the texts of the search.
    pub event: u32,
    /// Index of the site.
    pub site: u32,
    /// The source the game comes from, in the order of preference.
    pub source: u32,
    /// The date.
    pub date: GameDate,
    /// The round.
    pub round: Round,
    /// The result.
    pub result: Termination,
    /// White's rating; 0 for none.
    pub white_elo: u16,
    /// Black's rating.
    pub black_elo: u16,
    /// Bytes of comments, NAGs and variations.
    pub annotations: u32,
    /// The number of tags whose values are known.
    pub tags: u16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_take_little_memory() {
        assert!(size_of::<GameFacts>() <= 64);
    }

    macro_rules! dates {
        ($($name:ident: $a:literal, $b:literal => $found:ident;)*) => {
            $(#[test] fn $name() {
                assert_eq!(GameDate::parse($a).compare(GameDate::parse($b)), DateMatch::$found);
                assert_eq!(GameDate::parse($b).compare(GameDate::parse($a)), DateMatch::$found);
            })*
        };
    }

    dates! {
        equal: "1982.03.04", "1982.03.04" => Equal;
        year_alone: "1982.03.04", "1982.??.??" => Compatible;
        no_year: "????.??.??", "1982.03.04" => Unknown;
        a_day_off: "1982.03.04", "1982.03.05" => Near;
        exchanged: "1982.03.04", "1982.04.03" => Near;
        other_month: "1982.03.??", "1982.09.??" => SameYear;
        new_year: "1981.12.31", "1982.01.01" => Near;
        year_off: "1981.??.??", "1982.??.??" => NextYear;
        year_misspelt: "1982.03.04", "1983.03.04" => NextYear;
        other_day_of_another_year: "1982.03.04", "1983.09.01" => OtherDay;
        decades_apart: "1892.??.??", "1982.??.??" => Far;
        rubbish: "yesterday", "1982.03.04" => Unknown;
    }
}

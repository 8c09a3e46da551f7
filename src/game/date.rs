//! Dates of which parts may be unknown, as numbers that can be compared.

use std::fmt;
use std::str::FromStr;

use crate::storage::year;

/// A date of which the day, or the month too, may be unknown.
///
/// ```
/// use stamma::columns::PartialDate;
/// let date: PartialDate = "1950.??.??".parse().expect("a year");
/// let since: PartialDate = "1950".parse().expect("a year");
/// assert!(date.is_since(since) && date.is_until(since));
/// assert!(!date.is_since("1950.02".parse().expect("a month")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate(u32);

const DAY_BITS: u32 = 5;
const MONTH_BITS: u32 = 4;

/// A text that is no date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a year, a month or a day, like 1972, 1972.07 or 1972.07.23")]
pub struct ParseDateError;

impl PartialDate {
    fn new(year: u32, month: u32, day: u32) -> PartialDate {
        PartialDate(year << (MONTH_BITS + DAY_BITS) | month << DAY_BITS | day)
    }

    /// Reads the value of a Date tag as far as it says something: `1972.07.23`, `1972.7.2`, `1972.??.??`, `1972`. Nothing
    /// without a year. A day without its month says nothing, and neither does what no calendar has.
    pub(crate) fn from_tag(text: &str) -> Option<PartialDate> {
        let year = year(text)?;
        let mut parts = text.split(['.', '-', '/']).skip(1);
        let mut part = |most: u32| {
            let text = parts.next().unwrap_or_default();
            let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
            let number = text[..digits].parse().ok();
            number.filter(|number| (1..=most).contains(number)).unwrap_or(0)
        };
        let (month, day) = (part(12), part(31));
        let day = if month == 0 { 0 } else { day };
        Some(PartialDate::new(year.get().into(), month, day))
    }

    /// The number that stands for it; greater for later dates, and never 0.
    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// The date with a number, nothing for 0.
    pub(crate) fn from_code(code: u64) -> Option<PartialDate> {
        u32::try_from(code).ok().filter(|&code| code > 0).map(PartialDate)
    }

    /// The year, 1 to 9999.
    pub fn year(self) -> u16 {
        (self.0 >> (MONTH_BITS + DAY_BITS)) as u16
    }

    fn month(self) -> u32 {
        self.0 >> DAY_BITS & ((1 << MONTH_BITS) - 1)
    }

    fn day(self) -> u32 {
        self.0 & ((1 << DAY_BITS) - 1)
    }

    /// The first day that it may be.
    fn first(self) -> PartialDate {
        PartialDate::new(self.year().into(), self.month().max(1), self.day().max(1))
    }

    /// The last day that it may be.
    fn last(self) -> PartialDate {
        let or = |part, most| if part == 0 { most } else { part };
        PartialDate::new(self.year().into(), or(self.month(), 12), or(self.day(), 31))
    }

    /// Whether it is not before the beginning of another, whatever its unknown parts are.
    pub fn is_since(self, since: PartialDate) -> bool {
        self.first() >= since.first()
    }

    /// Whether it is not after the end of another, whatever its unknown parts are.
    pub fn is_until(self, until: PartialDate) -> bool {
        self.last() <= until.last()
    }
}

impl FromStr for PartialDate {
    type Err = ParseDateError;

    /// Reads a date that somebody asks for: all of it must be understood.
    fn from_str(text: &str) -> Result<PartialDate, ParseDateError> {
        let date = PartialDate::from_tag(text).ok_or(ParseDateError)?;
        let has_year = text.len() == 4 || text[4..].starts_with(['.', '-', '/']);
        let is_part = |part: &str, known: u32| {
            let letter = if known > 0 { u8::is_ascii_digit } else { |byte: &u8| *byte == b'?' };
            part.bytes().all(|byte| letter(&byte))
        };
        let mut parts = text.split(['.', '-', '/']).skip(1);
        let is_understood = has_year
            && parts.next().is_none_or(|month| is_part(month, date.month()))
            && parts.next().is_none_or(|day| is_part(day, date.day()))
            && parts.next().is_none();
        is_understood.then_some(date).ok_or(ParseDateError)
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year())?;
        for part in [self.month(), self.day()] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! dates {
        ($($name:ident: $text:expr => $tag:expr, $asked:expr;)*) => {$(
            #[test]
            fn $name() {
                let said = |date: PartialDate| date.to_string();
                let tag: Option<&str> = $tag;
                assert_eq!(PartialDate::from_tag($text).map(said).as_deref(), tag);
                assert_eq!($text.parse::<PartialDate>().is_ok(), $asked);
            }
        )*};
    }

    dates! {
        whole: "1972.07.23" => Some("1972.07.23"), true;
        of_iso: "1972-07-23" => Some("1972.07.23"), true;
        no_day: "1972.07.??" => Some("1972.07.??"), true;
        a_month: "1972.07" => Some("1972.07.??"), true;
        short: "1972.7.2" => Some("1972.07.02"), true;
        more_behind_the_day: "1972.07.23`" => Some("1972.07.23"), false;
        no_month: "1972.??.23" => Some("1972.??.??"), false;
        a_year: "1972" => Some("1972.??.??"), true;
        no_year: "????.07.23" => None, false;
        half_a_year: "19??.??.??" => None, false;
        a_year_and_more: "1972 (?)" => Some("1972.??.??"), false;
        zero: "0000.00.00" => None, false;
        no_such_month: "1972.13.01" => Some("1972.??.??"), false;
        no_such_day: "1972.02.32" => Some("1972.02.??"), false;
        words: "October 2023" => None, false;
        more: "1972.07.23.1" => Some("1972.07.23"), false;
        nothing: "" => None, false;
    }

    macro_rules! compares {
        ($($name:ident: $date:expr, $asked:expr => $since:expr, $until:expr;)*) => {$(
            #[test]
            fn $name() {
                let date: PartialDate = $date.parse().expect("a date");
                let asked = $asked.parse().expect("a date");
                assert_eq!((date.is_since(asked), date.is_until(asked)), ($since, $until));
            }
        )*};
    }

    compares! {
        a_day_in_its_month: "1972.07.23", "1972.07" => true, true;
        a_month_and_a_day_in_it: "1972.07.??", "1972.07.02" => false, false;
        a_month_and_its_first_day: "1972.07.??", "1972.07.01" => true, false;
        a_month_and_its_last_day: "1972.07.??", "1972.07.31" => false, true;
        a_year_and_a_later_one: "1971.??.??", "1972" => false, true;
        a_year_and_an_earlier_day: "1972.??.??", "1971.12.31" => true, false;
    }
}

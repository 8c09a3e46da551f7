//! Partial dates: parsed from tags, compared, validated, repaired.
//!
//! A date may lack its day, or its month too (PGN §8.1.1.3). Filters and counts accept as much of a tag as is known, a
//! check validates the standard's form, and an export can repair it.

mod repair;

use std::fmt;
use std::str::FromStr;

pub use repair::standard_date;

/// A date whose day, or month and day, may be unknown.
///
/// ```
/// use stamma_chess::game::PartialDate;
/// let date: PartialDate = "1950.??.??".parse().expect("a year");
/// let since: PartialDate = "1950".parse().expect("a year");
/// assert!(date.is_since(since) && date.is_until(since));
/// assert!(!date.is_since("1950.02".parse().expect("a month")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate(u32);

// The day is in the lowest bits, so that later dates are greater; an unknown day or month is 0.
const DAY_BITS: u32 = 5;
const MONTH_BITS: u32 = 4;

const MAX_MONTH: u32 = 12;
const MAX_DAY: u32 = 31;

/// The error for a text that is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a year, a month or a day, like 1972, 1972.07 or 1972.07.23")]
pub struct ParseDateError;

impl PartialDate {
    /// A date from a year of at most four digits, a month and a day, 0 for an unknown one.
    fn new(year: u32, month: u32, day: u32) -> PartialDate {
        PartialDate(year << (MONTH_BITS + DAY_BITS) | month << DAY_BITS | day)
    }

    /// Parses the known part of a Date tag: `1972.07.23`, `1972.7.2`, `1972.??.??`, `1972`. Returns `None` without a
    /// year. A day without a month counts as unknown, and so does an impossible month or day.
    pub fn from_tag(text: &str) -> Option<PartialDate> {
        let year = leading_year(text)?;
        let mut after_year = fields(text).skip(1);
        let month = after_year
            .next()
            .and_then(|field| number_up_to(MAX_MONTH, field));
        let day = after_year
            .next()
            .and_then(|field| number_up_to(MAX_DAY, field));

        // A day is known only with its month.
        let known_day = month.and(day);
        Some(PartialDate::new(
            year,
            month.unwrap_or(0),
            known_day.unwrap_or(0),
        ))
    }

    /// The numeric code of the date: greater for later dates, never 0.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The date with a code from [`PartialDate::code`]; `None` for 0. Another number gives a meaningless date.
    pub fn from_code(code: u64) -> Option<PartialDate> {
        match u32::try_from(code) {
            Ok(0) | Err(_) => None,
            Ok(code) => Some(PartialDate(code)),
        }
    }

    /// The year, 1 to 9999.
    pub fn year(self) -> u16 {
        (self.0 >> (MONTH_BITS + DAY_BITS)) as u16
    }

    /// The month, 1 to 12; 0 for unknown.
    pub fn month(self) -> u32 {
        self.0 >> DAY_BITS & ((1 << MONTH_BITS) - 1)
    }

    /// The month, 1 to 12, if it is known.
    pub fn known_month(self) -> Option<u8> {
        u8::try_from(self.month()).ok().filter(|&month| month > 0)
    }

    fn day(self) -> u32 {
        self.0 & ((1 << DAY_BITS) - 1)
    }

    /// The day, 1 to 31, if it is known.
    pub fn known_day(self) -> Option<u8> {
        u8::try_from(self.day()).ok().filter(|&day| day > 0)
    }

    /// `true` if the day is known.
    pub fn is_day(self) -> bool {
        self.day() > 0
    }

    /// The earliest possible day of the date.
    fn first(self) -> PartialDate {
        self.filled_with(1, 1)
    }

    /// The latest possible day of the date. Every month counts as a month of 31 days, since only the order of dates
    /// matters.
    fn last(self) -> PartialDate {
        self.filled_with(MAX_MONTH, MAX_DAY)
    }

    /// The date with these numbers in the place of an unknown month and an unknown day.
    fn filled_with(self, month: u32, day: u32) -> PartialDate {
        let known_month = self.known_month().map_or(month, u32::from);
        let known_day = self.known_day().map_or(day, u32::from);

        PartialDate::new(self.year().into(), known_month, known_day)
    }

    /// Returns `true` if the date is not before the start of `since`, whatever its unknown parts are.
    pub fn is_since(self, since: PartialDate) -> bool {
        self.first() >= since.first()
    }

    /// Returns `true` if the date is not after the end of `until`, whatever its unknown parts are.
    pub fn is_until(self, until: PartialDate) -> bool {
        self.last() <= until.last()
    }
}

impl FromStr for PartialDate {
    type Err = ParseDateError;

    /// Parses a date given by a user; unlike a tag, all of it must be understood.
    fn from_str(text: &str) -> Result<PartialDate, ParseDateError> {
        let date = PartialDate::from_tag(text).ok_or(ParseDateError)?;
        let parts = [date.year().into(), date.month(), date.day()];

        let has_more_fields = fields(text).nth(parts.len()).is_some();
        if has_more_fields {
            return Err(ParseDateError);
        }
        for (field, part) in fields(text).zip(parts) {
            if !is_understood(field, part) {
                return Err(ParseDateError);
            }
        }
        Ok(date)
    }
}

/// Returns `true` if a field has only the digits of a known part, or only question marks for an unknown one.
fn is_understood(field: &str, part: u32) -> bool {
    if part > 0 {
        field.bytes().all(|byte| byte.is_ascii_digit())
    } else {
        field.bytes().all(|byte| byte == b'?')
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

/// Returns `true` for a possible date in the form `YYYY.MM.DD`, with question marks for unknown digits (PGN §8.1.1.3).
pub fn is_standard_date(text: &str) -> bool {
    let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = text.as_bytes() else {
        return false;
    };

    let year = [y1, y2, y3, y4];
    let month = [m1, m2];
    let day = [d1, d2];
    if !has_digits_or_marks(&year) || !has_digits_or_marks(&month) || !has_digits_or_marks(&day) {
        return false;
    }

    is_possible(
        known_number(&year),
        known_number(&month),
        known_number(&day),
    )
}

fn has_digits_or_marks(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'?')
}

/// The number of up to nine digits; `None` if one of them is unknown.
fn known_number(digits: &[u8]) -> Option<u32> {
    let mut number = 0;
    for &byte in digits {
        let digit = char::from(byte).to_digit(10)?;
        number = 10 * number + digit;
    }
    Some(number)
}

/// Returns `true` if the date may exist in the Gregorian calendar, including leap years where the year is known.
fn is_possible(year: Option<u32>, month: Option<u32>, day: Option<u32>) -> bool {
    let may_be_leap_year = year.is_none_or(is_leap_year);
    let days_of_month = match month {
        Some(4 | 6 | 9 | 11) => 30,
        Some(2) if may_be_leap_year => 29,
        Some(2) => 28,
        _ => MAX_DAY,
    };

    let is_possible_month = month.is_none_or(|month| (1..=MAX_MONTH).contains(&month));
    let is_possible_day = day.is_none_or(|day| (1..=days_of_month).contains(&day));
    is_possible_month && is_possible_day
}

fn is_leap_year(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// The fields of a date that begins with its year.
fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', '-', '/'])
}

/// The leading year of a text: exactly four digits.
fn leading_year(text: &str) -> Option<u32> {
    let (digits, rest) = text.split_at_checked(4)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_more_digits = rest.starts_with(|next: char| next.is_ascii_digit());
    if !is_number || has_more_digits {
        return None;
    }

    let year = digits.parse().ok()?;
    (year > 0).then_some(year)
}

/// The leading number of a field, from 1 to a maximum.
fn number_up_to(max: u32, field: &str) -> Option<u32> {
    let end_of_digits = field
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(field.len());

    let number = field[..end_of_digits].parse().ok()?;
    let is_in_range = (1..=max).contains(&number);
    is_in_range.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! dates {
        ($($name:ident: $text:expr => $tag:expr, $is_query:expr, $is_standard:expr, $repaired:expr;)*) => {$(
            #[test]
            fn $name() {
                let tag: Option<&str> = $tag;
                let read = PartialDate::from_tag($text).map(|date| date.to_string());
                assert_eq!(read.as_deref(), tag, "as a tag");
                assert_eq!($text.parse::<PartialDate>().is_ok(), $is_query, "as a query");
                assert_eq!(is_standard_date($text), $is_standard, "as the standard has it");
                let repaired: Option<&str> = $repaired;
                assert_eq!(standard_date($text).as_deref(), repaired, "repaired");
            }
        )*};
    }

    // For each text: its parsed tag, whether a user may enter it, whether it has the standard's form, and its repaired
    // form.
    dates! {
        day: "1972.07.23" => Some("1972.07.23"), true, true, Some("1972.07.23");
        month: "1972.07.??" => Some("1972.07.??"), true, true, Some("1972.07.??");
        year: "1972.??.??" => Some("1972.??.??"), true, true, Some("1972.??.??");
        unknown: "????.??.??" => None, false, true, Some("????.??.??");
        decade: "197?.??.??" => None, false, true, Some("197?.??.??");
        century: "19??.??.??" => None, false, true, Some("19??.??.??");
        day_without_year: "????.07.23" => None, false, true, Some("????.07.23");
        day_without_month: "1972.??.11" => Some("1972.??.??"), false, true, Some("1972.??.11");
        half_a_month: "1972.?1.11" => Some("1972.??.??"), false, true, Some("1972.?1.11");
        leap_day: "2000.02.29" => Some("2000.02.29"), true, true, Some("2000.02.29");
        no_leap_day: "1900.02.29" => Some("1900.02.29"), true, false, None;
        leap_day_of_some_year: "????.02.29" => None, false, true, Some("????.02.29");
        thirty_first_of_april: "1972.04.31" => Some("1972.04.31"), true, false, None;
        no_such_month: "1972.13.14" => Some("1972.??.??"), false, false, None;
        day_and_month_swapped: "2011.19.11" => Some("2011.??.??"), false, false, Some("2011.11.19");
        day_and_no_month: "2011.19.??" => Some("2011.??.??"), false, false, None;
        no_such_day_swapped: "2011.31.11" => Some("2011.??.??"), false, false, None;
        no_such_day: "1972.02.32" => Some("1972.02.??"), false, false, None;
        no_day: "1972.07.00" => Some("1972.07.??"), false, false, None;
        year_zero: "0000.00.00" => None, false, false, None;
        year_alone: "1972" => Some("1972.??.??"), true, false, Some("1972.??.??");
        month_alone: "1972.07" => Some("1972.07.??"), true, false, Some("1972.07.??");
        decade_alone: "197?" => None, false, false, Some("197?.??.??");
        short: "1972.7.2" => Some("1972.07.02"), true, false, Some("1972.07.02");
        iso: "1972-07-11" => Some("1972.07.11"), true, false, Some("1972.07.11");
        iso_without_day: "1972-07-?" => Some("1972.07.??"), true, false, Some("1972.07.??");
        iso_with_day_and_month_swapped: "1972-13-01" => Some("1972.??.??"), false, false, Some("1972.01.13");
        strokes: "1972/7/11" => Some("1972.07.11"), true, false, Some("1972.07.11");
        digits: "19720711" => None, false, false, Some("1972.07.11");
        day_first: "11.07.1972" => None, false, false, Some("1972.07.11");
        day_first_without_such_day: "31.04.1972" => None, false, false, None;
        day_that_is_no_month: "13/07/1972" => None, false, false, Some("1972.07.13");
        month_first: "07/13/1972" => None, false, false, Some("1972.07.13");
        day_or_month: "07/11/1972" => None, false, false, None;
        day_and_month_alike: "07/07/1972" => None, false, false, Some("1972.07.07");
        two_digits_of_a_year: "11.07.72" => None, false, false, None;
        named_month: "July 1972" => None, false, false, Some("1972.07.??");
        numbered_month: "07/1972" => None, false, false, Some("1972.07.??");
        american: "July 11, 1972" => None, false, false, Some("1972.07.11");
        british: "11 Jul 1972" => None, false, false, Some("1972.07.11");
        letters_of_no_month: "Ju 1972" => None, false, false, None;
        season: "summer 1972" => None, false, false, None;
        two_years: "1972-1973" => Some("1972.??.??"), false, false, None;
        more_behind_the_day: "1972.07.23`" => Some("1972.07.23"), false, false, None;
        more_fields: "1972.07.23.1" => Some("1972.07.23"), false, false, None;
        more_behind_the_year: "1972 (?)" => Some("1972.??.??"), false, false, None;
        no_ascii: "197é" => None, false, false, None;
        question_mark: "?" => None, false, false, None;
        empty: "" => None, false, false, None;
    }

    macro_rules! compares {
        ($($name:ident: $date:expr, $bound:expr => $since:expr, $until:expr;)*) => {$(
            #[test]
            fn $name() {
                let date: PartialDate = $date.parse().expect("a date");
                let bound = $bound.parse().expect("a date");
                assert_eq!((date.is_since(bound), date.is_until(bound)), ($since, $until));
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

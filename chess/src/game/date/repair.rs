//! Repairs unambiguous dates in other forms than the standard's. The table of tests in `date` has the repaired forms.

use super::{MAX_MONTH, is_possible, is_standard_date};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A part of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Four digits, or three and a question mark.
    Year([u8; 4]),
    /// One or two digits.
    Number(u8),
    /// The name of a month.
    Month(u8),
    /// Question marks.
    Unknown,
}

/// The date in the standard's form, `YYYY.MM.DD` with question marks (PGN §8.1.1.3); `None` if the text is not a date
/// or is ambiguous.
pub fn standard_date(text: &str) -> Option<String> {
    let trimmed = text.trim();
    if is_standard_date(trimmed) {
        return Some(trimmed.to_owned());
    }

    match parts(trimmed)?[..] {
        [Part::Year(year)] => written_date(year, None, None),
        // `1972.07`, `July 1972`.
        [Part::Year(year), month] | [month, Part::Year(year)] => {
            let known_month = number(month)?;
            written_date(year, known_month, None)
        }
        // `1972-7-11`.
        [Part::Year(year), first, second] => {
            let (month, day) = month_and_day(number(first)?, number(second)?);
            written_date(year, month, day)
        }
        // `July 11, 1972` and `11 July 1972`.
        [Part::Month(month), day, Part::Year(year)]
        | [day, Part::Month(month), Part::Year(year)] => {
            let known_day = number(day)?;
            written_date(year, Some(month), known_day)
        }
        // `11.7.1972`, `7/21/1972`.
        [first, second, Part::Year(year)] => {
            let has_dots = trimmed.contains('.');
            let (day, month) = day_and_month(number(first)?, number(second)?, has_dots)?;
            written_date(year, month, day)
        }
        _ => None,
    }
}

/// The date in the standard's form; `None` if there is no such day.
fn written_date(year: [u8; 4], month: Option<u8>, day: Option<u8>) -> Option<String> {
    let year_digits = str::from_utf8(&year).ok()?;
    // A year with an unknown digit does not parse: it may be a leap year.
    let known_year = year_digits.parse().ok();
    if !is_possible(known_year, month.map(u32::from), day.map(u32::from)) {
        return None;
    }

    let month_digits = digits_or_marks(month);
    let day_digits = digits_or_marks(day);
    Some(format!("{year_digits}.{month_digits}.{day_digits}"))
}

/// A month or day as two digits, or as `??` if it is unknown.
fn digits_or_marks(part: Option<u8>) -> String {
    match part {
        Some(number) => format!("{number:02}"),
        None => "??".to_owned(),
    }
}

/// The number of a day or month; `Some(None)` for `??`, and `None` for a year.
fn number(part: Part) -> Option<Option<u8>> {
    match part {
        Part::Number(number) | Part::Month(number) => Some(Some(number)),
        Part::Unknown => Some(None),
        Part::Year(_) => None,
    }
}

/// Two numbers behind a year as month and day: the other way round if the first cannot be a month and the second can.
fn month_and_day(first: Option<u8>, second: Option<u8>) -> (Option<u8>, Option<u8>) {
    let has_day_first = !may_be_month(first) && second.is_some() && may_be_month(second);

    if has_day_first {
        (second, first)
    } else {
        (first, second)
    }
}

/// `true` for the number of a month, and for an unknown number.
fn may_be_month(part: Option<u8>) -> bool {
    part.is_none_or(|number| u32::from(number) <= MAX_MONTH)
}

/// Splits two numbers before a year into day and month: with dots the day comes first, otherwise it is the number that
/// cannot be a month.
fn day_and_month(
    first: Option<u8>,
    second: Option<u8>,
    has_dots: bool,
) -> Option<(Option<u8>, Option<u8>)> {
    if has_dots || first == second {
        return Some((first, second));
    }

    match (may_be_month(first), may_be_month(second)) {
        (false, true) => Some((first, second)),
        (true, false) => Some((second, first)),
        // `7/11/1972`: Americans write the month first, others the day.
        _ => None,
    }
}

/// The parts of a date in their order; `None` if a word is not a part of a date.
fn parts(text: &str) -> Option<Vec<Part>> {
    // Eight digits: `19720711`.
    if let &[y1, y2, y3, y4, m1, m2, d1, d2] = text.as_bytes()
        && text.bytes().all(|byte| byte.is_ascii_digit())
    {
        let two_digits = |tens: u8, ones: u8| 10 * (tens - b'0') + (ones - b'0');
        let year = Part::Year([y1, y2, y3, y4]);
        let month = Part::Number(two_digits(m1, m2));
        let day = Part::Number(two_digits(d1, d2));
        return Some(vec![year, month, day]);
    }

    let words = text
        .split([' ', '.', '-', '/', ','])
        .filter(|word| !word.is_empty());
    words.map(part).collect()
}

/// The part of a date that a word is.
fn part(word: &str) -> Option<Part> {
    if word.bytes().all(|byte| byte == b'?') {
        return Some(Part::Unknown);
    }

    // The year of a decade may be known in part: `197?`.
    let leading_digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if let &[y1, y2, y3, y4] = word.as_bytes() {
        let is_decade = leading_digits == 3 && y4 == b'?';
        if leading_digits == 4 || is_decade {
            return Some(Part::Year([y1, y2, y3, y4]));
        }
    }

    // Longer numbers are neither days nor months: `072`.
    let is_number = word.len() == leading_digits;
    if is_number && (1..=2).contains(&leading_digits) {
        let number = word.parse().ok()?;
        return Some(Part::Number(number));
    }

    let number_of_month = month(&word.to_ascii_lowercase())?;
    Some(Part::Month(number_of_month))
}

/// The fewest letters that tell all months apart: June and July begin alike, and so do March and May.
const MIN_MONTH_LETTERS: usize = 3;

/// The number of a month, given its English name in lower case or at least its first three letters.
fn month(word: &str) -> Option<u8> {
    if word.len() < MIN_MONTH_LETTERS {
        return None;
    }

    let index = MONTHS.iter().position(|name| name.starts_with(word))?;
    u8::try_from(index + 1).ok()
}

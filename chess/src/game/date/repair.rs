//! Repairs unambiguous dates in other forms than the standard's.

use super::{is_possible, is_standard_date};

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
    let text = text.trim();
    if is_standard_date(text) {
        return Some(text.to_owned());
    }
    let parts: Vec<Part> = parts(text)?;
    let date = |year: [u8; 4], month: Option<u8>, day: Option<u8>| {
        let number = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
        let year = str::from_utf8(&year).ok()?;
        let is_possible = is_possible(year.parse().ok(), month.map(u32::from), day.map(u32::from));
        is_possible.then(|| format!("{year}.{}.{}", number(month), number(day)))
    };
    match parts[..] {
        [Part::Year(year)] => date(year, None, None),
        [Part::Year(year), month] | [month, Part::Year(year)] => date(year, number(month)?, None),
        [Part::Year(year), month, day] => {
            let (month, day) = month_and_day(number(month)?, number(day)?);
            date(year, month, day)
        }
        [Part::Month(month), day, Part::Year(year)]
        | [day, Part::Month(month), Part::Year(year)] => date(year, Some(month), number(day)?),
        [first, second, Part::Year(year)] => {
            let (day, month) = day_and_month(number(first)?, number(second)?, text.contains('.'))?;
            date(year, month, day)
        }
        _ => None,
    }
}

/// The number of a part; `Some(None)` if it is unknown.
fn number(part: Part) -> Option<Option<u8>> {
    match part {
        Part::Number(number) | Part::Month(number) => Some(Some(number)),
        Part::Unknown => Some(None),
        Part::Year(_) => None,
    }
}

/// Two numbers behind a year as month and day: the other way round if the first cannot be a month and the second can.
fn month_and_day(first: Option<u8>, second: Option<u8>) -> (Option<u8>, Option<u8>) {
    match (first, second) {
        (Some(day @ 13..), Some(month @ ..=12)) => (Some(month), Some(day)),
        as_written => as_written,
    }
}

/// Splits two numbers before a year into day and month: with dots the day comes first, otherwise it is the number that
/// cannot be a month.
fn day_and_month(
    first: Option<u8>,
    second: Option<u8>,
    has_dots: bool,
) -> Option<(Option<u8>, Option<u8>)> {
    let is_month = |part: Option<u8>| part.is_none_or(|part| part <= 12);
    match (is_month(first), is_month(second)) {
        _ if has_dots || first == second => Some((first, second)),
        (false, true) => Some((first, second)),
        (true, false) => Some((second, first)),
        _ => None,
    }
}

fn parts(text: &str) -> Option<Vec<Part>> {
    if let [y1, y2, y3, y4, month @ .., d1, d2] = text.as_bytes()
        && text.len() == 8
        && text.bytes().all(|byte| byte.is_ascii_digit())
    {
        let month = str::from_utf8(month).ok()?.parse().ok()?;
        let day = str::from_utf8(&[*d1, *d2]).ok()?.parse().ok()?;
        return Some(vec![
            Part::Year([*y1, *y2, *y3, *y4]),
            Part::Number(month),
            Part::Number(day),
        ]);
    }
    let words = text
        .split([' ', '.', '-', '/', ','])
        .filter(|word| !word.is_empty());
    words.map(part).collect()
}

fn part(word: &str) -> Option<Part> {
    let is_known = |byte: &u8| byte.is_ascii_digit();
    match word.as_bytes() {
        [b'?', ..] if word.bytes().all(|byte| byte == b'?') => Some(Part::Unknown),
        &[y1, y2, y3, y4] if [y1, y2, y3].iter().all(is_known) && (is_known(&y4) || y4 == b'?') => {
            Some(Part::Year([y1, y2, y3, y4]))
        }
        [_] | [_, _] if word.bytes().all(|byte| byte.is_ascii_digit()) => {
            word.parse().ok().map(Part::Number)
        }
        _ => month(&word.to_ascii_lowercase()).map(Part::Month),
    }
}

/// The number of a month, given its English name or at least three letters of it.
fn month(word: &str) -> Option<u8> {
    let is_named = |name: &&str| word.len() >= 3 && name.starts_with(word);
    MONTHS
        .iter()
        .zip(1..)
        .find(|(name, _)| is_named(name))
        .map(|(_, number)| number)
}

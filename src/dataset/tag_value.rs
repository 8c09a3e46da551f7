//! Values of tags in columns with types.

use chrono::NaiveDate;

use crate::game::{Game, tag_value};
use crate::storage::elo_of_tag;

/// The value of a column that a tag has.
pub(super) enum Value<'g> {
    Number(Option<i32>),
    Text(Option<&'g str>),
}

/// The tags of players' ratings, and of how they changed.
const ELOS: [&str; 2] = ["WhiteElo", "BlackElo"];
const RATING_DIFFS: [&str; 2] = ["WhiteRatingDiff", "BlackRatingDiff"];

/// The value of the column with the name of a tag. `UTCTime` is a number of milliseconds if `is_time` is set, otherwise
/// a text.
pub(super) fn value_of<'g>(game: &'g Game<'_>, name: &str, is_time: bool) -> Value<'g> {
    let tag = tag_value(&game.tags, name);
    match name {
        _ if ELOS.contains(&name) => Value::Number(tag.and_then(elo_of_tag).map(i32::from)),
        _ if RATING_DIFFS.contains(&name) => {
            Value::Number(tag.and_then(rating_diff).map(i32::from))
        }
        "UTCDate" => Value::Number(tag.and_then(days)),
        "UTCTime" if is_time => Value::Number(tag.and_then(milliseconds)),
        "Result" => Value::Text(Some(game.result.as_str())),
        "FEN" => Value::Text(tag.or(game.start.as_deref())),
        _ => Value::Text(tag),
    }
}

/// Whether the column of a tag gives its value back as it is written.
pub(super) fn holds(name: &str, value: &str) -> bool {
    match name {
        _ if ELOS.contains(&name) => elo_of_tag(value).is_some(),
        _ if RATING_DIFFS.contains(&name) => rating_diff(value).is_some(),
        "UTCDate" => days(value).is_some(),
        "Result" => matches!(value, "1-0" | "0-1" | "1/2-1/2" | "*"),
        _ => true,
    }
}

/// A difference as Lichess writes it, with its sign: `+5`, `-12`, `+0`.
fn rating_diff(value: &str) -> Option<i16> {
    let number: i16 = value.parse().ok()?;
    (format!("{number:+}") == value).then_some(number)
}

/// The days from 1970-01-01 to a date written as `2017.04.01`.
fn days(value: &str) -> Option<i32> {
    let bytes: &[u8; 10] = value.as_bytes().try_into().ok()?;
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0, |number, digit| {
            digit
                .is_ascii_digit()
                .then(|| 10 * number + u32::from(digit - b'0'))
        })
    };
    let (year, month, day) = (
        number(&bytes[..4])?,
        number(&bytes[5..7])?,
        number(&bytes[8..])?,
    );
    if year == 0 || bytes[4] != b'.' || bytes[7] != b'.' {
        return None;
    }
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    Some(date.to_epoch_days())
}

/// The milliseconds of a time written as `21:32:09`.
fn milliseconds(value: &str) -> Option<i32> {
    let bytes: &[u8; 8] = value.as_bytes().try_into().ok()?;
    let number = |at: usize, most: i32| {
        let digit = |at: usize| {
            bytes[at]
                .is_ascii_digit()
                .then(|| i32::from(bytes[at] - b'0'))
        };
        Some(10 * digit(at)? + digit(at + 1)?).filter(|&number| number <= most)
    };
    let (hours, minutes, seconds) = (number(0, 23)?, number(3, 59)?, number(6, 59)?);
    (bytes[2] == b':' && bytes[5] == b':').then(|| 1000 * (3600 * hours + 60 * minutes + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads {
        ($($name:ident: $read:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!($read, $expected);
            }
        )*};
    }

    reads! {
        the_first_day: days("1970.01.01") => Some(0);
        the_day_before: days("1969.12.31") => Some(-1);
        a_leap_day: days("2024.02.29") => Some(19782);
        no_leap_day: days("2023.02.29") => None;
        the_last_day_of_a_century: days("1900.03.01") => Some(-25508);
        an_unknown_day: days("2017.04.??") => None;
        another_form: days("2017-04-01") => None;
        a_time: milliseconds("23:59:58") => Some(86_398_000);
        no_time: milliseconds("24:00:00") => None;
        a_gain: rating_diff("+5") => Some(5);
        a_loss: rating_diff("-12") => Some(-12);
        nothing_won: rating_diff("+0") => Some(0);
        without_a_sign: rating_diff("5") => None;
        with_a_zero: rating_diff("+05") => None;
    }
}

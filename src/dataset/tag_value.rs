//! Values of tags in columns with types.

use chrono::NaiveDate;

use crate::game::{Game, tag_value};
use crate::storage::elo_of_tag;

/// The value of a tag in a column with a type.
pub(super) enum Value<'g> {
    Number(Option<i32>),
    Text(Option<&'g str>),
}

/// The value of the column with the name of a tag. `UTCTime` is a number of milliseconds if `is_time` is set, otherwise
/// a text.
pub(super) fn value_of<'g>(game: &'g Game<'_>, name: &str, is_time: bool) -> Value<'g> {
    let tag = tag_value(&game.tags, name);

    match name {
        "WhiteElo" | "BlackElo" => {
            let elo = tag.and_then(elo_of_tag);
            Value::Number(elo.map(i32::from))
        }
        "WhiteRatingDiff" | "BlackRatingDiff" => {
            let difference = tag.and_then(rating_diff);
            Value::Number(difference.map(i32::from))
        }
        "UTCDate" => Value::Number(tag.and_then(days)),
        "UTCTime" if is_time => Value::Number(tag.and_then(milliseconds)),
        "Result" => Value::Text(Some(game.result.as_str())),
        "FEN" => Value::Text(tag.or(game.start.as_deref())),
        _ => Value::Text(tag),
    }
}

/// `true` if the column of a tag preserves the exact text of a value. Otherwise, the map of other tags has the value,
/// too.
pub(super) fn preserves_text(name: &str, value: &str) -> bool {
    match name {
        "WhiteElo" | "BlackElo" => elo_of_tag(value).is_some(),
        "WhiteRatingDiff" | "BlackRatingDiff" => rating_diff(value).is_some(),
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
    let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = value.as_bytes() else {
        return None;
    };
    let century = two_digits(y1, y2)?;
    let year = 100 * century + two_digits(y3, y4)?;
    let month = two_digits(m1, m2)?;
    let day = two_digits(d1, d2)?;
    if year == 0 {
        return None;
    }

    // `None` for a day that does not exist, such as 2017-02-29.
    let date = NaiveDate::from_ymd_opt(year, month.cast_unsigned(), day.cast_unsigned())?;
    Some(date.to_epoch_days())
}

/// The milliseconds of a time written as `21:32:09`.
fn milliseconds(value: &str) -> Option<i32> {
    let &[h1, h2, b':', m1, m2, b':', s1, s2] = value.as_bytes() else {
        return None;
    };
    let hours = two_digits(h1, h2)?;
    let minutes = two_digits(m1, m2)?;
    let seconds = two_digits(s1, s2)?;
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }

    let all_seconds = 3600 * hours + 60 * minutes + seconds;
    Some(1000 * all_seconds)
}

/// The number of two decimal digits.
fn two_digits(tens: u8, ones: u8) -> Option<i32> {
    if !tens.is_ascii_digit() || !ones.is_ascii_digit() {
        return None;
    }

    let number = 10 * (tens - b'0') + (ones - b'0');
    Some(i32::from(number))
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

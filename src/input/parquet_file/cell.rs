//! Values of columns as the texts of tags.

use std::io::Write;

use chrono::{Datelike, NaiveDate};

/// The kind of a column's values, which determines their text in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Text,
    /// A date as text; its hyphens become the dots of PGN.
    Date,
    Number,
    /// A number with its sign: `+6`.
    Signed,
    /// Days since 1970.
    Days,
    /// A time of day, also of a point in time. The value counts units since midnight; the number is the units per
    /// second.
    Time(i64),
    /// The date of a point in time. The value counts units since 1970; the number is the units per second.
    Timestamp(i64),
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'v> {
    Text(&'v [u8]),
    Integer(i64),
    Real(f64),
}

const SECONDS_PER_DAY: i64 = 86_400;

/// Appends a value as the text of a tag.
pub(super) fn write_value(value: Value<'_>, kind: ValueKind, out: &mut Vec<u8>) {
    let number = match value {
        Value::Text(text) => return write_text(text, kind, out),
        Value::Integer(number) => number,
        Value::Real(number) => number.round() as i64,
    };

    // Writing to a vector succeeds.
    match kind {
        ValueKind::Text | ValueKind::Date | ValueKind::Number => {
            let _ = write!(out, "{number}");
        }
        ValueKind::Signed => {
            let _ = write!(out, "{number:+}");
        }
        ValueKind::Days => write_date(number, out),
        ValueKind::Timestamp(ticks) => write_date(number.div_euclid(ticks * SECONDS_PER_DAY), out),
        ValueKind::Time(ticks) => write_time(number.div_euclid(ticks), out),
    }
}

/// Appends a text. The hyphens of an ISO date become dots.
fn write_text(text: &[u8], kind: ValueKind, out: &mut Vec<u8>) {
    if kind != ValueKind::Date || !is_iso_date(text) {
        out.extend_from_slice(text);
        return;
    }

    // PGN has dots in dates (PGN §8.1.1.3).
    for &byte in text {
        out.push(if byte == b'-' { b'.' } else { byte });
    }
}

/// Returns `true` for a date of ISO 8601, in which question marks may stand for digits.
fn is_iso_date(text: &[u8]) -> bool {
    if text.len() != "2024-02-29".len() {
        return false;
    }

    for (at, &byte) in text.iter().enumerate() {
        let is_expected = match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit() || byte == b'?',
        };
        if !is_expected {
            return false;
        }
    }
    true
}

/// Appends the time of day of a number of seconds since any midnight.
fn write_time(seconds: i64, out: &mut Vec<u8>) {
    let of_day = seconds.rem_euclid(SECONDS_PER_DAY);
    let hour = of_day / 3600;
    let minute = of_day / 60 % 60;
    let second = of_day % 60;
    let _ = write!(out, "{hour:02}:{minute:02}:{second:02}");
}

/// Appends the date some days after the first of January 1970, in the form of PGN.
fn write_date(days: i64, out: &mut Vec<u8>) {
    // Damaged numbers of days are beyond all dates.
    let beyond = if days < 0 {
        NaiveDate::MIN
    } else {
        NaiveDate::MAX
    };

    let date = i32::try_from(days)
        .ok()
        .and_then(NaiveDate::from_epoch_days)
        .unwrap_or(beyond);

    let year = date.year();
    let month = date.month();
    let day = date.day();
    let _ = write!(out, "{year:04}.{month:02}.{day:02}");
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! writes {
        ($($name:ident: $value:expr, $kind:expr => $text:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut out = Vec::new();
                write_value($value, $kind, &mut out);
                assert_eq!(String::from_utf8(out).expect("ASCII"), $text);
            }
        )*};
    }

    writes! {
        a_number: Value::Integer(2700), ValueKind::Number => "2700";
        a_number_with_gaps: Value::Real(2700.0), ValueKind::Number => "2700";
        a_gain: Value::Integer(6), ValueKind::Signed => "+6";
        a_loss: Value::Integer(-11), ValueKind::Signed => "-11";
        nothing_gained: Value::Integer(0), ValueKind::Signed => "+0";
        the_first_day: Value::Integer(0), ValueKind::Days => "1970.01.01";
        a_leap_day: Value::Integer(19_782), ValueKind::Days => "2024.02.29";
        the_day_after: Value::Integer(19_783), ValueKind::Days => "2024.03.01";
        no_leap_day: Value::Integer(-25_508), ValueKind::Days => "1900.03.01";
        far_off: Value::Integer(1_000_000), ValueKind::Days => "4707.11.29";
        a_moment: Value::Integer(1_709_251_199_999), ValueKind::Timestamp(1000) => "2024.02.29";
        milliseconds: Value::Integer(45_296_000), ValueKind::Time(1000) => "12:34:56";
        nanoseconds: Value::Integer(45_296_999_999_999), ValueKind::Time(1_000_000_000) => "12:34:56";
        dots: Value::Text(b"1972.07.??"), ValueKind::Date => "1972.07.??";
        hyphens: Value::Text(b"1972-07-11"), ValueKind::Date => "1972.07.11";
        other_text: Value::Text(b"July-August 72"), ValueKind::Date => "July-August 72";
    }

    #[test]
    fn damaged_days_are_some_date() {
        for days in [i64::MIN, i64::MAX, i64::from(i32::MIN)] {
            let mut out = Vec::new();
            write_value(Value::Integer(days), ValueKind::Days, &mut out);
            let dots = out.iter().filter(|&&byte| byte == b'.').count();
            assert_eq!(dots, 2, "{days}");
        }
    }
}

//! Values of columns as tags have them.

use std::io::Write;

use chrono::{Datelike, NaiveDate};

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    /// A date as text: with dots, whatever is between its numbers.
    Date,
    Number,
    /// A number with its sign: `+6`.
    Signed,
    /// Days since 1970.
    Days,
    /// Seconds since midnight in units of which this many are a second, also of a point in time.
    Time(i64),
    /// The date of a point in time since 1970, in such units.
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

/// Appends a value as the text of a tag; nothing if it has no such form.
pub(super) fn write_value(value: Value<'_>, form: Form, out: &mut Vec<u8>) {
    let number = match value {
        Value::Text(text) => return write_text(text, form, out),
        Value::Integer(number) => number,
        Value::Real(number) => number.round() as i64,
    };
    // Writing to a vector succeeds.
    let _ = match form {
        Form::Text | Form::Date | Form::Number => write!(out, "{number}"),
        Form::Signed => write!(out, "{number:+}"),
        Form::Days => return write_date(number, out),
        Form::Timestamp(ticks) => {
            return write_date(number.div_euclid(ticks * SECONDS_PER_DAY), out);
        }
        Form::Time(ticks) => {
            let seconds = number.div_euclid(ticks).rem_euclid(SECONDS_PER_DAY);
            write!(
                out,
                "{:02}:{:02}:{:02}",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60
            )
        }
    };
}

fn write_text(text: &[u8], form: Form, out: &mut Vec<u8>) {
    let is_iso = matches!(*text, [a, b, c, d, b'-', m, n, b'-', e, f]
        if [a, b, c, d, m, n, e, f].iter().all(|byte| byte.is_ascii_digit() || *byte == b'?'));
    match form == Form::Date && is_iso {
        true => out.extend(
            text.iter()
                .map(|&byte| if byte == b'-' { b'.' } else { byte }),
        ),
        false => out.extend_from_slice(text),
    }
}

/// Appends the date some days after the first of January 1970, as PGN has it.
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
    let (year, month, day) = (date.year(), date.month(), date.day());
    let _ = write!(out, "{year:04}.{month:02}.{day:02}");
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! writes {
        ($($name:ident: $value:expr, $form:expr => $text:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut out = Vec::new();
                write_value($value, $form, &mut out);
                assert_eq!(String::from_utf8(out).expect("ASCII"), $text);
            }
        )*};
    }

    writes! {
        a_number: Value::Integer(2700), Form::Number => "2700";
        a_number_with_gaps: Value::Real(2700.0), Form::Number => "2700";
        a_gain: Value::Integer(6), Form::Signed => "+6";
        a_loss: Value::Integer(-11), Form::Signed => "-11";
        nothing_gained: Value::Integer(0), Form::Signed => "+0";
        the_first_day: Value::Integer(0), Form::Days => "1970.01.01";
        a_leap_day: Value::Integer(19_782), Form::Days => "2024.02.29";
        the_day_after: Value::Integer(19_783), Form::Days => "2024.03.01";
        no_leap_day: Value::Integer(-25_508), Form::Days => "1900.03.01";
        far_off: Value::Integer(1_000_000), Form::Days => "4707.11.29";
        a_moment: Value::Integer(1_709_251_199_999), Form::Timestamp(1000) => "2024.02.29";
        milliseconds: Value::Integer(45_296_000), Form::Time(1000) => "12:34:56";
        nanoseconds: Value::Integer(45_296_999_999_999), Form::Time(1_000_000_000) => "12:34:56";
        dots: Value::Text(b"1972.07.??"), Form::Date => "1972.07.??";
        hyphens: Value::Text(b"1972-07-11"), Form::Date => "1972.07.11";
        other_text: Value::Text(b"July-August 72"), Form::Date => "July-August 72";
    }

    #[test]
    fn damaged_days_are_some_date() {
        for days in [i64::MIN, i64::MAX, i64::from(i32::MIN)] {
            let mut out = Vec::new();
            write_value(Value::Integer(days), Form::Days, &mut out);
            assert!(
                out.iter().filter(|&&byte| byte == b'.').count() == 2,
                "{days}"
            );
        }
    }
}

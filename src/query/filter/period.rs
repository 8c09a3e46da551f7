//! Periods of time in which games were played.

use std::str::FromStr;

use crate::game::PartialDate;

/// A range of dates, both included; an open end is `None`.
///
/// ```
/// use stamma::query::Period;
/// let year: Period = "1972".parse().expect("a year");
/// assert_eq!(Ok(year), "1972..1972".parse());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first date.
    pub since: Option<PartialDate>,
    /// The last date.
    pub until: Option<PartialDate>,
}

/// The error for a text that is not a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePeriodError {
    /// An end is not a date, or both are open.
    #[error("give a date like 1972, 1972.07 or 1972.07.23, or a period like 1972..1975 or 1972..")]
    Syntax,
    /// The last date is before the first.
    #[error("the ends are reversed; give the earlier date first")]
    Reversed,
}

impl FromStr for Period {
    type Err = ParsePeriodError;

    /// Parses a date, which is both ends, or two dates joined by `..`, of which one may be missing.
    fn from_str(text: &str) -> Result<Period, ParsePeriodError> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let since = parse_end(first)?;
        let until = parse_end(last)?;

        match (since, until) {
            (None, None) => return Err(ParsePeriodError::Syntax),
            (Some(since), Some(until)) => {
                // Partial dates overlap: 1972.07..1972 is the rest of the year.
                let may_be_in_order = until.is_since(since) || since.is_until(until);
                if !may_be_in_order {
                    return Err(ParsePeriodError::Reversed);
                }
            }
            (Some(_), None) | (None, Some(_)) => {}
        }
        Ok(Period { since, until })
    }
}

/// Parses an end of a period; `None` for an open end.
fn parse_end(text: &str) -> Result<Option<PartialDate>, ParsePeriodError> {
    let date = text.trim();
    if date.is_empty() {
        return Ok(None);
    }
    match date.parse() {
        Ok(date) => Ok(Some(date)),
        Err(_) => Err(ParsePeriodError::Syntax),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads {
        ($($name:ident: $text:expr => $ends:expr;)*) => {$(
            #[test]
            fn $name() {
                let ends: Result<[Option<&str>; 2], ParsePeriodError> = $ends;
                let date = |text: &str| text.parse::<PartialDate>().expect("a date");
                let ends = ends.map(|ends| ends.map(|end| end.map(date)));
                let read = $text.parse::<Period>().map(|period| [period.since, period.until]);
                assert_eq!(read, ends);
            }
        )*};
    }

    reads! {
        a_year: "1972" => Ok([Some("1972"), Some("1972")]);
        a_day: "1972-07-23" => Ok([Some("1972.07.23"), Some("1972.07.23")]);
        years: "1972..1975" => Ok([Some("1972"), Some("1975")]);
        months: "1972.07 .. 1972.08" => Ok([Some("1972.07"), Some("1972.08")]);
        since: "1972.." => Ok([Some("1972"), None]);
        until: "..1972.07" => Ok([None, Some("1972.07")]);
        the_rest_of_a_year: "1972.07..1972" => Ok([Some("1972.07"), Some("1972")]);
        nothing: "" => Err(ParsePeriodError::Syntax);
        no_end: ".." => Err(ParsePeriodError::Syntax);
        no_date: "July" => Err(ParsePeriodError::Syntax);
        three_dates: "1970..1972..1974" => Err(ParsePeriodError::Syntax);
        backwards: "1975..1972" => Err(ParsePeriodError::Reversed);
        months_backwards: "1972.07..1972.03" => Err(ParsePeriodError::Reversed);
    }
}

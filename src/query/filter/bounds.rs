//! Ranges of numbers.

use std::fmt;
use std::ops::{RangeFrom, RangeInclusive, RangeToInclusive};
use std::str::FromStr;

/// A range of numbers, both bounds included.
///
/// ```
/// use stamma::query::Bounds;
/// let rated: Bounds = "2600".parse().expect("bounds");
/// assert!(rated.has(2600) && rated.has(2601) && !rated.has(2599));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    min: u64,
    max: u64,
}

/// The error for a text that is not a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give 2600 (or more), ..2400, 2400..2600, or =2500 for exactly 2500")]
pub struct ParseBoundsError;

impl Bounds {
    /// `true` if a number is in the range.
    pub fn has(self, number: u64) -> bool {
        (self.min..=self.max).contains(&number)
    }

    /// The numbers in the range.
    pub fn range(self) -> RangeInclusive<u64> {
        self.min..=self.max
    }

    /// `true` if `number / parts` is in the range.
    pub(super) fn has_parts(self, number: u64, parts: u64) -> bool {
        let min = self.min.saturating_mul(parts);
        let max = self.max.saturating_mul(parts);
        (min..=max).contains(&number)
    }

    /// `true` if half of a number is in the range.
    pub(super) fn has_half(self, twice: u64) -> bool {
        // Half of 5001 is within 2500..2501, but not within 2501.. or ..2500.
        let rounded_up = twice / 2 + twice % 2;
        self.min.saturating_mul(2) <= twice && rounded_up <= self.max
    }
}

impl From<RangeFrom<u64>> for Bounds {
    /// A range without upper bound: `(2600..).into()`.
    fn from(range: RangeFrom<u64>) -> Bounds {
        Bounds::at_least(range.start)
    }
}

impl From<RangeInclusive<u64>> for Bounds {
    /// A range with both bounds: `(2400..=2600).into()`.
    fn from(range: RangeInclusive<u64>) -> Bounds {
        Bounds {
            min: *range.start(),
            max: *range.end(),
        }
    }
}

impl From<RangeToInclusive<u64>> for Bounds {
    /// A range without lower bound: `(..=2400).into()`.
    fn from(range: RangeToInclusive<u64>) -> Bounds {
        Bounds::at_most(range.end)
    }
}

impl fmt::Display for Bounds {
    /// `2600..`, `..2400`, `2400..2600` or `=2500`, as they are parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { min, max } = *self;
        if min == max {
            write!(f, "={min}")
        } else if max >= MAX_NUMBER {
            write!(f, "{min}..")
        } else if min == 0 {
            write!(f, "..{max}")
        } else {
            write!(f, "{min}..{max}")
        }
    }
}

impl FromStr for Bounds {
    type Err = ParseBoundsError;

    /// Parses `2600` or `2600..` (at least), `..2400` (at most), `2400..2600` and `=2500` (exactly). Also accepts
    /// `2600+`, `>=2600`, `<=2400` and `2400-2600`, and `>2600` and `<2400`, which exclude the number. The greatest
    /// number is 4,294,967,295.
    fn from_str(text: &str) -> Result<Bounds, ParseBoundsError> {
        let typed = text.trim();
        // A dash in front is the sign of a number, which no bound may have.
        let with_dash = || typed.split_once('-').filter(|(min, _)| !min.is_empty());

        let bounds = match typed.split_once("..").or_else(with_dash) {
            Some(("", "")) => return Err(ParseBoundsError),
            Some(("", max)) => Bounds::at_most(number(max)?),
            Some((min, "")) => Bounds::at_least(number(min)?),
            Some((min, max)) => Bounds {
                min: number(min)?,
                max: number(max)?,
            },
            None => Bounds::compared(typed)?,
        };

        if bounds.min <= bounds.max {
            Ok(bounds)
        } else {
            Err(ParseBoundsError)
        }
    }
}

impl Bounds {
    /// The numbers from `min` on.
    fn at_least(min: u64) -> Bounds {
        Bounds {
            min,
            max: MAX_NUMBER,
        }
    }

    /// The numbers up to `max`.
    fn at_most(max: u64) -> Bounds {
        Bounds { min: 0, max }
    }

    /// Parses a number after a comparison, or a bare number, which means "at least".
    fn compared(text: &str) -> Result<Bounds, ParseBoundsError> {
        let sign_end = text.find(|c: char| !"<>=".contains(c)).unwrap_or(0);
        let (sign, operand) = text.split_at(sign_end);
        let (digits, has_plus) = match operand.strip_suffix('+') {
            Some(digits) => (digits, true),
            None => (operand, false),
        };
        let number = number(digits)?;

        // A plus means "or more", which only repeats these two signs and contradicts the others.
        if has_plus && !matches!(sign, "" | ">=") {
            return Err(ParseBoundsError);
        }
        match sign {
            "" | ">=" => Ok(Bounds::at_least(number)),
            ">" => Ok(Bounds::at_least(number + 1)),
            "=" | "==" => Ok(Bounds {
                min: number,
                max: number,
            }),
            "<=" => Ok(Bounds::at_most(number)),
            "<" => {
                let max = number.checked_sub(1).ok_or(ParseBoundsError)?;
                Ok(Bounds::at_most(max))
            }
            _ => Err(ParseBoundsError),
        }
    }
}

/// The greatest number accepted.
const MAX_NUMBER: u64 = u32::MAX as u64;

/// Parses a number of digits only, up to [`MAX_NUMBER`].
fn number(text: &str) -> Result<u64, ParseBoundsError> {
    let digits = text.trim();
    // Rust also parses a sign in front of the digits.
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(ParseBoundsError);
    }

    let number: u32 = digits.parse().map_err(|_| ParseBoundsError)?;
    Ok(number.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! bounds {
        ($($name:ident: $text:expr => $ends:expr;)*) => {$(
            #[test]
            fn $name() {
                let ends = $text.parse::<Bounds>().ok().map(|bounds| (bounds.min, bounds.max));
                assert_eq!(ends, $ends);
            }
        )*};
    }

    bounds! {
        from: "2600.." => Some((2600, MAX_NUMBER));
        to: "..2400" => Some((0, 2400));
        between: "2400..2600" => Some((2400, 2600));
        a_number_alone: "40" => Some((40, MAX_NUMBER));
        exactly: "=40" => Some((40, 40));
        exactly_as_in_programs: "== 40" => Some((40, 40));
        more: ">40" => Some((41, MAX_NUMBER));
        not_less: ">=40" => Some((40, MAX_NUMBER));
        less: "<40" => Some((0, 39));
        not_more: "<= 40" => Some((0, 40));
        with_plus: "2600+" => Some((2600, MAX_NUMBER));
        with_a_dash: "2400-2600" => Some((2400, 2600));
        with_a_dash_alone: "2400-" => Some((2400, MAX_NUMBER));
        less_than_nothing: "<0" => None;
        more_than_the_greatest: ">4294967295" => None;
        not_equal: "<>40" => None;
        exactly_and_more: "=40+" => None;
        no_number: "=" => None;
        two_comparisons: ">40..50" => None;
        nothing: "" => None;
        all: ".." => None;
        backwards: "5..4" => None;
        three_dots: "1...2" => None;
        a_sign: "-5.." => None;
        a_sign_alone: "-5" => None;
        a_plus_in_front: "+5" => None;
    }

    #[test]
    fn halves() {
        let bounds = "2500..2501".parse::<Bounds>().expect("bounds");
        let has = [4999, 5000, 5001, 5002, 5003].map(|twice| bounds.has_half(twice));
        assert_eq!(has, [false, true, true, true, false]);
    }
}

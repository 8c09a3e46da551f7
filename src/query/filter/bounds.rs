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
    least: u64,
    most: u64,
}

/// The error for a text that is not a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give 2600 (or more), ..2400, 2400..2600, or =2500 for exactly 2500")]
pub struct ParseBoundsError;

impl Bounds {
    /// `true` if a number is in the range.
    pub fn has(self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The numbers in the range.
    pub fn range(self) -> RangeInclusive<u64> {
        self.least..=self.most
    }

    /// `true` if a number of parts is in the range, of which so many are 1.
    pub(super) fn has_parts(self, number: u64, parts: u64) -> bool {
        self.least.saturating_mul(parts) <= number && number <= self.most.saturating_mul(parts)
    }

    /// `true` if half of a number is in the range.
    pub(super) fn has_half(self, twice: u64) -> bool {
        2 * self.least <= twice && twice / 2 + twice % 2 <= self.most
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
            least: *range.start(),
            most: *range.end(),
        }
    }
}

impl From<RangeToInclusive<u64>> for Bounds {
    /// A range without lower bound: `(..=2400).into()`.
    fn from(range: RangeToInclusive<u64>) -> Bounds {
        Bounds {
            least: 0,
            most: range.end,
        }
    }
}

impl fmt::Display for Bounds {
    /// `2600..`, `..2400`, `2400..2600` or `=2500`, as they are parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { least, most } = *self;
        match (least, most) {
            (least, most) if least == most => write!(f, "={least}"),
            (least, MOST..) => write!(f, "{least}.."),
            (0, most) => write!(f, "..{most}"),
            (least, most) => write!(f, "{least}..{most}"),
        }
    }
}

impl FromStr for Bounds {
    type Err = ParseBoundsError;

    /// Parses `2600` or `2600..` (at least), `..2400` (at most), `2400..2600` and `=2500` (exactly). Also accepts
    /// `2600+`, `>=2600`, `<=2400` and `2400-2600`, and `>2600` and `<2400`, which exclude the number. The greatest number is 4,294,967,295.
    fn from_str(text: &str) -> Result<Bounds, ParseBoundsError> {
        let text = text.trim();
        let dashed = || text.split_once('-').filter(|(least, _)| !least.is_empty());
        let bounds = match text.split_once("..").or_else(dashed) {
            Some(("", "")) => return Err(ParseBoundsError),
            Some(("", most)) => Bounds {
                least: 0,
                most: number(most)?,
            },
            Some((least, "")) => Bounds::at_least(number(least)?),
            Some((least, most)) => Bounds {
                least: number(least)?,
                most: number(most)?,
            },
            None => Bounds::compared(text)?,
        };
        if bounds.least <= bounds.most {
            Ok(bounds)
        } else {
            Err(ParseBoundsError)
        }
    }
}

impl Bounds {
    fn at_least(least: u64) -> Bounds {
        Bounds { least, most: MOST }
    }

    /// Parses a number after a comparison, or a bare number, which means "at least".
    fn compared(text: &str) -> Result<Bounds, ParseBoundsError> {
        let (sign, digits) = text.split_at(text.find(|c: char| !"<>=".contains(c)).unwrap_or(0));
        let number = number(digits.strip_suffix('+').unwrap_or(digits))?;
        match (sign, digits.ends_with('+')) {
            ("" | ">=", _) => Ok(Bounds::at_least(number)),
            (_, true) => Err(ParseBoundsError),
            (">", _) => Ok(Bounds::at_least(number + 1)),
            ("=" | "==", _) => Ok(Bounds {
                least: number,
                most: number,
            }),
            ("<=", _) => Ok(Bounds {
                least: 0,
                most: number,
            }),
            ("<", _) => Ok(Bounds {
                least: 0,
                most: number.checked_sub(1).ok_or(ParseBoundsError)?,
            }),
            _ => Err(ParseBoundsError),
        }
    }
}

/// The greatest number accepted.
const MOST: u64 = u32::MAX as u64;

fn number(text: &str) -> Result<u64, ParseBoundsError> {
    let text = text.trim();
    let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
    let number = text.parse::<u32>().ok().filter(|_| is_number);
    number.map(u64::from).ok_or(ParseBoundsError)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! bounds {
        ($($name:ident: $text:expr => $ends:expr;)*) => {$(
            #[test]
            fn $name() {
                let ends = $text.parse::<Bounds>().ok().map(|bounds| (bounds.least, bounds.most));
                assert_eq!(ends, $ends);
            }
        )*};
    }

    bounds! {
        from: "2600.." => Some((2600, MOST));
        to: "..2400" => Some((0, 2400));
        between: "2400..2600" => Some((2400, 2600));
        a_number_alone: "40" => Some((40, MOST));
        exactly: "=40" => Some((40, 40));
        exactly_as_in_programs: "== 40" => Some((40, 40));
        more: ">40" => Some((41, MOST));
        not_less: ">=40" => Some((40, MOST));
        less: "<40" => Some((0, 39));
        not_more: "<= 40" => Some((0, 40));
        with_plus: "2600+" => Some((2600, MOST));
        with_a_dash: "2400-2600" => Some((2400, 2600));
        with_a_dash_alone: "2400-" => Some((2400, MOST));
        less_than_nothing: "<0" => None;
        more_than_the_most: ">4294967295" => None;
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

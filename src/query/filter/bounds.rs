//! Numbers from one to another.

use std::str::FromStr;

/// Numbers between two bounds, both included.
///
/// ```
/// use stamma::query::Bounds;
/// let rated: Bounds = "2600..".parse().expect("bounds");
/// assert!(rated.has(2600) && !rated.has(2599));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    least: u64,
    most: u64,
}

/// A text that gives no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give numbers like 2600.., ..2400, 2400..2600 or 2500")]
pub struct NoBounds;

impl Bounds {
    /// Whether a number is between them.
    pub fn has(self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// Whether half a number is between them.
    pub(super) fn has_half(self, twice: u64) -> bool {
        2 * self.least <= twice && twice / 2 + twice % 2 <= self.most
    }
}

impl FromStr for Bounds {
    type Err = NoBounds;

    /// Reads `2600..`, `..2400`, `2400..2600`, or one number alone; at most 4,294,967,295.
    fn from_str(text: &str) -> Result<Bounds, NoBounds> {
        let number = |text: &str| text.trim().parse::<u32>().map(u64::from).map_err(|_| NoBounds);
        let bounds = match text.trim().split_once("..") {
            None => Bounds { least: number(text)?, most: number(text)? },
            Some(("", "")) => return Err(NoBounds),
            Some(("", most)) => Bounds { least: 0, most: number(most)? },
            Some((least, "")) => Bounds { least: number(least)?, most: u64::from(u32::MAX) },
            Some((least, most)) => Bounds { least: number(least)?, most: number(most)? },
        };
        if bounds.least <= bounds.most { Ok(bounds) } else { Err(NoBounds) }
    }
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
        from: "2600.." => Some((2600, u32::MAX.into()));
        to: "..2400" => Some((0, 2400));
        between: "2400..2600" => Some((2400, 2600));
        one: "40" => Some((40, 40));
        nothing: "" => None;
        all: ".." => None;
        backwards: "5..4" => None;
        three_dots: "1...2" => None;
        a_sign: "-5.." => None;
    }

    #[test]
    fn halves() {
        let bounds = "2500..2501".parse::<Bounds>().expect("bounds");
        let has = [4999, 5000, 5001, 5002, 5003].map(|twice| bounds.has_half(twice));
        assert_eq!(has, [false, true, true, true, false]);
    }
}

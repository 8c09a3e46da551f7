//! Codes of the Encyclopaedia of Chess Openings, as numbers.

use std::fmt;
use std::str::FromStr;

/// A range of codes, such as `B20` to `B99`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EcoRange {
    first: u16,
    last: u16,
}

/// Why a text is not a range of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseEcoError {
    /// It has other letters or numbers.
    #[error("give codes like B90, B20-B99, B9 or C")]
    Unreadable,
    /// The first code comes after the last.
    #[error("the ends are reversed; give the smaller code first, as in B20-B99")]
    Reversed,
}

/// The number of the ECO code with which a tag's value begins, 0 for none. `B90`, `B90j` and `B90/07` have one number.
pub(crate) fn eco_code(text: &str) -> u16 {
    let [
        letter @ (b'A'..=b'E' | b'a'..=b'e'),
        tens @ b'0'..=b'9',
        ones @ b'0'..=b'9',
        ..,
    ] = *text.as_bytes()
    else {
        return 0;
    };

    let volume = u16::from(letter.to_ascii_uppercase() - b'A');
    let tens = u16::from(tens - b'0');
    let ones = u16::from(ones - b'0');
    1 + VOLUME_CODES * volume + 10 * tens + ones
}

/// The number of codes in a volume, `A` to `E`.
const VOLUME_CODES: u16 = 100;

/// The number of ECO codes.
const CODES: u16 = 5 * VOLUME_CODES;

/// The characters of a code: the letter of its volume and two digits.
const CODE_CHARACTERS: usize = 3;

/// The ECO code with a number.
pub(crate) fn eco_text(code: u16) -> Option<String> {
    let place = code.checked_sub(1)?;
    if place >= CODES {
        return None;
    }

    let volume = char::from(b'A' + (place / VOLUME_CODES) as u8);
    let digits = place % VOLUME_CODES;
    Some(format!("{volume}{digits:02}"))
}

impl EcoRange {
    /// `true` if the range contains a code's number.
    pub(crate) fn has(&self, code: u16) -> bool {
        (self.first..=self.last).contains(&code)
    }
}

impl fmt::Display for EcoRange {
    /// Formats the codes: `B90` or `B20-B99`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = eco_text(self.first).unwrap_or_default();
        let last = eco_text(self.last).unwrap_or_default();
        if first == last {
            formatter.write_str(&first)
        } else {
            write!(formatter, "{first}-{last}")
        }
    }
}

impl FromStr for EcoRange {
    type Err = ParseEcoError;

    /// Parses a code, the first characters of codes, or a range of either.
    fn from_str(text: &str) -> Result<EcoRange, ParseEcoError> {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        let first = filled(low, "00")?;
        let last = filled(high, "99")?;

        if first <= last {
            Ok(EcoRange { first, last })
        } else {
            Err(ParseEcoError::Reversed)
        }
    }
}

/// The number of an ECO code whose missing last digits are taken from `digits`.
fn filled(text: &str, digits: &str) -> Result<u16, ParseEcoError> {
    let begun = text.trim();
    let missing = CODE_CHARACTERS
        .checked_sub(begun.len())
        .and_then(|missing| digits.get(..missing))
        .ok_or(ParseEcoError::Unreadable)?;

    match eco_code(&format!("{begun}{missing}")) {
        0 => Err(ParseEcoError::Unreadable),
        code => Ok(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! ranges {
        ($($name:ident: $text:expr => $ends:expr;)*) => {$(
            #[test]
            fn $name() {
                let range = $text.parse::<EcoRange>().ok();
                let ends = range.map(|range| (eco_text(range.first), eco_text(range.last)));
                let expected: Option<(&str, &str)> = $ends;
                let said = |text: &str| Some(text.to_owned());
                assert_eq!(ends, expected.map(|(first, last)| (said(first), said(last))));
            }
        )*};
    }

    ranges! {
        one: "B90" => Some(("B90", "B90"));
        small_letters: "b90-b92" => Some(("B90", "B92"));
        ten: "B9" => Some(("B90", "B99"));
        a_volume: "C" => Some(("C00", "C99"));
        volumes: "A-B" => Some(("A00", "B99"));
        mixed: "B9-C1" => Some(("B90", "C19"));
        backwards: "B99-B20" => None;
        no_volume: "F00" => None;
        words: "Sicilian" => None;
        nothing: "" => None;
        open: "B20-" => None;
    }

    #[test]
    fn a_range_that_runs_backwards_is_named() {
        let error = |text: &str| text.parse::<EcoRange>().err();
        let [backwards, equal, none] = ["C-B", "B9-B95", "B-F"].map(error);
        assert_eq!((backwards, equal), (Some(ParseEcoError::Reversed), None));
        assert_eq!(none, Some(ParseEcoError::Unreadable));
    }

    #[test]
    fn codes_of_tags() {
        for (text, code) in [
            ("A00", 1),
            ("E99", 500),
            ("B90j", 191),
            ("B90/07", 191),
            ("?", 0),
        ] {
            assert_eq!(eco_code(text), code, "{text}");
        }

        // 0 is a game without a code.
        assert_eq!(eco_text(0), None);
    }
}

//! Clock times of a whole game, which annotations store as one array of seconds: `docs/annotations.md`.

use std::io::Write;

use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use crate::game::{Annotation, Annotations, Ply};

/// The form of comments with clock times; the keys of their arrays have the spaces of the comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockForm {
    /// `{[%clk 0:05:00]}`
    Tight,
    /// `{ [%clk 0:05:00] }`
    Spaced,
}

/// Annotations with fewer clock times keep them as comments.
const MIN_CLOCKS: usize = 4;

/// Clock times must be less than this number of seconds.
const MAX_SECONDS: u32 = 10_000_000;
/// The number of digits of the hours in [`MAX_SECONDS`].
const MAX_HOUR_DIGITS: usize = 4;

impl ClockForm {
    /// The form with a key, if it is one of clock times.
    pub(super) fn of_key(key: &str) -> Option<ClockForm> {
        [ClockForm::Tight, ClockForm::Spaced]
            .into_iter()
            .find(|form| form.key() == key)
    }

    /// The key of the array of clock times.
    const fn key(self) -> &'static str {
        match self {
            ClockForm::Tight => "clk",
            ClockForm::Spaced => " clk ",
        }
    }

    /// The texts of a comment before and after the time.
    const fn ends(self) -> [&'static str; 2] {
        match self {
            ClockForm::Tight => ["[%clk ", "]"],
            ClockForm::Spaced => [" [%clk ", "] "],
        }
    }

    /// The form of a comment that is a clock time and nothing else, and its tenths of seconds.
    fn read(comment: &str) -> Option<(ClockForm, u32)> {
        let form = if comment.starts_with(' ') {
            ClockForm::Spaced
        } else {
            ClockForm::Tight
        };

        let [before, behind] = form.ends();
        let time = comment.strip_prefix(before)?.strip_suffix(behind)?;
        Some((form, tenths(time)?))
    }

    /// The comment with a clock time.
    fn comment(self, tenths: u32) -> String {
        let [before, behind] = self.ends();
        let whole_seconds = tenths / 10;
        let hours = whole_seconds / 3600;
        let minutes = whole_seconds / 60 % 60;
        let seconds = whole_seconds % 60;
        let fraction = match tenths % 10 {
            0 => String::new(),
            tenth => format!(".{tenth}"),
        };

        format!("{before}{hours}:{minutes:02}:{seconds:02}{fraction}{behind}")
    }
}

/// The tenths of seconds of a time such as `0:05:00` or `0:00:07.3`. `None` for a time that [`ClockForm::comment`]
/// would write in another form.
fn tenths(time: &str) -> Option<u32> {
    let (hour_digits, rest) = time.split_once(':')?;
    // `0:00:07.0` is written as `0:00:07`, so a fraction of zero is another form.
    let (minutes_and_seconds, tenth) = match rest.as_bytes() {
        [before @ .., b'.', tenth @ b'1'..=b'9'] => (before, u32::from(tenth - b'0')),
        whole => (whole, 0),
    };
    let &[m, n, b':', s, t] = minutes_and_seconds else {
        return None;
    };

    let has_leading_zero = hour_digits != "0" && hour_digits.starts_with('0');
    let has_length = (1..=MAX_HOUR_DIGITS).contains(&hour_digits.len());
    if has_leading_zero || !has_length {
        return None;
    }

    let hours = number(hour_digits.as_bytes())?;
    let minutes = number(&[m, n])?;
    let seconds = number(&[s, t])?;
    if minutes >= 60 || seconds >= 60 {
        return None;
    }

    let all_seconds = hours * 3600 + minutes * 60 + seconds;
    if all_seconds >= MAX_SECONDS {
        return None;
    }
    Some(all_seconds * 10 + tenth)
}

/// The number that a few digits are.
fn number(digits: &[u8]) -> Option<u32> {
    let mut number = 0;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        number = number * 10 + u32::from(byte - b'0');
    }
    Some(number)
}

/// The clock times of a game by half-moves, from the first one on.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    form: Option<ClockForm>,
    tenths: Vec<Option<u32>>,
}

impl Clocks {
    /// The clock times of annotations, if at least half of the half-moves up to the last time have one.
    pub(super) fn of(annotations: &Annotations) -> Clocks {
        let mut clocks = Clocks::default();
        let mut count = 0;
        let mut last = None;
        for (ply, annotation) in annotations.iter() {
            let is_first = last.replace(ply) != Some(ply);
            let time = clocks.read(ply, annotation);
            let Some(tenths) = time else { continue };
            // The array has a single time for each half-move. Reading the array gives it as the first annotation there.
            if !is_first {
                continue;
            }

            // `read` gives no time at the start, so the number of half-moves is at least 1.
            let place = ply.get() as usize - 1;
            count += 1;
            if place + 1 > 2 * count {
                // More than half of the half-moves have no clock time.
                return Clocks::default();
            }
            clocks.tenths.resize(place, None);
            clocks.tenths.push(Some(tenths));
        }

        if count < MIN_CLOCKS {
            return Clocks::default();
        }
        clocks
    }

    /// The time of an annotation, if it is a comment in the form of the earlier times.
    fn read(&mut self, ply: Ply, annotation: Annotation<'_>) -> Option<u32> {
        let Annotation::Comment(comment) = annotation else {
            return None;
        };
        // The array begins with the first half-move.
        if ply == Ply::START {
            return None;
        }

        let (form, tenths) = ClockForm::read(comment)?;

        let form_of_game = *self.form.get_or_insert(form);
        (form_of_game == form).then_some(tenths)
    }

    /// `true` if the first annotation at a half-move is a clock time of the array.
    pub(super) fn has(&self, ply: Ply) -> bool {
        let Some(place) = (ply.get() as usize).checked_sub(1) else {
            return false;
        };
        matches!(self.tenths.get(place), Some(Some(_)))
    }

    /// Appends the key and the array; nothing without clock times.
    pub(super) fn write(&self, json: &mut Vec<u8>) {
        let Some(form) = self.form else { return };

        json.push(b'"');
        json.extend_from_slice(form.key().as_bytes());
        json.extend_from_slice(b"\":[");
        for (place, tenths) in self.tenths.iter().enumerate() {
            if place > 0 {
                json.push(b',');
            }
            // Writing to memory cannot fail.
            let _ = match tenths {
                None => json.write_all(b"null"),
                Some(tenths) if tenths % 10 == 0 => write!(json, "{}", tenths / 10),
                Some(tenths) => write!(json, "{}.{}", tenths / 10, tenths % 10),
            };
        }
        json.push(b']');
    }
}

/// Reads an array of seconds as the comments that it stands for.
pub(super) struct ClockComments(pub(super) ClockForm);

impl<'j> serde::de::DeserializeSeed<'j> for ClockComments {
    type Value = Annotations;

    fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<Annotations, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'j> Visitor<'j> for ClockComments {
    type Value = Annotations;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of seconds")
    }

    fn visit_seq<S: SeqAccess<'j>>(self, mut times: S) -> Result<Annotations, S::Error> {
        let mut comments = Annotations::default();
        for ply in 1..=u32::MAX {
            let Some(time) = times.next_element::<Option<f64>>()? else {
                return Ok(comments);
            };
            let Some(seconds) = time else { continue };

            let range = 0.0..f64::from(MAX_SECONDS);
            if !range.contains(&seconds) {
                return Err(S::Error::custom(format!("{seconds} is no clock time")));
            }

            let tenths = (seconds * 10.0).round() as u32;
            let comment = self.0.comment(tenths);
            comments.push(Ply::new(ply), Annotation::Comment(&comment));
        }

        // More elements than half-moves can have are ignored.
        while times.next_element::<IgnoredAny>()?.is_some() {}
        Ok(comments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads {
        ($($name:ident: $comment:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                let read = ClockForm::read($comment);
                assert_eq!(read.map(|(_, tenths)| tenths), $expected);
                let written = read.map(|(form, tenths)| form.comment(tenths));
                assert!(written.is_none_or(|written| written == $comment));
            }
        )*};
    }

    reads! {
        spaced: " [%clk 0:05:00] " => Some(3000);
        tight: "[%clk 1:59:07]" => Some(71_470);
        tenth: "[%clk 0:00:07.3]" => Some(73);
        many_hours: "[%clk 2777:46:39.9]" => Some(99_999_999);
        too_many_hours: "[%clk 2777:46:40]" => None;
        a_tenth_that_is_zero: "[%clk 0:00:07.0]" => None;
        hundredths: "[%clk 0:00:07.31]" => None;
        a_zero_too_many: "[%clk 00:05:00]" => None;
        no_hour: "[%clk :05:00]" => None;
        a_sign: "[%clk +1:05:00]" => None;
        too_many_minutes: "[%clk 0:60:00]" => None;
        too_many_seconds: "[%clk 0:05:60]" => None;
        short: "[%clk 5:00]" => None;
        one_space: " [%clk 0:05:00]" => None;
        words: " [%clk 0:05:00] why" => None;
        another_command: " [%emt 0:05:00] " => None;
        nothing: "" => None;
    }
}

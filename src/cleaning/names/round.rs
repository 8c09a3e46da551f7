//! Parses and compares rounds: `01`, `1.` and `(1)` are one round, `5.3` is a game of round 5.

use std::fmt;

/// A round as numbers: the round, and the board or game within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Round {
    parts: [u16; 3],
    count: u8,
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count == 0 {
            return f.write_str("?");
        }

        for (at, part) in self.numbers().iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            write!(f, "{part}")?;
        }
        Ok(())
    }
}

/// Hardly any tournament of people has more rounds. Greater numbers may be pages, or numbers of games in books.
const MAX_ROUNDS: u16 = 48;

/// The likeness of two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundMatch {
    /// All numbers are equal.
    Equal,
    /// The rounds are equal, and only one has a board or game.
    Compatible,
    /// A round is missing or no number.
    Unknown,
    /// The rounds are equal, the boards or games differ.
    OtherBoard,
    /// Different rounds.
    Different,
}

impl Round {
    /// Reads a round; empty for `?`, `-`, and words.
    pub fn parse(text: &str) -> Round {
        let parts = without_label(text)
            .split(['.', '-', '/', ' '])
            .filter(|part| !part.is_empty());

        let mut round = Round::default();
        for part in parts.take(round.parts.len()) {
            let Ok(number) = part.parse() else {
                return Round::default();
            };
            round.parts[usize::from(round.count)] = number;
            round.count += 1;
        }
        round
    }

    /// The number of the round, without boards and games; `None` for an empty round.
    pub fn number(self) -> Option<u16> {
        self.numbers().first().copied()
    }

    /// The second number, which is the board in events of teams; `None` without a second number.
    pub fn board(self) -> Option<u16> {
        self.numbers().get(1).copied()
    }

    /// All numbers of the round: the round, and the board or game within it.
    pub fn numbers(&self) -> &[u16] {
        &self.parts[..usize::from(self.count)]
    }

    /// `true` if the first number is too high for a round: it may be the number of a page, or of a game in a book.
    pub fn is_beyond_rounds(self) -> bool {
        self.parts[0] > MAX_ROUNDS
    }

    /// Compares two rounds.
    ///
    /// ```
    /// use stamma::cleaning::names::{Round, RoundMatch};
    /// let of = |a, b| Round::parse(a).compare(Round::parse(b));
    /// assert_eq!(of("01", "(1)"), RoundMatch::Equal);
    /// assert_eq!(of("5", "5.3"), RoundMatch::Compatible);
    /// assert_eq!(of("1.20", "1.26"), RoundMatch::OtherBoard);
    /// assert_eq!(of("?", "7"), RoundMatch::Unknown);
    /// ```
    pub fn compare(self, other: Round) -> RoundMatch {
        let shared = usize::from(self.count.min(other.count));
        if shared == 0 {
            return RoundMatch::Unknown;
        }

        let first_other = (0..shared).find(|&at| self.parts[at] != other.parts[at]);
        match first_other {
            Some(0) => RoundMatch::Different,
            Some(_) => RoundMatch::OtherBoard,
            None if self.count == other.count => RoundMatch::Equal,
            None => RoundMatch::Compatible,
        }
    }
}

/// A round without brackets, a dot at its end, and the words `round`, `rd` and `r` before it.
fn without_label(text: &str) -> &str {
    let text = text
        .trim()
        .trim_matches(['(', ')', '[', ']', '.', ' ', '#']);

    let letters = text
        .bytes()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (word, rest) = text.split_at(letters);
    let is_label = ["round", "rd", "r", "rnd", "game"]
        .iter()
        .any(|label| word.eq_ignore_ascii_case(label));

    if is_label {
        rest.trim_start_matches(['.', ' '])
    } else {
        text
    }
}

/// The canonical spelling of a round: `01`, `1.`, `(1)` and `Round 1` become `1`, `01.02` becomes `1.2`.
pub(crate) fn canonical_round(text: &str) -> String {
    let bare = without_label(text);
    let has_digit = bare.bytes().any(|byte| byte.is_ascii_digit());
    let is_part_of_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'/');
    let is_number = bare.bytes().all(is_part_of_number);
    if !has_digit || !is_number {
        return text.trim().to_owned();
    }

    let mut canonical = String::with_capacity(bare.len());
    for part in bare.split_inclusive(|letter: char| !letter.is_ascii_digit()) {
        let digits = part.trim_start_matches('0');
        // The last 0 of `00` stays.
        let was_zero = !digits.starts_with(|letter: char| letter.is_ascii_digit());
        if was_zero && part.starts_with('0') {
            canonical.push('0');
        }
        canonical.push_str(digits);
    }

    canonical
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! rounds {
        ($($name:ident: $text:literal => $canonical:literal;)*) => {
            $(#[test] fn $name() { assert_eq!(canonical_round($text), $canonical); })*
        };
    }

    rounds! {
        leading_zero: "01" => "1";
        dot: "1." => "1";
        brackets: "(1)" => "1";
        label: "Round 12" => "12";
        zero: "0" => "0";
        zeros: "10.00" => "10.0";
        board: "05.03" => "5.3";
        unknown: "?" => "?";
        none: "-" => "-";
        words: "Semifinal" => "Semifinal";
        empty: " " => "";
    }
}

//! Finds faults in a game's tag pairs; the values are kept unchanged.

use std::borrow::Cow;

use super::problem::excerpt;
use super::{Problem, ProblemKind};
use crate::game::{Ply, TagPair, is_standard_date};
use crate::pgn::Termination;

/// The maximum number of tags checked for repeated names.
const MAX_TAGS: usize = 256;
/// The maximum number of tag faults reported per game.
const MAX_FAULTS: usize = 1000;

/// The faults of all tag pairs of a game, in order.
pub(super) fn tag_faults(text: &str, tags: &[TagPair<'_>]) -> Vec<Problem> {
    let mut faults = Vec::new();
    let mut names = NameFilter::default();

    for (i, TagPair { name, value }) in tags.iter().enumerate() {
        if faults.len() == MAX_FAULTS {
            break;
        }

        // Because of the filter, few names are compared with others. The limit bounds these comparisons in a game of
        // thousands of tags.
        let before = &tags[..i.min(MAX_TAGS)];
        let is_repeated = names.add(name) && before.iter().any(|tag| tag.name == *name);
        let fault = if is_repeated {
            let message = format!("there is a tag {name} before this one");
            Some((ProblemKind::RepeatedTag, message))
        } else {
            value_fault(name, value, tags)
        };
        let Some((kind, message)) = fault else {
            continue;
        };

        // A value with escaped characters is not a part of the text.
        let part = match value {
            Cow::Borrowed(value) => value,
            Cow::Owned(_) => &**name,
        };
        faults.push(Problem {
            kind,
            at: start_in(text, part),
            ply: Ply::START,
            text: excerpt(value).to_owned(),
            message,
        });
    }

    faults
}

/// The fault of a tag's value, with its message. A value without letters and digits, such as `?`, is unknown, and no
/// fault.
fn value_fault(name: &str, value: &str, tags: &[TagPair<'_>]) -> Option<(ProblemKind, String)> {
    let is_filled = || value.bytes().any(|byte| byte.is_ascii_alphanumeric());

    match name {
        "Date" | "UTCDate" | "EventDate" if !is_standard_date(value) && is_filled() => {
            let value = excerpt(value);
            let message = format!("{name} \"{value}\" is no day written as YYYY.MM.DD");
            Some((ProblemKind::InvalidDate, message))
        }
        "WhiteElo" | "BlackElo" if value.parse::<u16>().is_err() && is_filled() => {
            let message = format!("{name} \"{}\" is no number", excerpt(value));
            Some((ProblemKind::InvalidElo, message))
        }
        "Result" => {
            let is_result = Termination::from_text(value).is_some();
            if is_result || !value.contains(char::is_alphanumeric) {
                return None;
            }

            let value = excerpt(value);
            let message = format!("Result \"{value}\" is not 1-0, 0-1, 1/2-1/2 or * in any form");
            Some((ProblemKind::InvalidResult, message))
        }
        "FEN" => {
            let has_set_up = tags
                .iter()
                .any(|tag| tag.name == "SetUp" && tag.value == "1");
            if has_set_up {
                return None;
            }

            let message = "a game with a FEN has the tag SetUp \"1\" as well".to_owned();
            Some((ProblemKind::MissingSetUp, message))
        }
        _ => None,
    }
}

/// A filter of the names seen so far, with one bit for several names.
#[derive(Default)]
struct NameFilter(u64);

impl NameFilter {
    /// Adds a name; returns `true` if it may have been added before.
    fn add(&mut self, name: &str) -> bool {
        // Three characters and the length are cheap to combine, and differ between most names.
        let bytes = name.as_bytes();
        let ends = [bytes.first(), bytes.last(), bytes.get(bytes.len() / 2)];
        let sum = ends
            .into_iter()
            .flatten()
            .fold(bytes.len(), |sum, &byte| 31 * sum + usize::from(byte));

        let bit = 1 << (sum % u64::BITS as usize);
        let may_be_repeated = self.0 & bit != 0;

        self.0 |= bit;
        may_be_repeated
    }
}

/// The offset of a part of a text.
pub(super) fn start_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    fn codes(text: &str) -> String {
        let problems = crate::replay::replay(text).problems;

        let codes: Vec<String> = problems
            .iter()
            .map(|problem| format!("{}:{}", problem.at, problem.kind))
            .collect();
        codes.join(" ")
    }

    #[test]
    fn each_fault_has_its_place() {
        assert_eq!(
            codes(
                "[Event \"?\"]\n[Date \"1972-07\"]\n[WhiteElo \"2800?\"]\n[BlackElo \"-\"]\n\
                 [Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n"
            ),
            "19:invalid-date 40:invalid-elo 71:repeated-tag 81:fen-without-setup"
        );
        assert_eq!(
            codes("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n"),
            ""
        );
    }

    #[test]
    fn results_in_other_spellings_are_no_faults() {
        assert_eq!(codes("[Result \"2-0\"]\n\n1. e4 *\n"), "9:invalid-result");
        assert_eq!(codes("[Result \"1:0\"]\n\n1. e4 1-0\n"), "");
        assert_eq!(codes("[Result \"?\"]\n\n1. e4 1-0\n"), "");
        assert_eq!(
            codes("[Result \"1 : 0\"]\n\n1. e4 0-1\n"),
            "24:result-mismatch"
        );
    }

    #[test]
    fn unknown_values_are_no_faults() {
        assert_eq!(
            codes("[Date \"?\"]\n[WhiteElo \"\"]\n[BlackElo \"?\"]\n\n1. e4 *\n"),
            ""
        );
    }
}

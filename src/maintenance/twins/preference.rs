//! The preferred copy of a game, with the text that stores this preference for the next search.

use std::fmt;
use std::str::FromStr;

use crate::cleaning::twins::Preference;
use crate::storage::{SourceId, SourceSummary};

/// The rule that selects the copy of a game that is kept. Among equal copies, the number of moves decides, then
/// annotations, known tags, the fuller date, and at last the order of the games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PreferredCopy {
    /// The copy with the most moves.
    #[default]
    Longest,
    /// The copy with the most annotations.
    Annotated,
    /// The first copy.
    First,
    /// A copy of one of these sources, by their numbers.
    Source(Vec<SourceId>),
}

/// A text that names no preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give longest, annotated, first or source with numbers")]
pub struct ParsePreferredCopyError;

impl PreferredCopy {
    /// The kind of the rule, without the numbers of sources.
    pub(super) fn preference(&self) -> Preference {
        match self {
            PreferredCopy::Longest => Preference::Longest,
            PreferredCopy::Annotated => Preference::Annotated,
            PreferredCopy::First => Preference::First,
            PreferredCopy::Source(_) => Preference::Source,
        }
    }

    /// The preference with the later parts of files that have grown.
    pub(super) fn with_continuations(mut self, known: &[SourceSummary]) -> PreferredCopy {
        let PreferredCopy::Source(preferred) = &mut self else {
            return self;
        };

        // A source comes after the source that it continues, so one pass finds all parts.
        let mut in_order: Vec<&SourceSummary> = known.iter().collect();
        in_order.sort_unstable_by_key(|source| source.id);
        for source in in_order {
            let is_later = source
                .continues
                .is_some_and(|first| preferred.contains(&first));
            if is_later && !preferred.contains(&source.id) {
                preferred.push(source.id);
            }
        }
        self
    }

    /// The preferred sources; empty for the other rules.
    pub(super) fn sources(&self) -> &[SourceId] {
        if let PreferredCopy::Source(sources) = self {
            sources
        } else {
            &[]
        }
    }
}

impl fmt::Display for PreferredCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PreferredCopy::Longest => f.write_str("longest"),
            PreferredCopy::Annotated => f.write_str("annotated"),
            PreferredCopy::First => f.write_str("first"),
            PreferredCopy::Source(sources) => {
                let numbers: Vec<String> = sources.iter().map(SourceId::to_string).collect();
                write!(f, "source {}", numbers.join(","))
            }
        }
    }
}

impl FromStr for PreferredCopy {
    type Err = ParsePreferredCopyError;

    /// Reads the text of [`fmt::Display`].
    fn from_str(text: &str) -> Result<PreferredCopy, ParsePreferredCopyError> {
        match text {
            "longest" => return Ok(PreferredCopy::Longest),
            "annotated" => return Ok(PreferredCopy::Annotated),
            "first" => return Ok(PreferredCopy::First),
            _ => {}
        }

        let numbers = text
            .strip_prefix("source ")
            .ok_or(ParsePreferredCopyError)?;
        let mut sources = Vec::new();
        for number in numbers.split(',') {
            let source: SourceId = number.parse().map_err(|_| ParsePreferredCopyError)?;
            sources.push(source);
        }
        Ok(PreferredCopy::Source(sources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_displayed_is_read() {
        for text in ["longest", "annotated", "first", "source 3", "source 3,12"] {
            let read = text.parse::<PreferredCopy>().map(|copy| copy.to_string());
            assert_eq!(read.as_deref(), Ok(text));
        }

        for wrong in ["", "Longest", "source", "source ", "source a"] {
            assert!(wrong.parse::<PreferredCopy>().is_err(), "{wrong}");
        }
    }
}

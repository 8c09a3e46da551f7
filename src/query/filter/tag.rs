//! Queries for tag pairs.

use std::str::FromStr;

use crate::game::TagPair;

/// A tag that a game must have, with a given value or any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagQuery {
    pub(super) name: String,
    /// The exact value; `None` for any.
    pub(super) value: Option<String>,
}

/// The error for a text that does not name a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a tag and its value, like TimeControl=300+3, or a tag alone")]
pub struct ParseTagQueryError;

impl FromStr for TagQuery {
    type Err = ParseTagQueryError;

    /// Parses `NAME=VALUE`, where the value is the rest of the text, or `NAME`.
    fn from_str(text: &str) -> Result<TagQuery, ParseTagQueryError> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.to_owned())),
            None => (text.trim(), None),
        };
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
        is_name.then(|| TagQuery { name: name.to_owned(), value }).ok_or(ParseTagQueryError)
    }
}

impl TagQuery {
    /// The name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `true` if one of these tag pairs matches.
    pub(super) fn is_among(&self, tags: &[TagPair<'_>]) -> bool {
        let is_value = |value: &str| self.value.as_ref().is_none_or(|wanted| wanted == value);
        tags.iter().any(|tag| tag.name == self.name && is_value(&tag.value))
    }
}

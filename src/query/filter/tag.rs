//! Tag pairs that somebody asks for.

use std::str::FromStr;

use crate::game::TagPair;

/// A tag that a game must have, with a value or any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagQuery {
    pub(super) name: String,
    /// The value, exactly; nothing where any does.
    pub(super) value: Option<String>,
}

/// A text that names no tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a tag and its value, like TimeControl=300+3, or a tag alone")]
pub struct ParseTagQueryError;

impl FromStr for TagQuery {
    type Err = ParseTagQueryError;

    /// Reads `NAME=VALUE`, where the value is all that follows, or `NAME`.
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
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether one of these tag pairs is meant.
    pub(super) fn is_among(&self, tags: &[TagPair<'_>]) -> bool {
        let is_value = |value: &str| self.value.as_ref().is_none_or(|asked| asked == value);
        tags.iter().any(|tag| tag.name == self.name && is_value(&tag.value))
    }
}

//! Errors of parsing patterns.

/// The error for a text that cannot be parsed, with the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {what} `{text}`, character {place}: {fault}")]
pub struct ParsePatternError {
    /// The noun for the text, such as `pattern`.
    pub what: &'static str,
    /// The text.
    pub text: String,
    /// The place in the text, in characters from 1; past the end, one more than its length.
    pub place: usize,
    /// The fault at this place, and the expected characters.
    pub fault: String,
}

impl ParsePatternError {
    /// An error at a byte of a text.
    pub(super) fn at(
        what: &'static str,
        text: &str,
        byte: usize,
        fault: impl Into<String>,
    ) -> ParsePatternError {
        let place = text.char_indices().take_while(|(at, _)| *at < byte).count() + 1;
        ParsePatternError {
            what,
            text: text.to_owned(),
            place,
            fault: fault.into(),
        }
    }
}

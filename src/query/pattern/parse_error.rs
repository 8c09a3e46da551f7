//! Why a text is no question.

/// A place in a text that cannot be read, and what would have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {what} `{text}`, character {place}: {fault}")]
pub struct ParsePatternError {
    /// What the text should be, such as `pattern`.
    pub what: &'static str,
    /// The text.
    pub text: String,
    /// Where in the text, in characters from 1; one more than it has at its end.
    pub place: usize,
    /// What is wrong there, and what was expected.
    pub fault: String,
}

impl ParsePatternError {
    /// That of a text at a byte of it.
    pub(super) fn at(
        what: &'static str,
        text: &str,
        byte: usize,
        fault: impl Into<String>,
    ) -> ParsePatternError {
        let place = text.char_indices().take_while(|(at, _)| *at < byte).count() + 1;
        ParsePatternError { what, text: text.to_owned(), place, fault: fault.into() }
    }
}

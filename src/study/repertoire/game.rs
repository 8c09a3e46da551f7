//! The games of a repertoire's files.

/// A game of a repertoire, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepertoireGame {
    /// The name of its file.
    pub file: String,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
}

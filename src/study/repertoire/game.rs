//! The games of a repertoire's files.

/// The text of a game of a repertoire, and its place in the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepertoireGame {
    /// The name of the file.
    pub file: String,
    /// The line on which the game begins, from 1.
    pub line: usize,
    /// The text of the game, unchanged.
    pub text: String,
}

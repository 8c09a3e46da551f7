//! Problems with their places in the sources that games came from.

use crate::replay::Problem;

/// A problem with its place in its source.
#[derive(Clone, Debug)]
pub(crate) struct SourceProblem {
    /// The game's number in its batch; `None` for text between games.
    pub(crate) game: Option<usize>,
    /// The offset of the problem's place in the source.
    pub(crate) byte_offset: u64,
    /// The length of the problem's place.
    pub(crate) byte_length: u64,
    /// The line of the source on which the problem begins, from 1.
    pub(crate) line: u64,
    /// The byte column in that line, from 1.
    pub(crate) column: u64,
    pub(crate) problem: Problem,
}

//! Errors of a repertoire, and remarks on places in its files.

use std::fmt;

/// The reason why files are not a repertoire.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepertoireError {
    /// No file has a position.
    #[error("no position was found in the repertoire")]
    NoPositions,
    /// The moves do not show the side of the repertoire.
    #[error(
        "whose repertoire this is cannot be told by its moves: White has several moves in {white} of its positions, Black in {black}"
    )]
    UnclearSide {
        /// The number of positions in which White has several moves.
        white: usize,
        /// The number of positions in which Black has several moves.
        black: usize,
    },
    /// There are more positions than can be numbered.
    #[error("the repertoire has more than {0} positions")]
    TooManyPositions(usize),
}

/// A remark on a place in a file that cannot be read, or that is left out of the repertoire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepertoireRemark {
    /// The name of the file.
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault at this line.
    pub message: String,
}

impl fmt::Display for RepertoireRemark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.message)
    }
}

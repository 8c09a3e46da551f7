//! Errors in a table of openings.

/// A line of a table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseOpeningsError {
    /// The number of the line, from 1.
    pub line: usize,
    pub(super) fault: LineFault,
}

/// The fault of a line of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum LineFault {
    #[error("there is no opening in this table")]
    Empty,
    #[error("a line has three columns, separated by tabs: moves, ECO code, name")]
    Columns,
    #[error("the first line of a TSV table names its columns, eco, name and pgn among them")]
    Headings,
    #[error("a cell is missing")]
    Cells,
    #[error("this is not a code, a name in quotation marks, and moves that end with *")]
    Scid,
    #[error("the last opening does not end with *")]
    Unended,
    #[error(
        "{0:?} is not an ECO code: a letter from A to E and two digits, with two more characters at most"
    )]
    Code(String),
    #[error("the opening has no name")]
    Nameless,
    #[error("the name has a control character")]
    ControlCharacter,
    #[error("the opening has no moves")]
    Moveless,
    #[error("{0} is not a legal move here")]
    Move(String),
    #[error("a table has at most 65,535 names")]
    TooMany,
}

impl LineFault {
    /// The error for this fault of a line.
    pub(super) fn at(self, line: usize) -> ParseOpeningsError {
        ParseOpeningsError { line, fault: self }
    }
}

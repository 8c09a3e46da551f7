//! Errors of reading and writing tables: SQLite has failed, or a table has wrong contents that SQLite accepts.
//!
//! A function that reads or writes tables returns a [`StoreError`] if it checks the contents of the tables, and
//! SQLite's own error if it does not. [`Database::error`](crate::storage::Database::error) adds the path of the
//! database.

use std::io;
use std::path::PathBuf;

use crate::openings::ParseOpeningsError;

/// Impossible contents of a table, or a limit that the database has reached.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFault {
    /// A block of the position index cannot be read.
    #[error("the position index is damaged at {0}")]
    IndexBlock(i64),
    /// The position index has a move that is not legal in its position.
    #[error("the position index has no legal move at {0}")]
    IndexedMove(String),
    /// A segment of the position index has another format, or covers other lines than the database indexes.
    #[error("the position index has another format")]
    IndexFormat,
    /// A query needs the position index, and the database has none.
    #[error("its positions are not indexed")]
    NoPositions,
    /// A query needs the positions of whole games.
    #[error("positions after half-move {0} are not indexed, and this needs all")]
    NotAllPositions(u32),
    /// A block of the column store cannot be read.
    #[error("block {0} of the table game_column is damaged")]
    ColumnBlock(i64),
    /// A line of the table of openings cannot be read.
    #[error("the table opening_line is damaged: {0}")]
    Openings(ParseOpeningsError),
    /// A position is in more games than a segment can list.
    #[error("the position index is full: a position occurs in too many games")]
    TooManyGames,
    /// There is no number for another segment.
    #[error("the position index is full: it has {0} segments")]
    TooManySegments(i64),
    /// There is no number for another source of evaluations.
    #[error("evaluations come from 255 sources, which is the limit")]
    TooManyEvaluationSources,
    /// There is no number for another game.
    #[error("game numbers have reached their limit, 2^62")]
    NoGameNumbers,
    /// A temporary file beside the database could not be written or read.
    #[error("a temporary file in {} failed: {source}", .folder.display())]
    TemporaryFile {
        /// The folder of the file.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl StoreFault {
    /// Returns `true` if the contents of the file are the cause.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            StoreFault::IndexBlock(_)
            | StoreFault::IndexedMove(_)
            | StoreFault::IndexFormat
            | StoreFault::ColumnBlock(_)
            | StoreFault::Openings(_) => true,
            StoreFault::NoPositions
            | StoreFault::NotAllPositions(_)
            | StoreFault::TooManyGames
            | StoreFault::TooManySegments(_)
            | StoreFault::TooManyEvaluationSources
            | StoreFault::NoGameNumbers
            | StoreFault::TemporaryFile { .. } => false,
        }
    }
}

/// The error of reading or writing a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// SQLite failed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The contents of the tables are wrong, or a limit is reached.
    #[error(transparent)]
    Fault(#[from] StoreFault),
}

/// The result of reading or writing tables with a check of their contents.
pub(crate) type StoreResult<T> = Result<T, StoreError>;

//! Errors of commands: errors of the library, and errors of the program, whose messages name the option that helps.

use super::args::UsageError;
use stamma::error::Error;

/// The error of a command.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The arguments contradict each other.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The library failed.
    #[error(transparent)]
    Library(#[from] Error),
    /// There is no such command.
    #[error("there is no command {0}; `stamma help` lists them")]
    NoSuchCommand(String),
    /// A deletion of many games was not confirmed.
    #[error(
        "{games} of {all} games would be deleted, more than a tenth; --yes deletes them, --dry-run lists them"
    )]
    NotConfirmed {
        /// The number of games to delete.
        games: u64,
        /// The number of games in the database.
        all: u64,
    },
    /// The user declined to delete games.
    #[error("no games were deleted")]
    Declined,
    /// An encoding other than UTF-8 was requested for JSON.
    #[error("JSON is always UTF-8; --output-encoding is for PGN")]
    JsonIsUtf8,
    /// Evaluations of a database were requested for files.
    #[error(
        "--evaluations needs a database; files have the evaluations in comments only, which are in `eval_cp`"
    )]
    NoEvaluationsInFiles,
    /// A named source is not in the database.
    #[error("{name}: no source of the database has this path or number; `stamma info` lists them{}", hint(.similar))]
    NoSuchSource {
        /// The name as given.
        name: String,
        /// Sources with similar paths, each with its number.
        similar: Vec<String>,
    },
}

/// The end of a message with similar sources; empty if there are none.
fn hint(similar: &[String]) -> String {
    match similar {
        [] => String::new(),
        _ => format!("; similar: {}", similar.join(", ")),
    }
}

//! Failures of engines. After a failure, an engine is not used any longer.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// The reason for a missing answer of an engine. Its process has ended, or is killed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineFailure {
    /// The program could not be started.
    #[error("this engine cannot be started: {0}")]
    Start(io::Error),
    /// The start was aborted before the engine was ready.
    #[error("the engine was stopped before it was ready")]
    Stopped,
    /// There was no answer in time.
    #[error("the engine has not answered `{command}` within {} s", .waited.as_secs_f64())]
    Silent {
        /// The command that it did not answer.
        command: &'static str,
        /// The time that the engine had for the answer.
        waited: Duration,
    },
    /// The process has ended by itself.
    #[error("the engine ended before it answered `{command}`{}{}", status_suffix(.status), error_suffix(.last_error_line))]
    Ended {
        /// The command that it did not answer.
        command: &'static str,
        /// The exit status of the process, if it is known.
        status: Option<ExitStatus>,
        /// The last line that the process wrote to standard error; empty for none.
        last_error_line: String,
    },
    /// A line of the output is too long.
    #[error("the engine wrote a line of more than {0} bytes")]
    LongLine(usize),
    /// There was too much output for one answer.
    #[error("the engine wrote more than {0} bytes without an answer")]
    TooMuchOutput(usize),
    /// A line that cannot be read.
    #[error("the engine wrote `{line}`: {why}")]
    Unreadable {
        /// The beginning of the line.
        line: String,
        /// The fault in the line.
        why: &'static str,
    },
    /// A move that cannot be played.
    #[error("the engine played `{text}`, which is illegal, in {fen}")]
    IllegalMove {
        /// The text in place of the move.
        text: String,
        /// The position that was searched.
        fen: String,
    },
    /// A search without a score.
    #[error("the engine gave no score for {fen}")]
    NoScore {
        /// The position that was searched.
        fen: String,
    },
    /// An option that the engine does not declare.
    #[error("the engine has no option {0}")]
    NoSuchOption(String),
    /// A value that does not fit its option.
    #[error("option {name}: {why}")]
    WrongValue {
        /// The name of the option.
        name: String,
        /// The values that the option accepts.
        why: String,
    },
}

impl EngineFailure {
    /// The failure for a line that cannot be read. Only the beginning of the line is kept.
    pub(super) fn unreadable(line: &str, why: &'static str) -> EngineFailure {
        EngineFailure::Unreadable {
            line: beginning(line),
            why,
        }
    }
}

/// The beginning of a text that an engine has written, for a message.
pub(super) fn beginning(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let mut short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The exit status at the end of a sentence.
fn status_suffix(status: &Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!(" ({status})"),
        None => String::new(),
    }
}

/// The last line of standard error at the end of a sentence.
fn error_suffix(last_error_line: &str) -> String {
    if last_error_line.is_empty() {
        String::new()
    } else {
        format!(": {last_error_line}")
    }
}

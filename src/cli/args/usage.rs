//! Checks of arguments that are valid individually, but contradict each other.

use stamma::query::ParseOpeningLineError;

/// The error for arguments with which a command cannot run.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum UsageError {
    /// Arguments contradict each other, or lack another one.
    #[error("{0}")]
    Contradiction(&'static str),
    /// The moves of `--line` cannot be followed.
    #[error("--line: {0}")]
    Line(#[from] ParseOpeningLineError),
}

/// The result of a check of arguments. Rules are checked in order; the error is of the first rule that is broken.
pub(in crate::cli) type Checked = Result<(), UsageError>;

/// Refuses arguments with a sentence.
///
/// # Errors
/// When the rule is broken.
pub(super) fn refuse_if(is_broken: bool, why: &'static str) -> Checked {
    if is_broken {
        return Err(UsageError::Contradiction(why));
    }
    Ok(())
}

/// Refuses the first given option of a list, each with its sentence.
///
/// # Errors
/// When one is given.
pub(in crate::cli) fn refuse_first<const N: usize>(options: [(bool, &'static str); N]) -> Checked {
    for (is_given, why) in options {
        refuse_if(is_given, why)?;
    }
    Ok(())
}

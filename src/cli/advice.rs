//! Options that resolve errors of the library.

use stamma::error::Error;

/// An error message, with the option that helps.
pub(super) fn sentence(error: &Error) -> String {
    match error {
        Error::After(_) => format!("--after: {error}"),
        Error::TooMuchToUnpack { .. } => format!("{error}; --max-unpacked lets it"),
        Error::TooMuchMemory(_) => format!("{error} (--memory)"),
        Error::OnlyLargeGames(_) => format!("{error}; --max-game takes larger games"),
        Error::MainlinesIndexed(_) => format!("{error}; --index-variations is for a new one"),
        Error::NotConfirmed { .. } => {
            format!("{error}; --yes deletes them, --dry-run lists them")
        }
        Error::JsonIsUtf8 => format!("{error}; --output-encoding is for PGN"),
        Error::LikeKnown(_) => format!("{error}, or give --again"),
        _ => error.to_string(),
    }
}

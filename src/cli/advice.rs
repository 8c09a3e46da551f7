//! Options that resolve errors of the library.

use super::args::{database_beside, is_named_like_games};
use super::meant::quoted;
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
        Error::NotADatabase(path) if is_named_like_games(path) => {
            let file = quoted(&path.display().to_string());
            let database = quoted(&database_beside(path).display().to_string());
            format!(
                "{file} has games, but is no database; make one: stamma import {database} {file}"
            )
        }
        _ => error.to_string(),
    }
}

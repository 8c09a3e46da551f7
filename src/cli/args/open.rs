//! Arguments of `stamma open`, and the path of the database for a file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[cfg(feature = "serve")]
use clap::Args;

use stamma::input::is_extension_of_games;

#[cfg(feature = "serve")]
#[derive(Args, Debug)]
pub(in crate::cli) struct Open {
    /// PGN files, archives or folders, which are imported into a database beside the first of them; or databases
    #[arg(required = true, num_args = 1.., value_name = "FILE|DATABASE")]
    pub(in crate::cli) paths: Vec<PathBuf>,
}

/// The path of the database for the games of a file or folder: in the same folder, with the extension `.db`. The path
/// is `games.db` for `games.pgn.zst` and for a folder `games`.
pub(in crate::cli) fn database_beside(path: &Path) -> PathBuf {
    let mut bare = path.to_owned();
    if bare.file_name().is_none() {
        // `.`, `..` and `/` have no name from which the name of a database can be derived.
        bare.push("games");
    }
    // A compressed file has two extensions, as in `games.pgn.zst`.
    while is_named_like_games(&bare) {
        bare.set_extension("");
    }

    let mut name = bare.file_name().unwrap_or_default().to_owned();
    name.push(".db");
    bare.with_file_name(name)
}

/// `true` for a path with the extension `.db`.
pub(in crate::cli) fn is_named_database(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "db")
}

/// `true` if the extension of a path is of a file that may have games.
pub(in crate::cli) fn is_named_like_games(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    is_extension_of_games(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_beside_their_files() {
        for (file, database) in [
            ("games.pgn", "games.db"),
            ("a/b/Games.PGN.zst", "a/b/Games.db"),
            ("twic.tar.gz", "twic.db"),
            ("twic1500", "twic1500.db"),
            ("lichess_2026.10.pgn", "lichess_2026.10.db"),
            ("games.2026", "games.2026.db"),
            ("folder/", "folder.db"),
            (".", "./games.db"),
            ("..", "../games.db"),
        ] {
            let beside = database_beside(Path::new(file));
            assert_eq!(beside, Path::new(database), "{file}");
        }
    }
}

//! The files of a Scid database, and the paths that name it.

use std::path::{Path, PathBuf};

/// The version of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `.si4`, `.sg4`, `.sn4`.
    Four,
    /// `.si5`, `.sg5`, `.sn5`.
    Five,
}

/// The three files of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct Files {
    pub(super) version: Version,
    /// A record for each game.
    pub(in crate::input) index: PathBuf,
    /// Tags, moves and comments.
    pub(super) games: PathBuf,
    /// The names of players, events, sites and rounds.
    pub(super) names: PathBuf,
}

impl Files {
    /// The files of the database to which a file belongs by its extension.
    pub(in crate::input) fn of(path: &Path) -> Option<Files> {
        let extension = path.extension()?.to_str()?;
        let [s, part, digit] = *extension.as_bytes() else {
            return None;
        };
        let is_letter_of_part = b"ign".contains(&part.to_ascii_lowercase());
        let is_part = s.eq_ignore_ascii_case(&b's') && is_letter_of_part;
        let version = match digit {
            b'4' if is_part => Version::Four,
            b'5' if is_part => Version::Five,
            _ => return None,
        };

        // The three files are named alike, in capitals or not.
        let file = |lower_case: char| {
            let letter = if part.is_ascii_uppercase() {
                lower_case.to_ascii_uppercase()
            } else {
                lower_case
            };
            let extension = format!("{}{letter}{}", char::from(s), char::from(digit));
            path.with_extension(extension)
        };
        Some(Files {
            version,
            index: file('i'),
            games: file('g'),
            names: file('n'),
        })
    }

    /// The program that made the database.
    pub(in crate::input) fn program(&self) -> &'static str {
        match self.version {
            Version::Four => "Scid 4",
            Version::Five => "Scid 5",
        }
    }

    /// The total size of the existing files.
    pub(in crate::input) fn bytes(&self) -> u64 {
        let mut bytes = 0;
        for path in [&self.index, &self.games, &self.names] {
            bytes += path.metadata().map_or(0, |metadata| metadata.len());
        }
        bytes
    }
}

/// The index of the database that a path means: the path of another file of the database, or a path without extension.
/// `None` if there is no such index, or the path is the index itself.
pub(in crate::input) fn meant_index(path: &Path) -> Option<PathBuf> {
    if let Some(files) = Files::of(path) {
        let is_another = files.index != path && files.index.is_file();
        return is_another.then_some(files.index);
    }
    if path.exists() {
        return None;
    }

    let with_extension = |extension: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(extension);
        let index = PathBuf::from(name);
        index.is_file().then_some(index)
    };

    // Scid 5 leaves the files of version 4 where they were, so that both may be there.
    with_extension(".si5").or_else(|| with_extension(".si4"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_names_its_database() {
        for name in ["a.b.si4", "a.b.sg4", "a.b.sn4"] {
            let files = Files::of(Path::new(name)).expect("a database");
            assert_eq!(files.index, Path::new("a.b.si4"));
            assert_eq!(files.games, Path::new("a.b.sg4"));
            assert_eq!(files.names, Path::new("a.b.sn4"));
            assert_eq!(files.version, Version::Four);
        }
        let capitals = Files::of(Path::new("A.SN5")).expect("a database");
        assert_eq!(capitals.index, Path::new("A.SI5"));
        assert_eq!(capitals.version, Version::Five);
        for name in ["a", "a.si3", "a.si44", "a.sf4", "a.pgn", "si4"] {
            assert_eq!(Files::of(Path::new(name)), None, "{name}");
        }
    }
}

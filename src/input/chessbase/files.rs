//! The files of a ChessBase database, and the paths that name it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The extension of the file with a record for each game.
const INDEX: &str = "cbh";
/// The extensions of all files that are read.
pub(super) const PARTS: [&str; 9] = ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj"];

/// The files of a database, by the path of its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct Files {
    /// A record for each game and text.
    pub(in crate::input) index: PathBuf,
    is_in_capitals: bool,
}

impl Files {
    /// The files of the database to which a file belongs by its extension.
    pub(in crate::input) fn of(path: &Path) -> Option<Files> {
        let extension = path.extension()?.to_str()?;
        let is_part = PARTS.iter().any(|part| part.eq_ignore_ascii_case(extension));
        let is_in_capitals = extension.starts_with('C');
        let files = Files { index: path.to_owned(), is_in_capitals };
        is_part.then(|| Files { index: files.part(INDEX), ..files })
    }

    /// The path of the file with this extension; the files are named alike, in capitals or not.
    pub(super) fn part(&self, extension: &str) -> PathBuf {
        match self.is_in_capitals {
            true => self.index.with_extension(extension.to_ascii_uppercase()),
            false => self.index.with_extension(extension),
        }
    }

    /// The size of all files that are there.
    pub(in crate::input) fn bytes(&self) -> u64 {
        let size = |part: &&str| self.part(part).metadata().map_or(0, |metadata| metadata.len());
        PARTS.iter().map(size).sum()
    }
}

/// The files of a database that can be opened: in its folder, or unpacked from an archive.
#[derive(Debug)]
pub(super) struct Parts {
    /// Where they are, or would be if the archive were a folder.
    pub(super) files: Files,
    /// Those from an archive, by extension.
    pub(super) unpacked: Option<Vec<(String, File)>>,
    /// How many bytes are stored, and how many they are when unpacked.
    pub(super) stored_share: (u64, u64),
}

impl Parts {
    /// Opens the file with this extension.
    pub(super) fn open(&self, extension: &str) -> io::Result<File> {
        let Some(unpacked) = &self.unpacked else {
            return File::open(self.files.part(extension));
        };
        let member = unpacked.iter().find(|(known, _)| known == extension);
        let (_, file) = member.ok_or(io::ErrorKind::NotFound)?;
        file.try_clone()
    }
}

/// The index of the database that a path means: one of its files, or their names without extension. `None` if there is no
/// such index, or the path is the index itself.
pub(in crate::input) fn meant_index(path: &Path) -> Option<PathBuf> {
    if let Some(files) = Files::of(path) {
        return Some(files.index).filter(|index| index != path && index.is_file());
    }
    if path.exists() {
        return None;
    }
    [".cbh", ".CBH"].iter().find_map(|extension| {
        let mut name = path.as_os_str().to_owned();
        name.push(extension);
        Some(PathBuf::from(name)).filter(|index| index.is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_names_its_database() {
        for name in ["a.b.cbh", "a.b.cbg", "a.b.cbe"] {
            let files = Files::of(Path::new(name)).expect("a database");
            assert_eq!(files.index, Path::new("a.b.cbh"));
            assert_eq!(files.part("cbg"), Path::new("a.b.cbg"));
        }
        let capitals = Files::of(Path::new("A.CBP")).expect("a database");
        assert_eq!(capitals.part("cba"), Path::new("A.CBA"));
        for name in ["a", "a.cbv", "a.2cbh", "a.pgn", "cbh"] {
            assert_eq!(Files::of(Path::new(name)), None, "{name}");
        }
    }
}

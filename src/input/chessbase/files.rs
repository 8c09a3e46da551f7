//! The files of a ChessBase database, and the paths that name it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The extension of the file with a record for each game.
const INDEX: &str = "cbh";
/// The extensions of all files that are read.
pub(super) const PARTS: [&str; 9] = [
    "cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj",
];

/// The files of a database, which have one name and different extensions, in capitals or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct Files {
    /// The file with a record for each game and text.
    pub(in crate::input) index: PathBuf,
    /// The existing files in the folder, each with its extension in small letters.
    existing: Vec<(&'static str, PathBuf)>,
}

impl Files {
    /// The files of the database to which a file belongs by its extension.
    pub(in crate::input) fn of(path: &Path) -> Option<Files> {
        let extension = path.extension()?.to_str()?;
        part_named(extension)?;

        let existing = files_beside(path);
        let existing_index = existing.iter().find(|(part, _)| *part == INDEX);
        let is_in_capitals = extension.starts_with('C');
        let index = match existing_index {
            Some((_, path)) => path.clone(),
            None if is_in_capitals => path.with_extension(INDEX.to_ascii_uppercase()),
            None => path.with_extension(INDEX),
        };
        Some(Files { index, existing })
    }

    /// The path of the file with this extension, even if there is no such file.
    pub(super) fn part(&self, extension: &str) -> PathBuf {
        let existing = self.existing.iter().find(|(part, _)| *part == extension);
        if let Some((_, path)) = existing {
            return path.clone();
        }

        // The extension of a missing file is in capitals if the extension of the index is.
        let index_extension = self
            .index
            .extension()
            .and_then(OsStr::to_str)
            .unwrap_or_default();
        if index_extension.starts_with('C') {
            self.index.with_extension(extension.to_ascii_uppercase())
        } else {
            self.index.with_extension(extension)
        }
    }

    /// The total size of the existing files.
    pub(in crate::input) fn bytes(&self) -> u64 {
        let mut bytes = 0;
        for part in PARTS {
            let metadata = self.part(part).metadata();
            bytes += metadata.map_or(0, |metadata| metadata.len());
        }
        bytes
    }
}

/// The extension in small letters, if files of a database have it.
pub(super) fn part_named(extension: &str) -> Option<&'static str> {
    PARTS
        .into_iter()
        .find(|part| part.eq_ignore_ascii_case(extension))
}

/// The files of a database in the folder of a path: files with the name of the path, but for the extension.
fn files_beside(path: &Path) -> Vec<(&'static str, PathBuf)> {
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return Vec::new(),
    };

    let mut files: Vec<(&'static str, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = PathBuf::from(entry.file_name());
        if name.file_stem() != path.file_stem() {
            continue;
        }

        let part = name
            .extension()
            .and_then(OsStr::to_str)
            .and_then(part_named);
        if let Some(part) = part {
            files.push((part, path.with_file_name(name)));
        }
    }

    // If two names differ only in capitals, the first name in order is chosen.
    files.sort();
    files.dedup_by_key(|(part, _)| *part);
    files
}

/// The files of a database that can be opened: in its folder, or unpacked from an archive.
#[derive(Debug)]
pub(super) struct Parts {
    /// The paths of the files. For an archive, the paths that they would have if the archive were a folder.
    pub(super) files: Files,
    /// The files from an archive, by extension.
    pub(super) unpacked: Option<Vec<(String, File)>>,
    /// The number of stored bytes, and the number of bytes that they unpack to.
    pub(super) stored_share: (u64, u64),
}

impl Parts {
    /// Opens the file with this extension.
    pub(super) fn open(&self, extension: &str) -> io::Result<File> {
        let Some(unpacked) = &self.unpacked else {
            return File::open(self.files.part(extension));
        };

        let member = unpacked.iter().find(|(known, _)| known == extension);
        match member {
            Some((_, file)) => file.try_clone(),
            None => Err(io::ErrorKind::NotFound.into()),
        }
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

    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(INDEX);
    let files = Files::of(Path::new(&name))?;
    files.index.is_file().then_some(files.index)
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

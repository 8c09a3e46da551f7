//! Which files a path stands for.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The files to import for a path: itself, or for a folder all `.pgn` files in it and below, in the
/// order of their names.
///
/// # Errors
/// When there is no such file, a folder cannot be read, or has no PGN in it.
pub fn find_files(path: &Path) -> Result<Vec<PathBuf>> {
    let metadata = fs::metadata(path).map_err(Error::file(path))?;
    if metadata.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if !metadata.is_dir() {
        return Err(Error::NotAFile(path.to_owned()));
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::file(&folder))? {
            let entry = entry.map_err(Error::file(&folder))?;
            let (kind, path) = (entry.file_type().map_err(Error::file(&folder))?, entry.path());
            // A linked folder may lead back up; a linked file cannot.
            if kind.is_dir() {
                folders.push(path);
            } else if is_pgn(&path) && path.is_file() {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        return Err(Error::NoPgnInFolder(path.to_owned()));
    }
    files.sort();
    Ok(files)
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

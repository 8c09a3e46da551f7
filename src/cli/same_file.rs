//! Comparison of paths: whether two of them name the same file.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// `true` if two paths name the same file, whether it exists or not. Hard links to a file are the same file.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (identity(a), identity(b)) {
        (Some(a), Some(b)) => a == b,
        // Neither file exists: two outputs could still create one file.
        (None, None) => match (place(a), place(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
        _ => false,
    }
}

/// The device and the inode of a file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    let metadata = fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The folder and the name of a file that does not exist.
fn place(path: &Path) -> Option<(PathBuf, &OsStr)> {
    let folder = fs::canonicalize(folder(path)).ok()?;
    let name = path.file_name()?;
    Some((folder, name))
}

/// The folder in which a file is.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

//! Comparison of paths by the files that they name.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use stamma::storage::folder_of;

/// `true` if two paths name one file, which need not exist. Hard links to a file name one file.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (identity(a), identity(b)) {
        (Some(a), Some(b)) => a == b,
        // Neither file exists, but two outputs could create one file.
        (None, None) => match (folder_and_name(a), folder_and_name(b)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        },
        _ => false,
    }
}

/// The device and the inode of a file; `None` if the file does not exist.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    let metadata = fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// The canonical path of a file; `None` if the file does not exist.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The canonical folder and the name of a file that does not exist.
fn folder_and_name(path: &Path) -> Option<(PathBuf, &OsStr)> {
    let folder = fs::canonicalize(folder_of(path)).ok()?;
    let name = path.file_name()?;
    Some((folder, name))
}

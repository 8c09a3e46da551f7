//! Files that a command writes: beside the one that is asked for, and in its place at the end.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::import::ProblemLog;
use crate::storage::Database;

/// What is written to a file.
pub(super) type FileOut = BufWriter<File>;

/// Calls `write` with a file beside the one that is asked for, and puts it in its place at the end, so
/// that a run that fails leaves what was there before.
///
/// # Errors
/// When the file is the database itself or cannot be written, and whatever `write` returns.
pub(super) fn to_file<T>(
    database: &Database,
    path: &Path,
    write: impl FnOnce(&mut FileOut) -> Result<T>,
) -> Result<T> {
    refuse_database(database, path)?;
    replace_file(path, write)
}

/// An error when a path names the database.
pub(super) fn refuse_database(database: &Database, path: &Path) -> Result<()> {
    match is_same_file(path, database.path()) {
        true => Err(Error::WouldOverwrite(path.to_owned())),
        false => Ok(()),
    }
}

/// As [`to_file`], for what comes from no database.
///
/// # Errors
/// When the file cannot be written, and whatever `write` returns.
pub(super) fn replace_file<T>(
    path: &Path,
    write: impl FnOnce(&mut FileOut) -> Result<T>,
) -> Result<T> {
    // Whoever reads an error knows the file that is asked for, and not the one beside it.
    let create = |file: &Path| File::create(file).map_err(Error::file(path));
    if path.exists() && !path.is_file() {
        // A device or a pipe cannot be put in the place of anything.
        return write_all(create(path)?, write);
    }
    let part = path.with_added_extension("part");
    match write_all(create(&part)?, write) {
        Ok(written) => fs::rename(&part, path).map_err(Error::file(path)).map(|()| written),
        Err(error) => {
            fs::remove_file(&part).map_err(Error::file(&part))?;
            Err(error)
        }
    }
}

fn write_all<T>(file: File, write: impl FnOnce(&mut FileOut) -> Result<T>) -> Result<T> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let written = write(&mut out)?;
    out.flush().map_err(Error::Output)?;
    Ok(written)
}

/// `true` when two paths name one file, be it there or not.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => {
            matches!((std::path::absolute(a), std::path::absolute(b)), (Ok(a), Ok(b)) if a == b)
        }
        _ => false,
    }
}

/// Begins the file for all problems, if one is asked for; `others` are files that the run reads or writes.
///
/// # Errors
/// When it is one of the others, or cannot be written.
pub(super) fn problem_log<'p>(
    path: Option<&Path>,
    others: impl IntoIterator<Item = &'p Path>,
) -> Result<Option<ProblemLog>> {
    let Some(path) = path else { return Ok(None) };
    match others.into_iter().any(|other| is_same_file(path, other)) {
        true => Err(Error::WouldOverwriteInput(path.to_owned())),
        false => ProblemLog::create(path).map(Some),
    }
}

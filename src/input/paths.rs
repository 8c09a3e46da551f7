//! Expands paths into files to read.

use std::fs;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, glob_with};

use super::names::may_hold_pgn;
use super::source::{Input, is_pipe};
use crate::error::{Error, Result};

/// As in shells, `*` does not match a leading dot.
const LIKE_A_SHELL: MatchOptions = MatchOptions {
    case_sensitive: !cfg!(windows),
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The inputs that paths denote, in order: `-` is standard input, a folder all files in it and its subfolders whose
/// names indicate PGN, and a pattern like `*.pgn`, unless a file has that name, all files that match it. Errors of
/// single paths are appended to `failures`.
pub fn find_inputs(paths: &[PathBuf], failures: &mut Vec<Error>) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::standard_input());
            continue;
        }
        match find_matches(path) {
            Ok(found) => found.iter().for_each(|path| add(path, &mut inputs, failures)),
            Err(error) => failures.push(error),
        }
    }
    inputs
}

fn add(path: &Path, inputs: &mut Vec<Input>, failures: &mut Vec<Error>) {
    let is_named = path.is_file() || is_pipe(path);
    let input = |path| if is_named { Input::file(path) } else { Input::file(path).found() };
    match find_files(path) {
        Ok(files) => inputs.extend(files.into_iter().map(input)),
        Err(error) => failures.push(error),
    }
}

/// The path itself, or the matches of a pattern like `*.pgn` by name.
///
/// # Errors
/// If a pattern matches no file, or a folder cannot be read.
pub fn find_matches(path: &Path) -> Result<Vec<PathBuf>> {
    let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| fs::symlink_metadata(path).is_err()) else {
        return Ok(vec![path.to_owned()]);
    };
    let no_match = || Error::NoMatch(path.to_owned());
    let found = glob_with(pattern, LIKE_A_SHELL).map_err(|_| no_match())?;
    let mut found: Vec<PathBuf> = found
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| Error::File { path: error.path().to_owned(), source: error.into() })?;
    // Pipes, which need a writer, must be named explicitly.
    found.retain(|path| !is_pipe(path));
    if found.is_empty() { Err(no_match()) } else { Ok(found) }
}

/// The files to read for a path: itself, or for a folder all files in it and its subfolders whose names indicate PGN,
/// sorted by name.
///
/// # Errors
/// If there is no such file, or a folder cannot be read or has no PGN in it.
pub fn find_files(path: &Path) -> Result<Vec<PathBuf>> {
    let metadata = fs::metadata(path).map_err(Error::file(path))?;
    if metadata.is_file() || is_pipe(path) {
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
            } else if may_hold_pgn(&entry.file_name().to_string_lossy()) && path.is_file() {
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

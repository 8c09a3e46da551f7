//! Expands paths into files to read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use glob::{MatchOptions, glob_with};

use super::database_files::{DatabaseFiles, meant_index};
use super::names::{is_parquet, may_hold_pgn};
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
            Ok(found) => found
                .iter()
                .for_each(|path| add(path, &mut inputs, failures)),
            Err(error) => failures.push(error),
        }
    }
    leave_out_repeated_databases(&mut inputs);
    inputs
}

/// Leaves out the inputs that name a database of Scid or ChessBase again: a pattern like `games.*` names all its files.
fn leave_out_repeated_databases(inputs: &mut Vec<Input>) {
    let mut seen = HashSet::new();
    inputs.retain(|input| match input.path() {
        Some(path) if DatabaseFiles::of(path).is_some() => seen.insert(path.to_owned()),
        _ => true,
    });
}

fn add(given: &Path, inputs: &mut Vec<Input>, failures: &mut Vec<Error>) {
    let index = meant_index(given);
    let path = index.as_deref().unwrap_or(given);
    let is_named = path.is_file() || is_pipe(path);
    let input = |path| {
        if is_named {
            Input::file(path)
        } else {
            Input::file(path).found()
        }
    };
    inputs.extend(find_readable_files(path, failures).into_iter().map(input));
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
    let mut found: Vec<PathBuf> =
        found
            .collect::<std::result::Result<_, _>>()
            .map_err(|error| Error::File {
                path: error.path().to_owned(),
                source: error.into(),
            })?;
    // Pipes, which need a writer, must be named explicitly.
    found.retain(|path| !is_pipe(path));
    if found.is_empty() {
        Err(no_match())
    } else {
        Ok(found)
    }
}

/// The tables of a data set that have no games; `games` does.
const OTHER_TABLES: [&str; 3] = ["positions", "plies", "problems"];

/// The files to read for a path: itself, or for a folder all files in it and its subfolders whose names indicate PGN,
/// sorted by name. Of a data set of Parquet files, these are its games.
///
/// # Errors
/// If there is no such file, or a folder cannot be read or has no PGN in it.
pub fn find_files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut failures = Vec::new();
    let files = find_readable_files(path, &mut failures);
    failures.into_iter().next().map_or(Ok(files), Err)
}

/// Like [`find_files`], but a folder that cannot be read is appended to `failures`, as all errors are, and the others are
/// read all the same.
fn find_readable_files(path: &Path, failures: &mut Vec<Error>) -> Vec<PathBuf> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => {
            failures.push(Error::file(path)(error));
            return Vec::new();
        }
    };
    if metadata.is_file() || is_pipe(path) {
        return vec![path.to_owned()];
    }
    if !metadata.is_dir() {
        failures.push(Error::NotAFile(path.to_owned()));
        return Vec::new();
    }

    let failures_before = failures.len();
    let mut files = Vec::new();
    let mut folders = vec![Folder {
        path: path.to_owned(),
        has_games: true,
    }];
    while let Some(folder) = folders.pop() {
        if let Err(error) = folder.list(&mut files, &mut folders) {
            failures.push(Error::file(&folder.path)(error));
        }
    }
    if files.is_empty() && failures.len() == failures_before {
        failures.push(Error::NoPgnInFolder(path.to_owned()));
    }
    files.sort();
    files
}

/// A folder to list.
struct Folder {
    path: PathBuf,
    /// `true` if Parquet files in it are games.
    has_games: bool,
}

impl Folder {
    /// Appends the files of this folder whose names indicate PGN, and its subfolders.
    fn list(&self, files: &mut Vec<PathBuf>, folders: &mut Vec<Folder>) -> io::Result<()> {
        let is_data_set = self.path.join("games").is_dir();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();

            // A linked folder may lead back up; a linked file cannot.
            if entry.file_type()?.is_dir() {
                let is_other = is_data_set && OTHER_TABLES.contains(&&*name);
                let has_games = self.has_games && !is_other && !name.starts_with('_');
                folders.push(Folder { path, has_games });
            } else if (self.has_games || !is_parquet(&name))
                && may_hold_pgn(&name)
                && path.is_file()
            {
                files.push(path);
            }
        }
        Ok(())
    }
}

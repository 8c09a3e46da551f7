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

/// Resolves paths to inputs, in the order of the paths. Errors of single paths are appended to `failures`.
///
/// `-` is standard input. A folder is expanded to all files in it and its subfolders whose names indicate PGN. A
/// pattern like `*.pgn` is expanded to all matching files, unless a file has this name.
pub fn find_inputs(paths: &[PathBuf], failures: &mut Vec<Error>) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::standard_input());
            continue;
        }

        match find_matches(path) {
            Ok(matches) => {
                for path in &matches {
                    add_inputs(path, &mut inputs, failures);
                }
            }
            Err(error) => failures.push(error),
        }
    }

    leave_out_repeated_databases(&mut inputs);
    inputs
}

/// Removes repeated inputs of one Scid or ChessBase database. A pattern like `games.*` matches all files of a database.
fn leave_out_repeated_databases(inputs: &mut Vec<Input>) {
    let mut seen = HashSet::new();
    inputs.retain(|input| {
        let Some(path) = input.path() else {
            return true;
        };
        let is_database = DatabaseFiles::of(path).is_some();
        !is_database || seen.insert(path.to_owned())
    });
}

/// Appends the inputs of a path that is not a pattern.
fn add_inputs(given: &Path, inputs: &mut Vec<Input>, failures: &mut Vec<Error>) {
    let index = meant_index(given);
    let path = index.as_deref().unwrap_or(given);
    // In a folder, an archive need not contain PGN.
    let is_named = path.is_file() || is_pipe(path);

    for file in find_readable_files(path, failures) {
        let input = Input::file(file);
        inputs.push(if is_named { input } else { input.in_folder() });
    }
}

/// The path itself, or the matches of a pattern like `*.pgn` by name.
///
/// # Errors
/// If a pattern matches no file, or a folder cannot be read.
pub fn find_matches(path: &Path) -> Result<Vec<PathBuf>> {
    // The name of a file may have these characters, too.
    let is_there = fs::symlink_metadata(path).is_ok();
    let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
    let Some(pattern) = pattern.filter(|_| !is_there) else {
        return Ok(vec![path.to_owned()]);
    };

    let Ok(entries) = glob_with(pattern, LIKE_A_SHELL) else {
        return Err(Error::NoMatch(path.to_owned()));
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| Error::File {
            path: error.path().to_owned(),
            source: error.into(),
        })?;
        // Pipes, which need a writer, must be named explicitly.
        if !is_pipe(&file) {
            files.push(file);
        }
    }

    if files.is_empty() {
        Err(Error::NoMatch(path.to_owned()))
    } else {
        Ok(files)
    }
}

/// The tables of a data set beside `games`, which have no games.
const OTHER_TABLES: [&str; 3] = ["positions", "plies", "problems"];

/// The files to read for a path, sorted by name: the file itself, or all files in a folder and its subfolders whose
/// names indicate PGN. In a data set of Parquet files, only the table of games is read.
///
/// # Errors
/// If there is no such file, or a folder cannot be read or has no PGN in it.
pub fn find_files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut failures = Vec::new();
    let files = find_readable_files(path, &mut failures);

    match failures.into_iter().next() {
        Some(first) => Err(first),
        None => Ok(files),
    }
}

/// Like [`find_files`], but all errors are appended to `failures`. A folder that cannot be read does not affect the
/// other folders.
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
            let file_name = entry.file_name();
            let name = file_name.to_string_lossy();

            // A linked folder may lead back up; a linked file cannot.
            if entry.file_type()?.is_dir() {
                let is_other = is_data_set && OTHER_TABLES.contains(&&*name);
                let has_games = self.has_games && !is_other && !name.starts_with('_');
                folders.push(Folder { path, has_games });
                continue;
            }

            let is_other_parquet = !self.has_games && is_parquet(&name);
            if !is_other_parquet && may_hold_pgn(&name) && path.is_file() {
                files.push(path);
            }
        }
        Ok(())
    }
}

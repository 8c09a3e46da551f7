//! The files of a repertoire.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::cli::{file_error, say};
use stamma::board::Color;
use stamma::error::{Error, Result};
use stamma::input::{Encoding, decode};
use stamma::study::repertoire::{Repertoire, RepertoireError, RepertoireReader};

/// Reads the files of a repertoire, and reports the places that cannot be read; `-` is standard input.
///
/// # Errors
/// When a file cannot be read, the files have no position, or the side is unclear.
pub(in crate::cli) fn read(files: &[PathBuf], side: Option<Color>) -> Result<Repertoire> {
    let mut reader = RepertoireReader::new();
    for path in files {
        let bytes = bytes_of(path)?;
        let decoded = decode(&bytes, Encoding::UTF_8);
        reader.read(&path.display().to_string(), decoded.text());
    }

    for remark in reader.remarks() {
        say!("{remark}");
    }

    let error = match reader.finish(side) {
        Ok(repertoire) => return Ok(repertoire),
        Err(error) => error,
    };
    let message = match error {
        RepertoireError::UnclearSide { .. } => format!("{error}; give --as white or --as black"),
        RepertoireError::NoPositions => format!("{}: {error}", file_names(files)),
        _ => error.to_string(),
    };
    Err(Error::Repertoire(message))
}

/// The names of files for a message, separated by commas.
fn file_names(files: &[PathBuf]) -> String {
    let mut names = Vec::with_capacity(files.len());
    for path in files {
        let name = if is_standard_input(path) {
            "standard input".to_owned()
        } else {
            path.display().to_string()
        };
        names.push(name);
    }
    names.join(", ")
}

fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The bytes of a file; `-` is standard input.
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    if !is_standard_input(path) {
        return fs::read(path).map_err(file_error(path));
    }

    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(Error::Input)?;
    Ok(bytes)
}

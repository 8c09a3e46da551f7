//! Copies a stream that has to be read at several places to the disk.

use std::fs::File;
use std::io::{self, Read, Seek};

/// An unnamed file with all that is read; `None` if that exceeds `most` bytes.
pub(super) fn in_a_file(input: &mut impl Read, most: u64) -> io::Result<Option<File>> {
    let mut file = tempfile::tempfile()?;
    if io::copy(&mut input.take(most.saturating_add(1)), &mut file)? > most {
        return Ok(None);
    }
    file.rewind()?;
    Ok(Some(file))
}

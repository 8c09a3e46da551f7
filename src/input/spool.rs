//! Copies streams to the disk, for formats that need random access.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::content::{Consumed, Counted};
use super::unpack::{Packed, Stop, Unpacker};
use crate::error::Error;

impl Unpacker {
    /// The bytes as a file: the file of the input, or an unnamed file to which the stream is copied.
    pub(super) fn seekable(&self, packed: &mut Packed<'_>) -> Result<Counted<File>, Stop> {
        if let Some(file) = packed.file.take() {
            return Ok(file);
        }

        let max_bytes = self.limits.disk_bytes;
        let name = &packed.name;
        match copy_to_file(&mut packed.bytes, max_bytes) {
            // The bytes of the input were counted when they were copied.
            Ok(Some(file)) => Ok(Counted(file, Consumed::default())),
            Ok(None) => {
                let error = Error::TooMuchToUnpack {
                    name: name.clone(),
                    bytes: max_bytes,
                };
                Err(self.report(error))
            }
            Err(error) => Err(self.report(Error::stream(name, 0, error))),
        }
    }
}

/// Copies a stream to an unnamed file; `None` if the stream exceeds `max_bytes`.
fn copy_to_file(input: &mut impl Read, max_bytes: u64) -> io::Result<Option<File>> {
    let mut file = tempfile::tempfile()?;

    // One byte more than the limit is read, to detect a longer stream.
    let mut limited = input.take(max_bytes.saturating_add(1));
    let copied = io::copy(&mut limited, &mut file)?;
    if copied > max_bytes {
        return Ok(None);
    }

    file.rewind()?;
    Ok(Some(file))
}

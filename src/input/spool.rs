//! Copies a stream that has to be read at several places to the disk.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::content::{Consumed, Counted};
use super::unpack::{Packed, Stop, Unpacker};
use crate::error::Error;

impl Unpacker {
    /// The bytes as a file, to which they are copied if they are not one.
    pub(super) fn seekable(&self, packed: &mut Packed<'_>) -> Result<Counted<File>, Stop> {
        if let Some(file) = packed.file.take() {
            return Ok(file);
        }

        let most = self.limits.disk_bytes;
        let name = &packed.name;
        match in_a_file(&mut packed.bytes, most) {
            Ok(Some(file)) => Ok(Counted(file, Consumed::default())),
            Ok(None) => {
                let error = Error::TooMuchToUnpack {
                    name: name.clone(),
                    bytes: most,
                };
                Err(self.broken(error))
            }
            Err(error) => Err(self.broken(Error::stream(name, 0, error))),
        }
    }
}

/// An unnamed file with all that is read; `None` if that exceeds `most` bytes.
fn in_a_file(input: &mut impl Read, most: u64) -> io::Result<Option<File>> {
    let mut file = tempfile::tempfile()?;
    // One byte more tells whether the limit is exceeded.
    let mut limited = input.take(most.saturating_add(1));
    let copied = io::copy(&mut limited, &mut file)?;
    if copied > most {
        return Ok(None);
    }
    file.rewind()?;
    Ok(Some(file))
}

//! Files mapped into memory.

#![expect(unsafe_code, reason = "mapping a file is unsafe: another program may change it")]

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::{Advice, Mmap};

use crate::error::{Error, Result};

/// The bytes of a file.
#[derive(Debug)]
pub struct MappedFile(Option<Mmap>);

impl MappedFile {
    /// Maps a file to read it from beginning to end.
    ///
    /// # Errors
    /// When the file cannot be opened or mapped.
    pub fn open(path: &Path) -> Result<MappedFile> {
        let file = File::open(path).map_err(Error::file(path))?;
        let metadata = file.metadata().map_err(Error::file(path))?;
        if metadata.len() == 0 {
            return Ok(MappedFile(None));
        }
        // SAFETY: The mapping is read-only. What Rust cannot rule out is that another program changes
        // the file while it is mapped: then text that has been checked could stop being UTF-8, and a
        // file that gets shorter ends the program with a signal. The README says that a file must
        // not be changed while it is imported.
        let map = unsafe { Mmap::map(&file) }.map_err(Error::file(path))?;
        // Only a hint: where the system does not know it, reading is slower and no less right.
        let _ = map.advise(Advice::Sequential);
        Ok(MappedFile(Some(map)))
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

//! Files mapped into memory.

#![expect(unsafe_code, reason = "mapping a file is unsafe: another program may change it")]

use std::fs::File;
use std::ops::{Deref, Range};
use std::path::Path;

#[cfg(unix)]
use memmap2::UncheckedAdvice;
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

    /// Lets the system take the memory back that holds the bytes of a range, which have been read;
    /// whoever reads them again gets them from the file.
    pub(crate) fn release(&self, range: Range<usize>) {
        #[cfg(unix)]
        if let Some(map) = &self.0 {
            // The system wants whole pages; what shares its page with others is kept.
            const PAGE_BYTES: usize = 1 << 16;
            let start = range.start.next_multiple_of(PAGE_BYTES);
            let end = range.end.min(map.len()) / PAGE_BYTES * PAGE_BYTES;
            if start < end {
                // SAFETY: The pages of a read-only mapping of a file hold nothing but the file's
                // bytes, so they read the same after having been dropped. That it fails costs memory
                // and nothing else.
                let _ = unsafe {
                    map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start)
                };
            }
        }
        #[cfg(not(unix))]
        let _ = range;
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

//! Files mapped into memory.

#![expect(
    unsafe_code,
    reason = "mapping a file is unsafe: another program may change it"
)]

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

#[cfg(unix)]
use memmap2::UncheckedAdvice;
use memmap2::{Advice, Mmap};

use super::guard::{Guard, guard};

/// The bytes of a file in memory.
#[derive(Debug)]
pub(crate) struct MappedFile {
    // Before the mapping it guards, since fields are dropped in order.
    guard: Guard,
    map: Mmap,
    file: File,
}

impl MappedFile {
    /// Maps a file for sequential reading.
    ///
    /// # Errors
    /// If the file cannot be mapped, or the program would not survive its truncation. The file may still be readable.
    pub(super) fn of(file: File) -> io::Result<MappedFile> {
        // SAFETY: The mapping is read-only. Rust cannot rule out that another program changes the file while it is
        // mapped: then text that has been checked could stop being UTF-8. Users are told not to change a file during an
        // import (docs/import.md). After a truncation, the guard supplies zeros, and readers check `is_whole` before
        // they use the bytes.
        let map = unsafe { Mmap::map(&file) }?;
        let guard = guard(&map).ok_or(io::ErrorKind::Unsupported)?;

        // Only a hint: on systems that ignore it, reading is slower but just as correct.
        let _ = map.advise(Advice::Sequential);
        Ok(MappedFile { guard, map, file })
    }

    /// Returns `true` as long as all bytes read so far were bytes of the file.
    pub(crate) fn is_whole(&self) -> bool {
        if !self.guard.is_whole() {
            return false;
        }

        // After the new end of a file, the rest of its page reads as zeros without a signal.
        let mapped_bytes = self.map.len() as u64;
        self.file
            .metadata()
            .is_ok_and(|now| now.len() >= mapped_bytes)
    }

    /// Lets the system reclaim the memory of a range that has been read; reading it again fetches it from the file.
    pub(crate) fn release(&self, range: Range<usize>) {
        #[cfg(unix)]
        {
            // The system releases whole pages, of at most this size. A page in which the range begins is released, too:
            // the range before could not release it, and ranges shorter than a page would never release any.
            const PAGE_BYTES: usize = 1 << 16;
            let start = range.start / PAGE_BYTES * PAGE_BYTES;
            let end = range.end.min(self.map.len()) / PAGE_BYTES * PAGE_BYTES;

            if start < end {
                // SAFETY: The pages of a read-only mapping of a file hold only the file's bytes, so they read the same
                // after having been dropped. A failure only costs memory.
                let _ = unsafe {
                    self.map
                        .unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start)
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
        &self.map
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;

    use super::*;

    const PAGE_BYTES: usize = 1 << 16;

    fn mapped(bytes: &[u8]) -> (File, MappedFile) {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("room");

        let second_handle = file.try_clone().expect("a handle");
        let map = MappedFile::of(second_handle).expect("it can be mapped");
        (file, map)
    }

    #[test]
    fn a_truncated_file_reads_as_zeros_and_is_noted() {
        let (file, map) = mapped(&[b'x'; 4 * PAGE_BYTES]);
        assert_eq!(map[3 * PAGE_BYTES], b'x');
        assert!(map.is_whole());

        file.set_len(PAGE_BYTES as u64).expect("it can be cut");
        let kept = map.iter().filter(|&&byte| byte == b'x').count();
        assert_eq!(kept, PAGE_BYTES);

        // The file has its full length again, and yet bytes were missing.
        file.set_len(4 * PAGE_BYTES as u64)
            .expect("it can be made longer");
        assert!(!map.is_whole());
    }

    #[test]
    fn zeros_within_the_last_page_are_noted() {
        let (file, map) = mapped(b"[Event \"A\"]");

        file.set_len(3).expect("it can be cut");

        assert_eq!(&map[..4], b"[Ev\0");
        assert!(!map.is_whole());
    }

    #[test]
    fn a_growing_file_keeps_its_mapped_bytes() {
        let (mut file, map) = mapped(b"1. e4");

        file.write_all(b" e5").expect("room");

        assert_eq!(&*map, b"1. e4");
        assert!(map.is_whole());
    }

    #[test]
    fn each_mapping_has_a_guard_of_its_own() {
        let bytes = [b'x'; 2 * PAGE_BYTES];
        let (cut_file, cut) = mapped(&bytes);
        let (_whole_file, whole) = mapped(&bytes);

        cut_file.set_len(0).expect("it can be cut");

        assert_eq!(cut[PAGE_BYTES], 0);
        assert_eq!(whole[PAGE_BYTES], b'x');
        assert!(!cut.is_whole());
        assert!(whole.is_whole());
    }
}

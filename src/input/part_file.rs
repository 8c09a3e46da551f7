//! A file of another program's database. All threads read it by random access. It is mapped into memory if possible.

use std::fs::File;
use std::io;

use super::map::MappedFile;

/// An open file, with its length when it was opened.
#[derive(Debug)]
pub(super) struct PartFile {
    content: PartContent,
    bytes: u64,
}

#[derive(Debug)]
enum PartContent {
    Mapped(MappedFile),
    /// A file that cannot be mapped.
    Read(File),
}

/// The smallest range of a file that contains all places that were read.
#[derive(Debug)]
pub(super) struct ReadRange {
    start: u64,
    end: u64,
}

impl Default for ReadRange {
    /// The empty range.
    fn default() -> ReadRange {
        ReadRange {
            start: u64::MAX,
            end: 0,
        }
    }
}

impl ReadRange {
    /// Extends the range to the bytes at a place.
    pub(super) fn add(&mut self, place: u64, bytes: usize) {
        self.start = self.start.min(place);
        self.end = self.end.max(place.saturating_add(bytes as u64));
    }
}

impl PartFile {
    pub(super) fn new(file: File) -> io::Result<PartFile> {
        let bytes = file.metadata()?.len();

        // On other systems, a mapping keeps other programs from truncating the file, which would hinder its owner.
        // There, the file is not mapped.
        let mapped = if cfg!(unix) {
            MappedFile::of(file.try_clone()?).ok()
        } else {
            None
        };
        let content = match mapped {
            Some(map) => PartContent::Mapped(map),
            None => PartContent::Read(file),
        };
        Ok(PartFile { content, bytes })
    }

    /// The size of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads all bytes of a range.
    ///
    /// # Errors
    /// `UnexpectedEof` if the file ends before the range does; other errors if the file cannot be read.
    pub(super) fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset
            .checked_add(out.len() as u64)
            .filter(|end| *end <= self.bytes);
        let Some(end) = end else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };

        match &self.content {
            PartContent::Mapped(map) => {
                // A mapping has at most as many bytes as memory has addresses.
                out.copy_from_slice(&map[offset as usize..end as usize]);
                Ok(())
            }
            PartContent::Read(file) => read_file_at(file, out, offset),
        }
    }

    /// Returns the memory of ranges that have been read to the system.
    ///
    /// # Errors
    /// If the file has become shorter, so that some of the bytes that were read may have been missing.
    pub(super) fn release(&self, read: &ReadRange) -> io::Result<()> {
        let PartContent::Mapped(map) = &self.content else {
            return Ok(());
        };
        if !map.is_whole() {
            let reason = "it became shorter while it was read";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
        }

        let end = read.end.min(self.bytes);
        let start = read.start.min(end);
        map.release(start as usize..end as usize);
        Ok(())
    }
}

/// Reads all bytes of a range of a file, from any thread.
fn read_file_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
    }
    #[cfg(windows)]
    {
        use std::os::windows::fs::FileExt;
        let mut read = 0;
        while read < bytes.len() {
            match file.seek_read(&mut bytes[read..], offset + read as u64) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn ranges_are_read_and_their_ends_noticed() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"0123456789").expect("room");
        let content = PartContent::Read(file.try_clone().expect("a handle"));
        for part in [
            PartFile { content, bytes: 10 },
            PartFile::new(file).expect("a file"),
        ] {
            let mut three = [0; 3];
            part.read_at(&mut three, 7).expect("the last bytes");
            assert_eq!(&three, b"789");

            for offset in [8, 10, u64::MAX] {
                let error = part
                    .read_at(&mut three, offset)
                    .expect_err("beyond the end");
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{offset}");
            }

            let mut read = ReadRange::default();
            part.release(&read).expect("a whole file");
            read.add(3, 17);
            part.release(&read).expect("a whole file");
        }
    }
}

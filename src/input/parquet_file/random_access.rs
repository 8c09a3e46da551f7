//! Random access to the file for the Parquet library.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::input::content::Counted;

/// The size of the buffer for the header of a page; most headers are shorter.
const HEADER_BYTES: usize = 512;
/// The maximum memory that is allocated before any byte of a range has been read.
const MAX_FIRST_CAPACITY: usize = 1 << 20;

/// A file that is read at several places.
#[derive(Clone)]
pub(super) struct RandomAccess(Arc<Counted<File>>);

impl RandomAccess {
    pub(super) fn new(file: Counted<File>) -> RandomAccess {
        RandomAccess(Arc::new(file))
    }

    /// A handle of the file at an offset. All handles share one position in the file.
    fn handle_at(&self, start: u64) -> io::Result<Counted<File>> {
        let Counted(file, consumed) = &*self.0;
        let mut handle = Counted(file.try_clone()?, consumed.clone());
        handle.seek(SeekFrom::Start(start))?;
        Ok(handle)
    }

    /// The bytes from a place on.
    pub(super) fn buffered_at(&self, start: u64) -> io::Result<BufReader<Counted<File>>> {
        let handle = self.handle_at(start)?;
        Ok(BufReader::with_capacity(HEADER_BYTES, handle))
    }
}

impl Length for RandomAccess {
    fn len(&self) -> u64 {
        self.0.0.metadata().map_or(0, |metadata| metadata.len())
    }
}

impl ChunkReader for RandomAccess {
    type T = BufReader<Counted<File>>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let handle = self.handle_at(start)?;
        Ok(BufReader::new(handle))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<bytes::Bytes> {
        // A damaged file may claim any length.
        let mut bytes = Vec::with_capacity(length.min(MAX_FIRST_CAPACITY));
        let handle = self.handle_at(start)?;
        handle.take(length as u64).read_to_end(&mut bytes)?;

        if bytes.len() < length {
            let message = format!("{length} bytes at {start} are missing");
            return Err(ParquetError::EOF(message));
        }
        Ok(bytes.into())
    }
}

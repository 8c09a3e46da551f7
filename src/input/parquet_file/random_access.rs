//! The file as the Parquet library reads it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::input::content::Counted;

/// More bytes than most headers of pages have.
const HEADER_BYTES: usize = 512;

/// A file that is read at several places.
#[derive(Clone)]
pub(super) struct RandomAccess(Arc<Counted<File>>);

impl RandomAccess {
    pub(super) fn new(file: Counted<File>) -> RandomAccess {
        RandomAccess(Arc::new(file))
    }

    fn at(&self, start: u64) -> io::Result<Counted<File>> {
        let Counted(file, consumed) = &*self.0;
        let mut handle = Counted(file.try_clone()?, consumed.clone());
        handle.seek(SeekFrom::Start(start))?;
        Ok(handle)
    }

    /// The bytes from a place on.
    pub(super) fn buffered_at(&self, start: u64) -> io::Result<BufReader<Counted<File>>> {
        Ok(BufReader::with_capacity(HEADER_BYTES, self.at(start)?))
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
        Ok(BufReader::new(self.at(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<bytes::Bytes> {
        // A damaged file may claim any length.
        let mut bytes = Vec::with_capacity(length.min(1 << 20));
        self.at(start)?
            .take(length as u64)
            .read_to_end(&mut bytes)?;

        if bytes.len() < length {
            let message = format!("{length} bytes at {start} are missing");
            return Err(ParquetError::EOF(message));
        }
        Ok(bytes.into())
    }
}

//! Sources: names, bytes, and the progress of reading.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::ahead::Stream;
use super::map::MappedFile;

/// The content of the rows of a table, such as a Parquet file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RowKind {
    /// Games, which become PGN.
    #[default]
    Games,
    /// Evaluations of positions, which become lines of JSON as in the file that Lichess publishes.
    Evaluations,
}

/// Limits on unpacking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackLimits {
    /// The maximum disk space, in bytes, for an archive that must be unpacked to disk.
    pub disk_bytes: u64,
    /// The maximum memory, in bytes, for a decompression window.
    pub window_bytes: u64,
}

impl UnpackLimits {
    /// The minimum of `window_bytes` for files of common programs. At the strongest settings, zstd and xz use windows
    /// of 128 MiB, and some further memory.
    pub const MIN_WINDOW_BYTES: u64 = 129 << 20;
}

impl Default for UnpackLimits {
    fn default() -> UnpackLimits {
        UnpackLimits {
            disk_bytes: 4 << 30,
            window_bytes: 256 << 20,
        }
    }
}

/// A sequence of bytes that is, or should be, PGN.
#[derive(Debug)]
pub(crate) struct Source {
    /// The path of a file; for a member of an archive, the archive's path, `/`, and the member's:
    /// `archive.zip/dir/games.pgn`.
    pub name: PathBuf,
    /// The size in bytes, if known in advance.
    pub size: Option<u64>,
    /// The bytes.
    pub content: Content,
    /// The number of stored bytes of the input that have been read.
    pub consumed: Consumed,
    /// `true` if the bytes are made from records, such as the rows of a table. Users do not see their lines.
    pub is_of_records: bool,
    /// The counts of another program's database; `None` if the source is not such a database.
    pub database: Option<ForeignDatabase>,
}

/// A database of another program, whose games are read as PGN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForeignDatabase {
    /// The number of games that the database marks as deleted, whether they are read or not.
    pub deleted: u64,
    /// The number of texts in the database, which are not games.
    pub texts: u64,
}

/// The bytes of a [`Source`].
#[derive(Debug)]
pub(crate) enum Content {
    /// A file mapped into memory.
    Mapped(MappedFile),
    /// A stream.
    Stream(Stream),
}

/// A shared counter of the stored bytes of an input that have been read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consumed(Arc<AtomicU64>);

impl Consumed {
    /// The number of bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// A reader that counts the bytes that it reads.
#[derive(Debug)]
pub(crate) struct Counted<R>(pub(crate) R, pub(crate) Consumed);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(out)?;
        self.1.add(read);
        Ok(read)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// A reader that fails once, in the place of bytes that could not be read.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0.take() {
            Some(error) => Err(error),
            None => Ok(0),
        }
    }
}

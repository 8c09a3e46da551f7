//! What a source is: its name, its bytes, and how much of it has been read.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::ahead::Stream;
use super::map::MappedFile;

/// What unpacking may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Bytes on disk of an archive that has to be unpacked there to be read.
    pub disk_bytes: u64,
    /// Bytes of memory that decompressing may take to look back.
    pub window_bytes: u64,
}

impl UnpackLimits {
    /// What the files of usual programs take at most: 128 MiB by the strongest setting of zstd and xz, and a bit more.
    pub const LEAST_WINDOW_BYTES: u64 = 129 << 20;
}

impl Default for UnpackLimits {
    fn default() -> UnpackLimits {
        UnpackLimits { disk_bytes: 4 << 30, window_bytes: 256 << 20 }
    }
}

/// Some bytes that are PGN, or should be.
#[derive(Debug)]
pub(crate) struct Source {
    /// The path of a file; for a member of an archive, that of the archive, `/`, and the member's:
    /// `archive.zip/dir/games.pgn`.
    pub name: PathBuf,
    /// How many bytes there are, if that is known before they are read.
    pub size: Option<u64>,
    /// The bytes.
    pub content: Content,
    /// How much of the input has been read so far.
    pub consumed: Consumed,
}

/// The bytes of a [`Source`].
#[derive(Debug)]
pub(crate) enum Content {
    /// All of them in memory.
    Mapped(MappedFile),
    /// One after the other.
    Stream(Stream),
}

/// How many bytes of an input have been read, as it is stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consumed(Arc<AtomicU64>);

impl Consumed {
    /// The number.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Counts the bytes that are read.
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

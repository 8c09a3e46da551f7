//! Spilled postings: a temporary file for the postings that do not fit into memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use super::batch::{BUCKETS, BatchPostings};
use super::posting::{POSTING_BYTES, Posting};

/// The size of the buffer of the file while it is written.
const BUFFER_BYTES: usize = 1 << 18;
/// The maximum number of postings that are read at once.
const CHUNK_POSTINGS: u64 = 1 << 12;

/// An unnamed temporary file, which disappears when it is closed, even if the program is killed.
#[derive(Debug)]
pub(super) struct Spill {
    file: File,
    parts: Vec<Part>,
    postings: u64,
}

/// The postings that were spilled at one time, bucket by bucket.
#[derive(Debug)]
struct Part {
    /// The start of each bucket in the file, in postings, and the end of the last.
    starts: Vec<u64>,
}

impl Spill {
    /// Creates an empty file in a folder.
    pub(super) fn new(folder: &Path) -> io::Result<Spill> {
        Ok(Spill {
            file: tempfile::tempfile_in(folder)?,
            parts: Vec::new(),
            postings: 0,
        })
    }

    /// Appends batches, each with the number of its first game.
    pub(super) fn add(&mut self, batches: &[(u32, BatchPostings)]) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, &self.file);
        let mut starts = Vec::with_capacity(BUCKETS + 1);

        for bucket in 0..BUCKETS {
            starts.push(self.postings);
            for (first_game, batch) in batches {
                for posting in batch.bucket(bucket, *first_game) {
                    out.write_all(&posting.to_bytes())?;
                    self.postings += 1;
                }
            }
        }

        starts.push(self.postings);
        out.flush()?;
        self.parts.push(Part { starts });
        Ok(())
    }

    /// Reads the postings of some neighbouring buckets, in the order of their parts.
    pub(super) fn read(
        &self,
        buckets: &Range<usize>,
        mut visit: impl FnMut(Posting),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();

        for part in &self.parts {
            let mut next = part.starts[buckets.start];
            let end = part.starts[buckets.end];

            while next < end {
                let count = (end - next).min(CHUNK_POSTINGS);
                let offset = next * POSTING_BYTES as u64;
                bytes.resize(count as usize * POSTING_BYTES, 0);
                read_at(&self.file, &mut bytes, offset)?;

                let (chunks, _) = bytes.as_chunks::<POSTING_BYTES>();
                for chunk in chunks {
                    visit(Posting::from_bytes(*chunk));
                }

                next += count;
            }
        }
        Ok(())
    }
}

/// Reads bytes from a place in a file. Several threads may read at once.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        at += read as u64;
    }
    Ok(())
}

//! Positions of a run before they are sorted: in partitions by their keys, in memory or in a temporary file.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

use parquet::errors::ParquetError;

use super::position::Row;
use super::table::{unreadable, unwritten};
use crate::error::Result;

/// The number of first bits of a key by which its partition is chosen.
const PARTITION_BITS: u32 = 12;
/// The number of partitions.
pub(super) const PARTITIONS: usize = 1 << PARTITION_BITS;

/// The size above which the rows of a run are written. A run counts its rows in 32 bits. A row has 26 bytes or more, so
/// this many bytes and one more batch have fewer than 2^32 rows.
const MAX_RUN_BYTES: u64 = 1 << 36;

/// The buffer of the temporary file.
const BUFFER_BYTES: usize = 1 << 20;

/// The positions of a batch, in the order of their partitions.
#[derive(Debug)]
pub(super) struct PartitionedRows {
    bytes: Vec<u8>,
    /// The bytes of a row.
    row_bytes: usize,
    /// The row at which each partition begins, and the number of rows.
    starts: Vec<u32>,
}

impl PartitionedRows {
    pub(super) fn new<R: Row>(rows: &[R]) -> PartitionedRows {
        let mut starts = vec![0; PARTITIONS + 1];
        for row in rows {
            starts[partition(row) + 1] += 1;
        }
        for partition in 0..PARTITIONS {
            starts[partition + 1] += starts[partition];
        }

        // A counting sort: each row is placed behind the earlier rows of its partition.
        let mut next = starts.clone();
        let mut bytes = vec![0; rows.len() * R::BYTES];
        for row in rows {
            let place = &mut next[partition(row)];
            let at = *place as usize * R::BYTES;
            row.write(&mut bytes[at..at + R::BYTES]);
            *place += 1;
        }

        PartitionedRows {
            bytes,
            row_bytes: R::BYTES,
            starts,
        }
    }

    /// The bytes of the rows of a partition.
    fn partition_bytes(&self, partition: usize) -> &[u8] {
        let first_row = self.starts[partition] as usize;
        let end_row = self.starts[partition + 1] as usize;
        &self.bytes[first_row * self.row_bytes..end_row * self.row_bytes]
    }

    fn memory(&self) -> usize {
        self.bytes.capacity() + size_of::<u32>() * self.starts.capacity()
    }
}

/// The number of the partition of a row: the first bits of its key.
fn partition(row: &impl Row) -> usize {
    (row.position().key >> (u64::BITS - PARTITION_BITS)) as usize
}

/// A part of the temporary file: the rows of some batches, by partition.
#[derive(Debug)]
struct SpilledRun {
    offset: u64,
    /// The row at which each partition begins, counted from the offset, and the number of rows.
    starts: Vec<u32>,
}

/// All positions of a run.
#[derive(Debug)]
pub(super) struct Spill {
    path: PathBuf,
    limit: usize,
    /// The bytes of a row.
    row_bytes: usize,
    pending: Vec<PartitionedRows>,
    memory: usize,
    runs: Vec<SpilledRun>,
    file: Option<BufWriter<File>>,
    end: u64,
}

impl Spill {
    /// An empty spill. Up to `limit` bytes of positions are kept in memory; further positions are written to a file at
    /// `path`. `row_bytes` is the size of a row in bytes.
    pub(super) fn new(path: PathBuf, limit: usize, row_bytes: usize) -> Spill {
        Spill {
            path,
            limit,
            row_bytes,
            pending: Vec::new(),
            memory: 0,
            runs: Vec::new(),
            file: None,
            end: 0,
        }
    }

    /// Adds the positions of a batch.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn push(&mut self, rows: PartitionedRows) -> Result<()> {
        self.memory += rows.memory();
        self.pending.push(rows);
        if self.memory > self.limit || self.memory as u64 > MAX_RUN_BYTES {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        let path = self.path.clone();
        self.write_run()
            .map_err(|error| unwritten(&path, ParquetError::from(error)))
    }

    fn write_run(&mut self) -> std::io::Result<()> {
        let out = match &mut self.file {
            Some(out) => out,
            None => {
                let file = File::create(&self.path)?;
                self.file
                    .insert(BufWriter::with_capacity(BUFFER_BYTES, file))
            }
        };

        let mut starts = Vec::with_capacity(PARTITIONS + 1);
        let mut rows = 0;
        for partition in 0..PARTITIONS {
            // The rows of a partition from all batches are contiguous, so that one read returns them.
            starts.push(rows);
            for batch in &self.pending {
                let bytes = batch.partition_bytes(partition);
                out.write_all(bytes)?;
                rows += (bytes.len() / self.row_bytes) as u32;
            }
        }
        starts.push(rows);

        self.runs.push(SpilledRun {
            offset: self.end,
            starts,
        });
        self.end += u64::from(rows) * self.row_bytes as u64;
        self.pending.clear();
        self.memory = 0;
        Ok(())
    }

    /// Ends writing; returns the positions for reading.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn finish(mut self) -> Result<Spilled> {
        if let Some(mut out) = self.file.take() {
            out.flush()
                .map_err(|error| unwritten(&self.path, error.into()))?;
        }
        Ok(Spilled {
            path: self.path,
            row_bytes: self.row_bytes,
            pending: self.pending,
            runs: self.runs,
        })
    }
}

/// Positions that can be read by partition, from several threads.
#[derive(Debug)]
pub(super) struct Spilled {
    path: PathBuf,
    row_bytes: usize,
    pending: Vec<PartitionedRows>,
    runs: Vec<SpilledRun>,
}

impl Spilled {
    /// A new reader, for use on one thread.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(super) fn reader(&self) -> Result<SpillReader<'_>> {
        let file = if self.runs.is_empty() {
            None
        } else {
            let opened = File::open(&self.path);
            Some(opened.map_err(|error| unreadable(&self.path, error))?)
        };
        Ok(SpillReader {
            spilled: self,
            file,
            bytes: Vec::new(),
        })
    }

    /// The number of rows of a partition.
    pub(super) fn rows(&self, partition: usize) -> u64 {
        let in_runs = self.runs.iter().map(|run| &run.starts);
        let in_memory = self.pending.iter().map(|batch| &batch.starts);

        let mut rows = 0;
        for starts in in_runs.chain(in_memory) {
            rows += u64::from(starts[partition + 1] - starts[partition]);
        }
        rows
    }
}

/// Reads positions.
pub(super) struct SpillReader<'s> {
    spilled: &'s Spilled,
    file: Option<File>,
    bytes: Vec<u8>,
}

impl SpillReader<'_> {
    /// The number of rows of a partition.
    pub(super) fn rows(&self, partition: usize) -> u64 {
        self.spilled.rows(partition)
    }

    /// Calls `each` with the positions of a partition, in any order, up to `max_rows` at once.
    ///
    /// # Errors
    /// When the file cannot be read, and the errors of `each`.
    pub(super) fn each_piece<R: Row>(
        &mut self,
        partition: usize,
        max_rows: usize,
        mut each: impl FnMut(&mut Vec<R>) -> Result<()>,
    ) -> Result<()> {
        // With pieces of 0 rows, reading would never end.
        let piece_rows = max_rows.max(1);
        let mut rows = Vec::new();
        for run in 0..self.spilled.runs.len() {
            let Range { mut start, end } = self.range(run, partition);
            while start < end {
                let free_rows = piece_rows.saturating_sub(rows.len());
                let free_bytes = free_rows.saturating_mul(R::BYTES) as u64;
                let piece = start..end.min(start.saturating_add(free_bytes));
                start = piece.end;

                self.read_range(piece)?;
                rows.extend(self.bytes.chunks_exact(R::BYTES).map(R::read));
                if rows.len() == piece_rows {
                    each(&mut rows)?;
                    rows.clear();
                }
            }
        }

        for batch in &self.spilled.pending {
            for row in batch.partition_bytes(partition).chunks_exact(R::BYTES) {
                rows.push(R::read(row));
                if rows.len() == piece_rows {
                    each(&mut rows)?;
                    rows.clear();
                }
            }
        }

        if !rows.is_empty() {
            each(&mut rows)?;
        }
        Ok(())
    }

    /// The bytes of a partition in a run.
    fn range(&self, run: usize, partition: usize) -> Range<u64> {
        let run = &self.spilled.runs[run];
        let row_bytes = self.spilled.row_bytes as u64;
        let first_row = u64::from(run.starts[partition]);
        let end_row = u64::from(run.starts[partition + 1]);

        run.offset + first_row * row_bytes..run.offset + end_row * row_bytes
    }

    fn read_range(&mut self, range: Range<u64>) -> Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };

        self.bytes.resize((range.end - range.start) as usize, 0);
        let to_error = |error: std::io::Error| unreadable(&self.spilled.path, error);
        file.seek(SeekFrom::Start(range.start)).map_err(to_error)?;
        file.read_exact(&mut self.bytes).map_err(to_error)
    }
}

//! Sorts positions and writes the files of buckets.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::column::ColumnBuffer;
use super::digest::{Digest, position_digest};
use super::position::{self, MoveTexts, Row};
use super::sorted::{MAX_ROWS_IN_MEMORY, each_sorted};
use super::spill::{PARTITIONS, Spilled};
use super::table::{MAX_ROW_GROUP_ROWS, TableFile, TableSchema, WrittenFile, unwritten};
use crate::error::{Error, Result};
use crate::threads;

/// The files of buckets, each with the number of the bucket, and the digest of their rows.
pub(super) struct Buckets {
    pub(super) files: Vec<(usize, WrittenFile)>,
    pub(super) digest: Digest,
}

/// Writes a file in a folder for each bucket that has a position. Up to `at_once` files are written in parallel. The
/// first bucket always has a file. The number of buckets divides [`PARTITIONS`], as each
/// [`BucketCount`](super::BucketCount) does.
///
/// # Errors
/// When a file cannot be written, or `stop` is set.
pub(super) fn write_buckets<R: Row>(
    spilled: &Spilled,
    buckets: usize,
    schema: &TableSchema,
    folder: &Path,
    at_once: usize,
    stop: &AtomicBool,
) -> Result<Buckets> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let written = Mutex::new(Vec::with_capacity(buckets));

    // Each call writes the next bucket until no bucket is left, so that no thread is idle while another thread writes a
    // large bucket.
    let write_next_buckets = || {
        while !has_failed.load(Ordering::Relaxed) {
            let bucket = next.fetch_add(1, Ordering::Relaxed);
            if bucket >= buckets {
                break;
            }

            let outcome = write_bucket::<R>(spilled, bucket, buckets, schema, folder, stop);
            has_failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            written.push((bucket, outcome));
        }
    };
    threads::install(|| {
        rayon::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|_| write_next_buckets());
            }
        });
    });

    // Of several errors, the error of the first bucket is returned.
    let mut in_order = written.into_inner().unwrap_or_else(PoisonError::into_inner);
    in_order.sort_by_key(|&(bucket, _)| bucket);
    let mut files = Vec::new();
    let mut digest = Digest::default();
    for (bucket, outcome) in in_order {
        if let Some((file, file_digest)) = outcome? {
            files.push((bucket, file));
            digest += file_digest;
        }
    }
    Ok(Buckets { files, digest })
}

/// Writes the file of a bucket; `None` if the bucket has no position and is not the first.
fn write_bucket<R: Row>(
    spilled: &Spilled,
    bucket: usize,
    buckets: usize,
    schema: &TableSchema,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Option<(WrittenFile, Digest)>> {
    let bucket_partitions = PARTITIONS / buckets;
    let range = bucket * bucket_partitions..(bucket + 1) * bucket_partitions;
    if bucket > 0 && range.clone().all(|partition| spilled.rows(partition) == 0) {
        return Ok(None);
    }

    let path = folder.join(format!("bucket-{bucket}.parquet"));
    let mut reader = spilled.reader()?;
    let mut writer = BucketWriter {
        schema,
        file: TableFile::create(&path, schema)?,
        columns: schema.buffers(),
        rows: 0,
        moves: MoveTexts::new(),
        digest: Digest::default(),
    };

    for partition in range {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }

        let each = |row: &R| writer.push(row, &path);
        each_sorted(&mut reader, partition, MAX_ROWS_IN_MEMORY, folder, each)?;
    }

    writer.finish(&path).map(Some)
}

/// A writer of the file of a bucket.
struct BucketWriter<'f> {
    schema: &'f TableSchema,
    file: TableFile,
    columns: Vec<ColumnBuffer>,
    rows: usize,
    moves: MoveTexts,
    digest: Digest,
}

impl BucketWriter<'_> {
    fn push(&mut self, row: &impl Row, path: &Path) -> Result<()> {
        position::push(row, &mut self.columns, &mut self.moves);
        self.digest += position_digest(row.position());
        self.rows += 1;
        if self.rows == MAX_ROW_GROUP_ROWS {
            self.flush(path)
        } else {
            Ok(())
        }
    }

    fn flush(&mut self, path: &Path) -> Result<()> {
        let columns = std::mem::replace(&mut self.columns, self.schema.buffers());
        self.rows = 0;

        let encoded = self
            .schema
            .encode(columns)
            .map_err(|error| unwritten(path, error))?;
        self.file.append(encoded)
    }

    fn finish(mut self, path: &Path) -> Result<(WrittenFile, Digest)> {
        if self.rows > 0 {
            self.flush(path)?;
        }
        Ok((self.file.finish()?, self.digest))
    }
}

//! Sorts positions and writes the files of buckets.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::column::ColumnBuffer;
use super::digest::{Digest, of_position};
use super::position::{MoveTexts, Row, push};
use super::sorted::{MAX_ROWS, each_sorted};
use super::spill::{PARTITIONS, Spilled};
use super::table::{Form, ROW_GROUP_ROWS, TableFile, WrittenFile, unwritten};
use crate::error::{Error, Result};
use crate::threads;

/// The files of buckets, each with the number of the bucket, and the digest of their rows.
pub(super) struct Buckets {
    pub(super) files: Vec<(usize, WrittenFile)>,
    pub(super) digest: Digest,
}

/// Writes a file in a folder for each bucket that has a position. Up to `at_once` files are written in parallel. The
/// first bucket always has a file.
///
/// # Errors
/// When a file cannot be written, or `stop` is set.
pub(super) fn write_buckets<R: Row>(
    spilled: &Spilled,
    buckets: usize,
    form: &Form,
    folder: &Path,
    at_once: usize,
    stop: &AtomicBool,
) -> Result<Buckets> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let written = Mutex::new(Vec::with_capacity(buckets));

    // Each call writes the next bucket until no bucket is left, so that no thread is idle while another thread writes a
    // large bucket.
    let write_some = || {
        while !has_failed.load(Ordering::Relaxed) {
            let bucket = next.fetch_add(1, Ordering::Relaxed);
            if bucket >= buckets {
                break;
            }

            let done = write_bucket::<R>(spilled, bucket, buckets, form, folder, stop);
            has_failed.fetch_or(done.is_err(), Ordering::Relaxed);
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            written.push((bucket, done));
        }
    };
    threads::install(|| {
        rayon::scope(|scope| {
            for _ in 0..at_once {
                scope.spawn(|_| write_some());
            }
        });
    });

    // Of several errors, the error of the first bucket is returned.
    let mut in_order = written.into_inner().unwrap_or_else(PoisonError::into_inner);
    in_order.sort_by_key(|&(bucket, _)| bucket);
    let mut files = Vec::new();
    let mut digest = Digest::default();
    for (bucket, done) in in_order {
        if let Some((file, of_file)) = done? {
            files.push((bucket, file));
            digest += of_file;
        }
    }
    Ok(Buckets { files, digest })
}

/// Writes the file of a bucket; `None` if the bucket has no position and is not the first.
fn write_bucket<R: Row>(
    spilled: &Spilled,
    bucket: usize,
    buckets: usize,
    form: &Form,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Option<(WrittenFile, Digest)>> {
    let partitions = PARTITIONS / buckets;
    let range = bucket * partitions..(bucket + 1) * partitions;
    if bucket > 0 && range.clone().all(|partition| spilled.rows(partition) == 0) {
        return Ok(None);
    }

    let path = folder.join(format!("bucket-{bucket}.parquet"));
    let mut reader = spilled.reader()?;
    let mut writer = BucketWriter {
        form,
        file: TableFile::create(&path, form)?,
        columns: form.buffers(),
        rows: 0,
        moves: MoveTexts::new(),
        digest: Digest::default(),
    };

    for partition in range {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }

        let each = |row: &R| writer.push(row, &path);
        each_sorted(&mut reader, partition, MAX_ROWS, folder, each)?;
    }

    writer.finish(&path).map(Some)
}

/// A writer of the file of a bucket.
struct BucketWriter<'f> {
    form: &'f Form,
    file: TableFile,
    columns: Vec<ColumnBuffer>,
    rows: usize,
    moves: MoveTexts,
    digest: Digest,
}

impl BucketWriter<'_> {
    fn push(&mut self, row: &impl Row, path: &Path) -> Result<()> {
        push(row, &mut self.columns, &mut self.moves);
        self.digest += of_position(row.position());
        self.rows += 1;
        if self.rows == ROW_GROUP_ROWS {
            self.flush(path)
        } else {
            Ok(())
        }
    }

    fn flush(&mut self, path: &Path) -> Result<()> {
        let columns = std::mem::replace(&mut self.columns, self.form.buffers());
        self.rows = 0;

        let encoded = self
            .form
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

//! Sorts the rows of a partition, in memory or on the disk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::Path;

use parquet::errors::ParquetError;

use super::position::Row;
use super::spill::SpillReader;
use super::table::unwritten;
use crate::error::{Error, Result};

/// The maximum number of rows that are sorted in memory.
pub(super) const MAX_ROWS_IN_MEMORY: usize = 1 << 20;

/// The buffer of the file that sorted parts are written to.
const WRITE_BUFFER_BYTES: usize = 1 << 20;

/// The buffer for each part of a file that is merged.
const MERGE_BUFFER_BYTES: usize = 1 << 15;

/// Calls `each` with the rows of a partition in sorted order. Up to `max_rows` rows are sorted in memory. A larger
/// partition, such as the partition of the start position, is sorted in parts. The parts are written to a file in
/// `folder` and merged.
///
/// # Errors
/// When a file cannot be read or written, and the errors of `each`.
pub(super) fn each_sorted<R: Row>(
    reader: &mut SpillReader<'_>,
    partition: usize,
    max_rows: usize,
    folder: &Path,
    mut each: impl FnMut(&R) -> Result<()>,
) -> Result<()> {
    if reader.rows(partition) <= max_rows as u64 {
        let mut rows = Vec::new();
        reader.each_piece(partition, max_rows, |piece: &mut Vec<R>| {
            rows.extend_from_slice(piece);
            Ok(())
        })?;
        rows.sort_unstable();

        for row in &rows {
            each(row)?;
        }
        return Ok(());
    }

    let path = folder.join(format!("partition-{partition}"));
    let ends = write_sorted_parts::<R>(reader, partition, max_rows, &path)?;
    merge_parts(&path, &ends, each)?;

    // The rows have been passed on, so a file that cannot be removed is no error.
    let _ = std::fs::remove_file(&path);
    Ok(())
}

/// Writes the rows of a partition into a file as sorted parts; returns the offset of each part, and of the end of the
/// file.
fn write_sorted_parts<R: Row>(
    reader: &mut SpillReader<'_>,
    partition: usize,
    max_rows: usize,
    path: &Path,
) -> Result<Vec<u64>> {
    let to_error = |error| file_error(path, error);
    let file = File::create(path).map_err(to_error)?;
    let mut out = BufWriter::with_capacity(WRITE_BUFFER_BYTES, file);
    let mut row_bytes = vec![0; R::BYTES];
    let mut end = 0;
    let mut ends = vec![end];

    reader.each_piece(partition, max_rows, |piece: &mut Vec<R>| {
        piece.sort_unstable();
        for row in piece.iter() {
            row.write(&mut row_bytes);
            out.write_all(&row_bytes).map_err(to_error)?;
        }
        end += (piece.len() * R::BYTES) as u64;
        ends.push(end);
        Ok(())
    })?;
    out.flush().map_err(to_error)?;
    Ok(ends)
}

/// Calls `each` with the rows of all sorted parts of a file in sorted order.
fn merge_parts<R: Row>(
    path: &Path,
    ends: &[u64],
    mut each: impl FnMut(&R) -> Result<()>,
) -> Result<()> {
    let to_error = |error| file_error(path, error);

    // Each part is read through a separate file handle and buffer, because each handle has its own position in the
    // file.
    let mut parts = Vec::new();
    for bounds in ends.windows(2) {
        let (start, end) = (bounds[0], bounds[1]);
        let mut file = File::open(path).map_err(to_error)?;
        file.seek(SeekFrom::Start(start)).map_err(to_error)?;

        let bytes = file.take(end - start);
        parts.push(BufReader::with_capacity(MERGE_BUFFER_BYTES, bytes));
    }

    // The next row of each part, with the part's number; the heap pops the lowest.
    let mut row_bytes = vec![0; R::BYTES];
    let mut heap = BinaryHeap::new();
    for (number, part) in parts.iter_mut().enumerate() {
        let first: Option<R> = next_row(part, &mut row_bytes).map_err(to_error)?;
        heap.extend(first.map(|row| Reverse((row, number))));
    }

    while let Some(Reverse((row, number))) = heap.pop() {
        each(&row)?;

        let next: Option<R> = next_row(&mut parts[number], &mut row_bytes).map_err(to_error)?;
        heap.extend(next.map(|row| Reverse((row, number))));
    }

    Ok(())
}

/// The next row of a part; `None` at its end.
fn next_row<R: Row>(
    part: &mut BufReader<Take<File>>,
    row_bytes: &mut [u8],
) -> std::io::Result<Option<R>> {
    let is_at_end = part.get_ref().limit() == 0 && part.buffer().is_empty();
    if is_at_end {
        return Ok(None);
    }

    part.read_exact(row_bytes)?;
    Ok(Some(R::read(row_bytes)))
}

fn file_error(path: &Path, error: std::io::Error) -> Error {
    unwritten(path, ParquetError::from(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::position::PositionRow;
    use crate::dataset::spill::{PartitionedRows, Spill};

    fn rows() -> Vec<PositionRow> {
        let mut state = 7_u64;
        let row = |number: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            // A third of all rows have one key, as the start position has.
            let key = if number.is_multiple_of(3) {
                5 << 60
            } else {
                state
            };
            PositionRow {
                key,
                game: (state >> 3).cast_signed(),
                ply: number as u16,
                next: 0,
                white_elo: 0,
                black_elo: 1,
                facts: 2,
            }
        };
        (0..5000).map(row).collect()
    }

    fn sorted(limit: usize, max_rows: usize) -> Vec<PositionRow> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut spill = Spill::new(folder.path().join("positions"), limit, PositionRow::BYTES);
        for batch in rows().chunks(300) {
            let partitioned = PartitionedRows::new(batch);
            spill.push(partitioned).expect("room");
        }

        let spilled = spill.finish().expect("room");
        let mut reader = spilled.reader().expect("a file");
        let mut all = Vec::new();
        for partition in 0..crate::dataset::spill::PARTITIONS {
            let each = |row: &PositionRow| {
                all.push(*row);
                Ok(())
            };
            each_sorted(&mut reader, partition, max_rows, folder.path(), each).expect("rows");
        }

        all
    }

    #[test]
    fn rows_are_sorted_whatever_is_in_memory() {
        let mut expected = rows();
        expected.sort_unstable();
        for (limit, max_rows) in [
            (usize::MAX, usize::MAX),
            (100_000, usize::MAX),
            (100_000, 64),
            (0, 1),
        ] {
            assert!(
                sorted(limit, max_rows) == expected,
                "limit {limit}, max_rows {max_rows}"
            );
        }
    }
}

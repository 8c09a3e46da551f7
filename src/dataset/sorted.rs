//! The rows of a partition in their order, however many there are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use parquet::errors::ParquetError;

use super::position::Row;
use super::spill::SpillReader;
use super::table::unwritten;
use crate::error::Result;

/// The most rows that are sorted in memory.
pub(super) const MOST_ROWS: usize = 1 << 20;

/// The buffer for each part of a file that is merged.
const BUFFER_BYTES: usize = 1 << 15;

/// Calls `each` with the rows of a partition in their order. Up to `most` rows are sorted in memory; of more, as all
/// games have the start position, sorted parts go to a file in a folder and are merged.
///
/// # Errors
/// When a file cannot be read or written, and those of `each`.
pub(super) fn each_sorted<R: Row>(
    reader: &mut SpillReader<'_>,
    partition: usize,
    most: usize,
    folder: &Path,
    mut each: impl FnMut(&R) -> Result<()>,
) -> Result<()> {
    let mut rows = Vec::new();
    if reader.rows(partition) <= most as u64 {
        reader.each_piece(partition, most, |piece| {
            rows.extend_from_slice(piece);
            Ok(())
        })?;
        rows.sort_unstable();
        return rows.iter().try_for_each(each);
    }
    let path = folder.join(format!("partition-{partition}"));
    let fault = |error: std::io::Error| unwritten(&path, ParquetError::from(error));
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&path).map_err(fault)?);
    let (mut ends, mut bytes) = (vec![0], vec![0; R::BYTES]);
    reader.each_piece(partition, most, |piece: &mut Vec<R>| {
        piece.sort_unstable();
        for row in piece.iter() {
            row.write(&mut bytes);
            out.write_all(&bytes).map_err(fault)?;
        }
        ends.push(ends.last().unwrap_or(&0) + (piece.len() * R::BYTES) as u64);
        Ok(())
    })?;
    out.flush().map_err(fault)?;
    let mut parts = Vec::new();
    for range in ends.windows(2) {
        let mut file = File::open(&path).map_err(fault)?;
        file.seek(SeekFrom::Start(range[0])).map_err(fault)?;
        let bytes = file.take(range[1] - range[0]);
        parts.push(BufReader::with_capacity(BUFFER_BYTES, bytes));
    }
    let mut next = |part: usize| -> Result<Option<R>> {
        let has_row = parts[part].get_ref().limit() > 0 || !parts[part].buffer().is_empty();
        if !has_row {
            return Ok(None);
        }
        parts[part].read_exact(&mut bytes).map_err(fault)?;
        Ok(Some(R::read(&bytes)))
    };
    let mut heap = BinaryHeap::new();
    for part in 0..ends.len() - 1 {
        heap.extend(next(part)?.map(|row| Reverse((row, part))));
    }
    while let Some(Reverse((row, part))) = heap.pop() {
        each(&row)?;
        heap.extend(next(part)?.map(|row| Reverse((row, part))));
    }
    // Nothing depends on it any more.
    let _ = std::fs::remove_file(&path);
    Ok(())
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

    fn sorted(limit: usize, most: usize) -> Vec<PositionRow> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut spill = Spill::new(folder.path().join("positions"), limit, PositionRow::BYTES);
        for batch in rows().chunks(300) {
            spill.push(PartitionedRows::new(batch)).expect("room");
        }
        let spilled = spill.finish().expect("room");
        let mut reader = spilled.reader().expect("a file");
        let mut all = Vec::new();
        for partition in 0..crate::dataset::spill::PARTITIONS {
            let each = |row: &PositionRow| {
                all.push(*row);
                Ok(())
            };
            each_sorted(&mut reader, partition, most, folder.path(), each).expect("rows");
        }
        all
    }

    #[test]
    fn rows_are_sorted_whatever_is_in_memory() {
        let mut expected = rows();
        expected.sort_unstable();
        for (limit, most) in [
            (usize::MAX, usize::MAX),
            (100_000, usize::MAX),
            (100_000, 64),
            (0, 1),
        ] {
            assert!(
                sorted(limit, most) == expected,
                "limit {limit}, most {most}"
            );
        }
    }
}

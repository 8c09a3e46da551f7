//! The names of players, tournaments, annotators, sources and teams: files of records of one size, by their numbers.

use std::fs::File;
use std::io;

use super::text::until_zero;
use crate::input::part_file::PartFile;

/// The number in the header of every file.
const MAGIC: i32 = 1_234_567_890;
const HEADER_BYTES: usize = 28;
/// The offsets in the header: of the number, the size of a record's data, and the size of further bytes of the header.
const MAGIC_AT: usize = 8;
const DATA_BYTES_AT: usize = 12;
const EXTRA_BYTES_AT: usize = 24;
/// The size of the head of a record, before its data: its place in a tree.
const RECORD_HEAD_BYTES: u64 = 9;
/// The value that a deleted record has instead of its place in the tree.
const DELETED: i32 = -999;
/// The maximum size of a record's data.
const MAX_DATA_BYTES: i32 = 1 << 16;

/// A file of names.
#[derive(Debug)]
pub(super) struct Names {
    file: PartFile,
    header_bytes: u64,
    data_bytes: usize,
    count: u64,
}

impl Names {
    /// Opens a file whose records have at least `min_bytes` of data; `None` if it is not such a file.
    pub(super) fn open(file: File, min_bytes: usize) -> io::Result<Option<Names>> {
        let file = PartFile::new(file)?;
        let mut header = [0; HEADER_BYTES];
        match file.read_at(&mut header, 0) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }

        let magic = little_endian(&header, MAGIC_AT);
        let data_bytes = little_endian(&header, DATA_BYTES_AT);
        let extra_bytes = little_endian(&header, EXTRA_BYTES_AT);
        let is_size_known = (min_bytes as i32..=MAX_DATA_BYTES).contains(&data_bytes);
        // Some files have four more bytes in the header.
        let is_header_known = extra_bytes == 0 || extra_bytes == 4;
        if magic != MAGIC || !is_size_known || !is_header_known {
            return Ok(None);
        }

        let header_bytes = HEADER_BYTES as u64 + extra_bytes as u64;
        let record_bytes = RECORD_HEAD_BYTES + data_bytes as u64;
        let count = file.bytes().saturating_sub(header_bytes) / record_bytes;
        Ok(Some(Names {
            file,
            header_bytes,
            data_bytes: data_bytes as usize,
            count,
        }))
    }

    /// The number of records.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Reads the data of a record; `false` if there is no such record.
    pub(super) fn read(&self, number: u64, data: &mut Vec<u8>) -> io::Result<bool> {
        if number >= self.count {
            return Ok(false);
        }

        let head_bytes = RECORD_HEAD_BYTES as usize;
        data.resize(head_bytes + self.data_bytes, 0);
        let record_bytes = data.len() as u64;
        let offset = self.header_bytes + number * record_bytes;
        self.file.read_at(data, offset)?;

        let is_there = little_endian(data, 0) != DELETED;
        data.drain(..head_bytes);
        Ok(is_there)
    }
}

/// A little-endian number of four bytes; 0 if the bytes end before.
fn little_endian(bytes: &[u8], at: usize) -> i32 {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(four) => i32::from_le_bytes(*four),
        None => 0,
    }
}

/// The text in a field, which ends at a zero.
pub(super) fn field(data: &[u8], at: usize, bytes: usize) -> &[u8] {
    // A damaged record may end within the field.
    let rest = data.get(at..).unwrap_or_default();
    let length = rest.len().min(bytes);
    let text = until_zero(&rest[..length]);
    text.trim_ascii()
}

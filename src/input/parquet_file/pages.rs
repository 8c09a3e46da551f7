//! The pages of a column, within a limit of memory.
//!
//! Twenty bytes can unpack to gigabytes, and an encoding can repeat a value without end. So memory for a page is
//! reserved before it is unpacked, by the sizes in its header. The columns of a row group share the limit. The memory
//! of a page is released when the column reads another page and the games of the last batch with values of the page
//! have been written.

use std::io;
use std::mem::take;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescriptor;

use super::page_header::{DELTA_LENGTHS, DELTA_TEXTS, PageHeader, PageKind};
use super::random_access::RandomAccess;

/// The maximum number of rows that are read at once.
pub(super) const BATCH_ROWS: usize = 32;
/// The memory of a value of a dictionary, beside its bytes.
const VALUE_BYTES: u64 = 32;
/// The memory of an entry of a map: a value and its levels.
const ENTRY_BYTES: u64 = VALUE_BYTES + 8;
/// The memory of a length.
const LENGTH_BYTES: u64 = 4;

/// The memory that pages may take, shared by columns.
#[derive(Debug)]
pub(super) struct PageMemory {
    limit: u64,
    used: AtomicU64,
}

impl PageMemory {
    pub(super) fn new(limit: u64) -> Arc<PageMemory> {
        Arc::new(PageMemory {
            limit,
            used: AtomicU64::new(0),
        })
    }

    /// The limit in bytes.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }
}

/// The memory that the pages of one column take.
#[derive(Clone, Debug)]
pub(super) struct HeldPages(Arc<Mutex<Held>>);

#[derive(Debug)]
struct Held {
    memory: Arc<PageMemory>,
    dictionary: u64,
    /// The sizes of the pages that values of the batch refer to, the current page last.
    pages: Vec<u64>,
}

impl HeldPages {
    fn new(memory: &Arc<PageMemory>) -> HeldPages {
        let held = Held {
            memory: Arc::clone(memory),
            dictionary: 0,
            pages: Vec::new(),
        };
        HeldPages(Arc::new(Mutex::new(held)))
    }

    /// Reserves memory for a page.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn reserve(&self, kind: PageKind, bytes: u64) -> Result<()> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = held.memory.used.fetch_add(bytes, Ordering::Relaxed);
        // The page counts as held even if it exceeds the limit, because dropping subtracts all held pages.
        match kind {
            PageKind::Dictionary => held.dictionary += bytes,
            PageKind::Data => held.pages.push(bytes),
        }

        if before.saturating_add(bytes) > held.memory.limit {
            return Err(too_much_memory());
        }
        Ok(())
    }

    /// Releases all pages but the current one.
    pub(super) fn release_read(&self) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current_page = held.pages.pop();
        let read_pages = take(&mut held.pages);
        held.pages.extend(current_page);

        let read_bytes: u64 = read_pages.iter().sum();
        held.memory.used.fetch_sub(read_bytes, Ordering::Relaxed);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let all = self.dictionary + self.pages.iter().sum::<u64>();
        self.memory.used.fetch_sub(all, Ordering::Relaxed);
    }
}

/// The error for a file that needs more memory; [`io::ErrorKind::OutOfMemory`] for the reader of a source.
pub(super) fn too_much_memory() -> ParquetError {
    ParquetError::External(Box::new(io::Error::from(io::ErrorKind::OutOfMemory)))
}

fn damage(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// Reads the pages of a column chunk.
pub(super) struct BoundedPages {
    file: Arc<RandomAccess>,
    pages: SerializedPageReader<RandomAccess>,
    /// The offset of the next header.
    at: u64,
    /// The end of the chunk.
    end: u64,
    held: HeldPages,
    max_def: i16,
    max_rep: i16,
}

impl BoundedPages {
    /// The pages of a column of a row group with this many rows, and the handle of the memory that they hold.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(super) fn new(
        file: &Arc<RandomAccess>,
        chunk: &ColumnChunkMetaData,
        rows: usize,
        memory: &Arc<PageMemory>,
    ) -> Result<(BoundedPages, HeldPages)> {
        let column: &ColumnDescriptor = chunk.column_descr();
        let (start, length) = chunk.byte_range();
        let held = HeldPages::new(memory);

        let pages = BoundedPages {
            file: Arc::clone(file),
            pages: SerializedPageReader::new(Arc::clone(file), chunk, rows, None)?,
            at: start,
            end: start.saturating_add(length),
            held: held.clone(),
            max_def: column.max_def_level(),
            max_rep: column.max_rep_level(),
        };
        Ok((pages, held))
    }

    /// Reads the header of the next page; `None` at the end.
    fn next_header(&mut self) -> Result<Option<PageHeader>> {
        if self.at >= self.end {
            return Ok(None);
        }

        let header = PageHeader::read(self.file.buffered_at(self.at)?)?;
        self.at = self
            .at
            .saturating_add(header.bytes)
            .saturating_add(header.stored_bytes);
        Ok(Some(header))
    }

    /// The maximum memory of a page: its bytes, stored and unpacked, and the memory of its values at once.
    fn max_memory(&self, header: &PageHeader) -> u64 {
        let PageHeader {
            kind,
            unpacked_bytes,
            stored_bytes,
            values,
            encoding,
            ..
        } = *header;

        let value_bytes = match (kind, encoding) {
            (PageKind::Dictionary, _) => values.saturating_mul(VALUE_BYTES),
            // A text may repeat the text before, so each may be as long as the page.
            (_, DELTA_TEXTS) => {
                let texts = unpacked_bytes.saturating_mul(BATCH_ROWS as u64);
                texts.saturating_add(values.saturating_mul(2 * LENGTH_BYTES))
            }
            (_, DELTA_LENGTHS) => values.saturating_mul(LENGTH_BYTES),
            _ => 0,
        };

        // A single row may have all entries of a map that are in the page.
        let entry = if self.max_rep > 0 { ENTRY_BYTES } else { 0 };
        let entry_bytes = values.saturating_mul(entry);

        unpacked_bytes
            .saturating_add(stored_bytes)
            .saturating_add(value_bytes)
            .saturating_add(entry_bytes)
    }

    /// Checks that a page agrees with the header for which memory has been reserved, and has no more lengths of texts
    /// than values.
    fn check(&self, page: &Page, header: &PageHeader) -> Result<()> {
        let values = u64::from(page.num_values());
        let encoding = page.encoding();
        let is_dictionary = matches!(page, Page::DictionaryPage { .. });
        let has_its_kind = is_dictionary == (header.kind == PageKind::Dictionary);
        let has_its_values = values == header.values && encoding as i32 == header.encoding;
        let max_bytes = header.unpacked_bytes.max(header.stored_bytes);
        let has_room = page.buffer().len() as u64 <= max_bytes;
        if !has_its_kind || !has_its_values || !has_room {
            return Err(damage("a page is not as its header says"));
        }

        let lists = match encoding {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Ok(()),
        };

        let mut data = self
            .values_of(page)
            .ok_or_else(|| damage("the levels of a page make no sense"))?;
        for _ in 0..lists {
            let (count, rest) =
                delta_numbers(data).ok_or_else(|| damage("the lengths of a page make no sense"))?;
            if count > values {
                return Err(damage("a page has more lengths than values"));
            }
            data = rest;
        }
        Ok(())
    }

    /// The bytes of a data page behind its levels.
    fn values_of<'p>(&self, page: &'p Page) -> Option<&'p [u8]> {
        match page {
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let def_bytes = *def_levels_byte_len as usize;
                let level_bytes = def_bytes.checked_add(*rep_levels_byte_len as usize)?;
                buf.get(level_bytes..)
            }
            Page::DataPage {
                buf,
                def_level_encoding,
                rep_level_encoding,
                ..
            } => {
                let mut rest: &[u8] = buf;
                for (max, encoding) in [
                    (self.max_rep, rep_level_encoding),
                    (self.max_def, def_level_encoding),
                ] {
                    if max == 0 {
                        continue;
                    }
                    // No program writes other encodings of levels together with these newer encodings of values.
                    if *encoding != Encoding::RLE {
                        return None;
                    }
                    let (length, levels) = rest.split_first_chunk::<4>()?;
                    rest = levels.get(u32::from_le_bytes(*length) as usize..)?;
                }
                Some(rest)
            }
            Page::DictionaryPage { .. } => None,
        }
    }
}

/// The count of numbers of `DELTA_BINARY_PACKED` at the beginning of some bytes, and the bytes behind the numbers.
///
/// Blocks of miniblocks follow a header. Each miniblock packs its numbers with its own width (Encodings.md of the
/// Parquet format, "Delta Encoding").
fn delta_numbers(data: &[u8]) -> Option<(u64, &[u8])> {
    let mut rest = data;
    let block_values = varint(&mut rest)?;
    let miniblocks = varint(&mut rest)?;
    let count = varint(&mut rest)?;
    let _first = varint(&mut rest)?;
    let values_each = block_values
        .checked_div(miniblocks)
        .filter(|&values| values > 0)?;

    let mut left = count.saturating_sub(1);
    while left > 0 {
        let _min_delta = varint(&mut rest)?;
        let miniblock_count = usize::try_from(miniblocks).ok()?;
        let (widths, packed) = rest.split_at_checked(miniblock_count)?;
        rest = packed;
        for &width in widths {
            if left == 0 {
                break;
            }
            let bits = values_each.checked_mul(width.into())?;
            let bytes = usize::try_from(bits.div_ceil(8)).ok()?;
            rest = rest.get(bytes..)?;
            left = left.saturating_sub(values_each);
        }
    }
    Some((count, rest))
}

/// Reads a number of variable length from the front of some bytes.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

impl Iterator for BoundedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for BoundedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let header = self.next_header()?;
        if let Some(header) = &header {
            self.held.reserve(header.kind, self.max_memory(header))?;
        }

        let page = self.pages.get_next_page()?;
        match (&page, &header) {
            (Some(page), Some(header)) => self.check(page, header)?,
            (None, None) => {}
            _ => return Err(damage("a column does not end where it should")),
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.next_header()?;
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_page_are_counted() {
        // 128 values a block in four parts of 32, with one bit each for the first part.
        let block =
            |count: u8| [&[0x80, 1, 4, count, 0, 0, 1, 0, 0, 0][..], &[0; 4], b"rest"].concat();
        assert_eq!(delta_numbers(&block(20)), Some((20, &b"rest"[..])));
        assert_eq!(delta_numbers(&block(33)), Some((33, &b"rest"[..])));

        let one_number = [0x80, 1, 4, 1, 0, b'x'];
        assert_eq!(delta_numbers(&one_number), Some((1, &b"x"[..])));

        let cut_short = [0x80, 1, 4, 20, 0, 0, 1, 0, 0, 0];
        assert_eq!(delta_numbers(&cut_short), None);

        let without_parts = [0x80, 1, 0, 20, 0];
        assert_eq!(delta_numbers(&without_parts), None);
    }

    #[test]
    fn memory_is_released() {
        let memory = PageMemory::new(100);
        let first = HeldPages::new(&memory);
        let second = HeldPages::new(&memory);

        first.reserve(PageKind::Dictionary, 10).expect("memory");
        first.reserve(PageKind::Data, 20).expect("memory");
        first.reserve(PageKind::Data, 30).expect("memory");
        second.reserve(PageKind::Data, 40).expect("memory");
        second.reserve(PageKind::Data, 1).expect_err("no memory");

        // The dictionary and the current page of `first` are left.
        first.release_read();
        assert_eq!(memory.used.load(Ordering::Relaxed), 10 + 30 + 41);

        drop(first);
        assert_eq!(memory.used.load(Ordering::Relaxed), 41);
    }
}

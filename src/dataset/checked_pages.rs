//! Pages with checksums. The Parquet library verifies them, but does not write them.

use std::io::Write;

use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::{ParquetError, Result};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

/// The first byte of an i32 field whose number is one higher than the number of the field before it (Thrift compact
/// protocol).
const NEXT_I32: u8 = 0x15;

/// A difference of one in the upper half of a field's first byte, which has the difference between the number of the
/// field and the number of the field before it.
const FIELD_STEP: u8 = 0x10;

/// The fields of a page header before its checksum: its type and two sizes.
const FIELDS_BEFORE: usize = 3;

/// Room for nearly all page headers.
const HEADER_CAPACITY: usize = 256;

/// Writes pages with checksums of their bytes as stored.
pub(super) struct CheckedPages<'o> {
    out: &'o mut TrackedWrite<Vec<u8>>,
}

impl<'o> CheckedPages<'o> {
    /// Writes to `out`.
    pub(super) fn new(out: &'o mut TrackedWrite<Vec<u8>>) -> CheckedPages<'o> {
        CheckedPages { out }
    }
}

impl PageWriter for CheckedPages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let offset = self.out.bytes_written() as u64;
        let body_bytes = page.compressed_size();

        // The page is written as its header and then its body, which has `body_bytes` bytes.
        let capacity = HEADER_CAPACITY + body_bytes;
        let mut page_out = TrackedWrite::new(Vec::with_capacity(capacity));
        let spec = SerializedPageWriter::new(&mut page_out).write_page(page)?;
        let bytes = page_out.into_inner()?;
        let (header, body) = bytes.split_at(bytes.len() - body_bytes);

        let checksum = crc32fast::hash(body).cast_signed();
        let checked = with_checksum(header, checksum)
            .ok_or_else(|| ParquetError::General("a page header has another form".into()))?;
        self.out.write_all(&checked)?;
        self.out.write_all(body)?;

        let added = checked.len() - header.len();
        Ok(PageWriteSpec {
            uncompressed_size: spec.uncompressed_size + added,
            compressed_size: spec.compressed_size + added,
            bytes_written: spec.bytes_written + added as u64,
            offset,
            ..spec
        })
    }

    fn close(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// A page header with a checksum as its fourth field. `None` if the header does not begin with the three fields before,
/// or has a checksum.
fn with_checksum(header: &[u8], checksum: i32) -> Option<Vec<u8>> {
    let mut at = 0;
    for _ in 0..FIELDS_BEFORE {
        let value = header.get(at..)?.strip_prefix(&[NEXT_I32])?;
        at += 1 + value.iter().position(|byte| byte & 0x80 == 0)? + 1;
    }
    let (before, behind) = header.split_at(at);

    // A field has the difference from the number of the field before it. Behind the checksum, the difference is one
    // less; a difference of one was the checksum itself.
    let (&next, rest) = behind.split_first()?;
    let next_after_checksum = next.checked_sub(FIELD_STEP)?;
    if next_after_checksum < FIELD_STEP {
        return None;
    }

    let mut checked = before.to_vec();
    checked.push(NEXT_I32);
    // Zigzag: numbers close to zero are short, whatever their sign.
    let zigzag = (checksum << 1) ^ (checksum >> 31);
    push_varint(&mut checked, zigzag.cast_unsigned());
    checked.push(next_after_checksum);
    checked.extend_from_slice(rest);
    Some(checked)
}

/// Appends a number, seven bits a byte, the lowest first.
fn push_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_the_fourth_field() {
        // A data page (field 5, a structure) of 200 and 3 bytes.
        let header = [0x15, 0x00, 0x15, 0x90, 0x03, 0x15, 0x06, 0x2c, 0x00, 0x00];
        let checked = [
            0x15, 0x00, 0x15, 0x90, 0x03, 0x15, 0x06, 0x15, 0x81, 0x02, 0x1c, 0x00, 0x00,
        ];

        assert_eq!(with_checksum(&header, -129).as_deref(), Some(&checked[..]));
        assert_eq!(with_checksum(&checked, 1), None, "it has one");
        assert_eq!(with_checksum(&header[..7], 1), None, "it ends too early");
        assert_eq!(
            with_checksum(&[0x18, 0x01], 1),
            None,
            "it begins with a text"
        );
    }

    #[test]
    fn the_lowest_number_has_five_bytes() {
        let header = [0x15, 0, 0x15, 0, 0x15, 0, 0x4c, 0];

        let checked = with_checksum(&header, i32::MIN);

        let expected = [
            0x15, 0, 0x15, 0, 0x15, 0, 0x15, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x3c, 0,
        ];
        assert_eq!(checked.as_deref(), Some(&expected[..]));
    }
}

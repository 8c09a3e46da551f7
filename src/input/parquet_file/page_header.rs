//! The header of a page, read before the library unpacks the page: what it will take.
//!
//! Headers are structs of Thrift's compact protocol (parquet.thrift, `PageHeader`). The fields of a struct must come in
//! the order of their numbers, as all writers have them, so that none can be given twice and read in two ways.

use std::io::{self, Read};

/// What a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Data,
    Dictionary,
    /// An index, which nobody reads.
    Other,
}

/// The header of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageHeader {
    pub(super) kind: PageKind,
    /// The bytes of the page when it is unpacked, and as it is stored.
    pub(super) unpacked_bytes: u64,
    pub(super) stored_bytes: u64,
    /// The number of values, NULLs included.
    pub(super) values: u64,
    /// The number of the encoding of values.
    pub(super) encoding: i64,
    /// The bytes of the header itself.
    pub(super) bytes: u64,
}

/// `Encoding::DELTA_LENGTH_BYTE_ARRAY` and `Encoding::DELTA_BYTE_ARRAY`.
pub(super) const DELTA_LENGTHS: i64 = 6;
pub(super) const DELTA_TEXTS: i64 = 7;

/// The types of fields in the compact protocol.
mod field {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const MAP: u8 = 11;
    pub(super) const STRUCT: u8 = 12;
}

/// The maximum nesting of structs and lists in a header, which has statistics at most.
const MAX_DEPTH: usize = 8;

impl PageHeader {
    /// Reads a header from its first byte on.
    ///
    /// # Errors
    /// If it is damaged or cannot be read.
    pub(super) fn read(input: impl Read) -> io::Result<PageHeader> {
        let mut thrift = Thrift { input, bytes: 0 };
        let (mut number, mut of_page) = (0, [0; 4]);
        let (mut values, mut encoding) = (0, 0);

        while let Some(kind) = thrift.field(&mut number)? {
            match (number, kind) {
                (1..=3, field::I32) => of_page[number as usize] = thrift.int()?,
                // Headers of data pages and of dictionaries begin with their number of values and its encoding.
                (5 | 7, field::STRUCT) => [values, encoding] = thrift.ints([1, 2])?,
                (8, field::STRUCT) => [values, encoding] = thrift.ints([1, 4])?,
                _ => thrift.skip(kind, MAX_DEPTH)?,
            }
        }

        let [_, kind, unpacked, stored] = of_page;
        let natural = |number: i64| u64::try_from(number).map_err(|_| damage());
        Ok(PageHeader {
            kind: match kind {
                0 | 3 => PageKind::Data,
                2 => PageKind::Dictionary,
                _ => PageKind::Other,
            },
            unpacked_bytes: natural(unpacked)?,
            stored_bytes: natural(stored)?,
            values: natural(values)?,
            encoding,
            bytes: thrift.bytes,
        })
    }
}

fn damage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the header of a page makes no sense")
}

/// A reader of the compact protocol.
struct Thrift<R> {
    input: R,
    /// The number of bytes read.
    bytes: u64,
}

impl<R: Read> Thrift<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.bytes += 1;
        Ok(byte[0])
    }

    /// A number of variable length, seven bits a byte, the lowest first.
    fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(damage())
    }

    /// A signed number, whose lowest bit is its sign.
    fn int(&mut self) -> io::Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
    }

    /// The type of the next field, whose number replaces that of the field before; `None` at the end of the struct.
    fn field(&mut self, number: &mut i64) -> io::Result<Option<u8>> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let next = match head >> 4 {
            0 => self.int()?,
            step => *number + i64::from(step),
        };
        if next <= *number {
            return Err(damage());
        }
        *number = next;
        Ok(Some(head & 0x0f))
    }

    /// Reads a struct, and returns two of its numbers.
    fn ints(&mut self, wanted: [i64; 2]) -> io::Result<[i64; 2]> {
        let (mut number, mut found) = (0, [0; 2]);
        while let Some(kind) = self.field(&mut number)? {
            match wanted.iter().position(|wanted| *wanted == number) {
                Some(at) if kind == field::I32 => found[at] = self.int()?,
                _ => self.skip(kind, MAX_DEPTH)?,
            }
        }
        Ok(found)
    }

    /// Passes over a value of a type.
    fn skip(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        let inner = depth.checked_sub(1).ok_or_else(damage)?;
        match kind {
            // In a struct, the type is the value.
            field::TRUE | field::FALSE => Ok(()),
            field::BYTE => self.byte().map(drop),
            field::I16 | field::I32 | field::I64 => self.varint().map(drop),
            field::DOUBLE => self.skip_bytes(8),
            field::BINARY => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            field::LIST | field::SET => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    short => short.into(),
                };
                (0..length).try_for_each(|_| self.skip_element(head & 0x0f, inner))
            }
            field::MAP => {
                let length = self.varint()?;
                let kinds = if length > 0 { self.byte()? } else { 0 };
                (0..length).try_for_each(|_| {
                    self.skip_element(kinds >> 4, inner)?;
                    self.skip_element(kinds & 0x0f, inner)
                })
            }
            field::STRUCT => {
                let mut number = 0;
                while let Some(kind) = self.field(&mut number)? {
                    self.skip(kind, inner)?;
                }
                Ok(())
            }
            _ => Err(damage()),
        }
    }

    /// Passes over an element of a list, where a truth value has a byte of its own.
    fn skip_element(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        match kind {
            field::TRUE | field::FALSE => self.byte().map(drop),
            kind => self.skip(kind, depth),
        }
    }

    fn skip_bytes(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
        self.bytes += skipped;
        if skipped == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of 100 and 7 bytes with a checksum, and statistics with a text of two bytes.
    const DATA: [u8; 29] = [
        0x15, 0, 0x15, 0xc8, 1, 0x15, 14, 0x15, 8, 0x1c, 0x15, 40, 0x15, 14, 0x15, 6, 0x15, 6,
        0x1c, 0x18, 2, b'a', b'b', 0x11, 0x12, 0, 0, 0, 0xff,
    ];

    #[test]
    fn the_header_of_a_data_page() {
        let header = PageHeader::read(&DATA[..]).expect("a header");
        let expected = PageHeader {
            kind: PageKind::Data,
            unpacked_bytes: 100,
            stored_bytes: 7,
            values: 20,
            encoding: DELTA_TEXTS,
            bytes: 28,
        };
        assert_eq!(header, expected);
    }

    #[test]
    fn the_header_of_a_dictionary() {
        let bytes = [0x15, 4, 0x15, 20, 0x15, 20, 0x4c, 0x15, 6, 0x15, 0, 0, 0];
        let header = PageHeader::read(&bytes[..]).expect("a header");
        assert_eq!((header.kind, header.values, header.bytes), (PageKind::Dictionary, 3, 13));
    }

    #[test]
    fn headers_that_can_be_read_in_two_ways_are_refused() {
        // The sizes are given again, by a field with its number in full.
        let twice = [0x15, 0, 0x15, 20, 0x15, 20, 0x05, 4, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0];
        assert!(PageHeader::read(&twice[..]).is_err());
        assert!(
            PageHeader::read(&[0x15, 0, 0x15, 1, 0x15, 20, 0][..]).is_err(),
            "a size below zero"
        );
    }

    #[test]
    fn headers_that_are_cut_short_are_refused() {
        for end in 0..DATA.len() - 1 {
            assert!(PageHeader::read(&DATA[..end]).is_err(), "{end}");
        }
        let nested = [0x5c; 100];
        assert!(PageHeader::read(&nested[..]).is_err());
        let endless = [0x15, 0, 0x15, 20, 0x15, 20, 0x58, 0xff, 0xff, 0xff, 0xff, 0x7f];
        assert!(PageHeader::read(&endless[..]).is_err());
    }
}

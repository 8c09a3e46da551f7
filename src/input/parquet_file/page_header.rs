//! The header of a page. It is read before the library unpacks the page, because it determines the memory of the page.
//!
//! Headers are structs of Thrift (parquet.thrift, `PageHeader`).

use std::io::{self, Read};

use super::thrift::{Thrift, damage, field, is_bool};

/// The content of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Data,
    Dictionary,
}

/// The header of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageHeader {
    pub(super) kind: PageKind,
    /// The unpacked size of the page, in bytes.
    pub(super) unpacked_bytes: u64,
    /// The stored size of the page, in bytes.
    pub(super) stored_bytes: u64,
    /// The number of values, NULLs included.
    pub(super) values: u64,
    /// The number of the encoding of values.
    pub(super) encoding: i32,
    /// The size of the header in bytes.
    pub(super) bytes: u64,
}

/// `Encoding::DELTA_LENGTH_BYTE_ARRAY` and `Encoding::DELTA_BYTE_ARRAY`.
pub(super) const DELTA_LENGTHS: i32 = 6;
pub(super) const DELTA_TEXTS: i32 = 7;

/// The fields of `PageHeader`: four numbers, and a struct for each type of page. Field 6, the struct of an index, is
/// unused.
const TYPE: i16 = 1;
const UNPACKED_BYTES: i16 = 2;
const STORED_BYTES: i16 = 3;
const CHECKSUM: i16 = 4;
const OF_DATA: i16 = 5;
const OF_DICTIONARY: i16 = 7;
const OF_DATA_2: i16 = 8;

impl PageHeader {
    /// Reads a header from its first byte on.
    ///
    /// # Errors
    /// If it is damaged or cannot be read.
    pub(super) fn read(input: impl Read) -> io::Result<PageHeader> {
        let mut thrift = Thrift::new(input);
        let mut number = 0;
        let mut numbers = [None; 5];
        let mut inner = None;

        while let Some(kind) = thrift.field(&mut number)? {
            match (number, kind) {
                (TYPE..=CHECKSUM, field::I32) => numbers[number as usize] = Some(thrift.int()?),
                (OF_DATA | OF_DICTIONARY | OF_DATA_2, field::STRUCT) if inner.is_none() => {
                    inner = Some((number, InnerHeader::read(&mut thrift, number)?));
                }
                // A second inner header, a field with a wrong type, or the header of an index page, which no program
                // writes.
                (TYPE..=OF_DATA_2, _) => return Err(damage()),
                _ => thrift.skip(kind)?,
            }
        }

        let non_negative = |field: i16| {
            let number = numbers[field as usize];
            let converted = number.and_then(|number| u64::try_from(number).ok());
            converted.ok_or_else(damage)
        };
        let (inner_field, inner) = inner.ok_or_else(damage)?;

        // The library chooses the inner header by the type, so they must agree.
        let kind = match (non_negative(TYPE)?, inner_field) {
            (0, OF_DATA) | (3, OF_DATA_2) => PageKind::Data,
            (2, OF_DICTIONARY) => PageKind::Dictionary,
            _ => return Err(damage()),
        };

        Ok(PageHeader {
            kind,
            unpacked_bytes: non_negative(UNPACKED_BYTES)?,
            stored_bytes: non_negative(STORED_BYTES)?,
            values: inner.values,
            encoding: inner.encoding,
            bytes: thrift.bytes(),
        })
    }
}

/// The part of a header that depends on the type of the page.
#[derive(Clone, Copy)]
struct InnerHeader {
    values: u64,
    encoding: i32,
}

impl InnerHeader {
    /// Reads the inner struct in the field `of` of `PageHeader`.
    fn read(thrift: &mut Thrift<impl Read>, of: i16) -> io::Result<InnerHeader> {
        // These headers begin with 32-bit numbers: the number of values first, and the encoding among the others. A
        // boolean may follow.
        let (last_int, encoding_field, truth_field) = match of {
            OF_DATA => (4, 2, None),
            OF_DICTIONARY => (2, 2, Some(3)),
            OF_DATA_2 => (6, 4, Some(7)),
            _ => return Err(damage()),
        };

        let mut number = 0;
        let mut values = None;
        let mut encoding = None;
        while let Some(kind) = thrift.field(&mut number)? {
            let is_int = number <= last_int;
            let is_truth = Some(number) == truth_field;
            let has_its_type = if is_int {
                kind == field::I32
            } else if is_truth {
                is_bool(kind)
            } else {
                true
            };
            if !has_its_type {
                return Err(damage());
            }
            if !is_int {
                thrift.skip(kind)?;
                continue;
            }

            let int = thrift.int()?;
            if number == 1 {
                values = u64::try_from(int).ok();
            } else if number == encoding_field {
                encoding = Some(int);
            }
        }

        let values = values.ok_or_else(damage)?;
        let encoding = encoding.ok_or_else(damage)?;
        Ok(InnerHeader { values, encoding })
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
        assert_eq!(
            (header.kind, header.values, header.bytes),
            (PageKind::Dictionary, 3, 13)
        );
    }

    macro_rules! refuses {
        ($($name:ident: $($bytes:expr),+;)*) => {$(
            #[test]
            fn $name() {
                let bytes = [$(&$bytes[..]),+].concat();
                PageHeader::read(&bytes[..]).expect_err("a header that is damaged");
            }
        )*};
    }

    /// Fields 1 to 3 of a data page of 10 bytes.
    const SIZES: [u8; 6] = [0x15, 0, 0x15, 20, 0x15, 20];
    /// The inner headers of 3 values, of the first and the second version, without the type of their field.
    const INNER: [u8; 9] = [0x15, 6, 0x15, 0, 0x15, 6, 0x15, 6, 0];
    const INNER_2: [u8; 13] = [0x15, 6, 0x15, 0, 0x15, 6, 0x15, 0, 0x15, 0, 0x15, 0, 0];

    #[test]
    fn the_parts_of_the_refused_headers_are_sound() {
        let first = [&SIZES[..], &[0x2c], &INNER, &[0]].concat();
        assert_eq!(PageHeader::read(&first[..]).expect("a header").values, 3);
        let second = [&[0x15, 6], &SIZES[2..], &[0x5c], &INNER_2, &[0]].concat();
        assert_eq!(PageHeader::read(&second[..]).expect("a header").values, 3);
    }

    refuses! {
        // The number is in full, as it can be for any field.
        a_size_twice: SIZES, [0x05, 4, 20], [0x2c], INNER, [0];
        a_number_of_a_field_of_more_than_16_bits: SIZES, [0x05, 0x84, 0x80, 0x08, 20, 0x2c], INNER, [0];
        a_size_of_64_bits: [0x15, 0, 0x16, 20, 0x15, 20, 0x2c], INNER, [0];
        a_size_below_zero: [0x15, 0, 0x15, 1, 0x15, 20, 0x2c], INNER, [0];
        a_size_of_more_than_32_bits: [0x15, 0, 0x15, 0x94, 0x80, 0x80, 0x80, 0x20, 0x15, 20, 0x2c], INNER, [0];
        no_size: [0x15, 0, 0x25, 20, 0x2c], INNER, [0];
        two_headers_in_one: SIZES, [0x2c], INNER, [0x3c], INNER_2, [0];
        the_header_of_another_version: SIZES, [0x5c], INNER_2, [0];
        the_header_of_a_dictionary_in_a_data_page: SIZES, [0x4c, 0x15, 6, 0x15, 0, 0, 0];
        no_inner_header: SIZES, [0];
        a_number_of_values_of_64_bits: SIZES, [0x2c, 0x16, 6, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];
        an_encoding_that_is_a_text: SIZES, [0x2c, 0x15, 6, 0x18, 0, 0x15, 6, 0x15, 6, 0, 0];
        an_index: [0x15, 2, 0x15, 20, 0x15, 20, 0x3c, 0, 0];
        // The Parquet library passes over no byte for an element.
        a_list_of_truth_values: SIZES, [0x2c], INNER, [0x49, 0x11, 1, 0];
    }

    #[test]
    fn headers_that_are_cut_short_are_refused() {
        for end in 0..DATA.len() - 1 {
            assert!(PageHeader::read(&DATA[..end]).is_err(), "{end}");
        }
        let nested = [0x9c; 100];
        assert!(PageHeader::read(&nested[..]).is_err());
        let endless = [
            0x15, 0, 0x15, 20, 0x15, 20, 0x98, 0xff, 0xff, 0xff, 0xff, 0x7f,
        ];
        assert!(PageHeader::read(&endless[..]).is_err());
    }
}

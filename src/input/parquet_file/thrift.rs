//! Thrift's compact protocol, in which the metadata of Parquet files is written.
//!
//! The Parquet library parses these bytes again later, and must get equal results. But it does not check the type of a
//! known field, uses the last of several fields with one number, and truncates numbers to their width. So this reader
//! is stricter: the fields of a struct must be in the order of their numbers, as all writers write them. A known field
//! must have its type, and a number its width.

use std::io::{self, Read};

/// The types of fields in the compact protocol.
pub(super) mod field {
    pub(in super::super) const TRUE: u8 = 1;
    pub(in super::super) const FALSE: u8 = 2;
    pub(in super::super) const BYTE: u8 = 3;
    pub(in super::super) const I16: u8 = 4;
    pub(in super::super) const I32: u8 = 5;
    pub(in super::super) const I64: u8 = 6;
    pub(in super::super) const DOUBLE: u8 = 7;
    pub(in super::super) const BINARY: u8 = 8;
    pub(in super::super) const LIST: u8 = 9;
    pub(in super::super) const SET: u8 = 10;
    pub(in super::super) const MAP: u8 = 11;
    pub(in super::super) const STRUCT: u8 = 12;
}

/// Returns `true` for the types of a field that is a boolean.
pub(super) fn is_bool(kind: u8) -> bool {
    matches!(kind, field::TRUE | field::FALSE)
}

/// The maximum nesting of structs and lists in metadata.
const MAX_DEPTH: usize = 16;

/// The error of metadata that is damaged, or that the library would read differently.
pub(super) fn damage() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the metadata of the file makes no sense",
    )
}

/// A reader of the compact protocol.
pub(super) struct Thrift<R> {
    input: R,
    /// The number of bytes read.
    bytes: u64,
}

impl<R: Read> Thrift<R> {
    pub(super) fn new(input: R) -> Thrift<R> {
        Thrift { input, bytes: 0 }
    }

    /// The number of bytes that have been read.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

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

    /// A signed number of 32 bits in zigzag encoding: its lowest bit is its sign.
    pub(super) fn int(&mut self) -> io::Result<i32> {
        let number = self.varint()?;
        let magnitude = (number >> 1).cast_signed();
        let sign = (number & 1).cast_signed();
        i32::try_from(magnitude ^ -sign).map_err(|_| damage())
    }

    /// The number of elements of a list, which must be structs.
    pub(super) fn structs(&mut self) -> io::Result<u64> {
        let (length, kind) = self.list()?;
        if kind == field::STRUCT {
            Ok(length)
        } else {
            Err(damage())
        }
    }

    /// The number and the type of the elements of a list.
    fn list(&mut self) -> io::Result<(u64, u8)> {
        let head = self.byte()?;
        // Up to 14 elements, the length is in the first byte.
        let length = match head >> 4 {
            15 => self.varint()?,
            short => short.into(),
        };
        Ok((length, head & 0x0f))
    }

    /// The type of the next field; `None` at the end of the struct. `number` is the number of the field before, and
    /// becomes the number of the next field.
    pub(super) fn field(&mut self, number: &mut i16) -> io::Result<Option<u8>> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }

        // The number is stored as its distance from the number before, or in full behind a 0.
        let candidate = match head >> 4 {
            0 => i16::try_from(self.int()?).ok(),
            step => number.checked_add(step.into()),
        };
        let next = candidate.filter(|next| next > number).ok_or_else(damage)?;
        *number = next;
        Ok(Some(head & 0x0f))
    }

    /// Passes over a value of a type.
    pub(super) fn skip(&mut self, kind: u8) -> io::Result<()> {
        self.skip_within(kind, MAX_DEPTH)
    }

    fn skip_within(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        let inner = depth.checked_sub(1).ok_or_else(damage)?;

        match kind {
            // In a struct, the type of a boolean is its value.
            field::TRUE | field::FALSE => Ok(()),
            field::BYTE => self.byte().map(drop),
            field::I16 | field::I32 | field::I64 => self.varint().map(drop),
            field::DOUBLE => self.skip_bytes(8),
            field::BINARY => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            field::LIST | field::SET => {
                let (length, kind) = self.list()?;
                for _ in 0..length {
                    self.skip_element(kind, inner)?;
                }
                Ok(())
            }
            field::MAP => {
                let length = self.varint()?;
                let kinds = if length > 0 { self.byte()? } else { 0 };
                for _ in 0..length {
                    self.skip_element(kinds >> 4, inner)?;
                    self.skip_element(kinds & 0x0f, inner)?;
                }
                Ok(())
            }
            field::STRUCT => {
                let mut number = 0;
                while let Some(kind) = self.field(&mut number)? {
                    self.skip_within(kind, inner)?;
                }
                Ok(())
            }
            _ => Err(damage()),
        }
    }

    /// Passes over an element of a list. A boolean has a byte there, which the Parquet library does not skip, and no
    /// metadata has a list of booleans.
    fn skip_element(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        match kind {
            field::TRUE | field::FALSE => Err(damage()),
            kind => self.skip_within(kind, depth),
        }
    }

    fn skip_bytes(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
        self.bytes += skipped;
        if skipped == length {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_numbers_are_in_zigzag_encoding() {
        let rows: [(&[u8], i32); 5] = [
            (&[0], 0),
            (&[1], -1),
            (&[2], 1),
            (&[0xac, 0x02], 150),
            (&[0xff, 0xff, 0xff, 0xff, 0x0f], i32::MIN),
        ];
        for (bytes, number) in rows {
            let read = Thrift::new(bytes).int().expect("a number");
            assert_eq!(read, number);
        }

        let too_wide: &[u8] = &[0x80, 0x80, 0x80, 0x80, 0x10];
        assert!(Thrift::new(too_wide).int().is_err());
    }

    #[test]
    fn fields_are_in_the_order_of_their_numbers() {
        // One number further, three numbers further, and back to 2, which is stored in full.
        let heads: &[u8] = &[0x15, 0x35, 0x05, 4];
        let mut thrift = Thrift::new(heads);
        let mut number = 0;

        let kind = thrift.field(&mut number).expect("a field");
        assert_eq!((kind, number), (Some(field::I32), 1));
        thrift.field(&mut number).expect("a field");
        assert_eq!(number, 4);
        assert!(thrift.field(&mut number).is_err());
    }
}

//! The shape of the schema of a file, checked before the library reads it.
//!
//! A schema is a list of elements. A group is an element with a number of children, which follow it in the list. The
//! library reads groups by recursion, and allocates memory for the number of children, so a small file could end the
//! program.

use std::io::{self, Read};

use super::thrift::{Thrift, damage, field, is_bool};

/// The maximum number of groups around a column.
const MAX_DEPTH: usize = 64;

/// Fields of `SchemaElement`. `LOGICAL_TYPE` is the last field that the library knows.
const NAME: i16 = 4;
const NUM_CHILDREN: i16 = 5;
const LOGICAL_TYPE: i16 = 10;

/// Variants of `LogicalType` that have fields.
const DECIMAL: i16 = 5;
const TIME: i16 = 7;
const TIMESTAMP: i16 = 8;
const INTEGER: i16 = 10;
const VARIANT: i16 = 16;
const GEOMETRY: i16 = 17;
const GEOGRAPHY: i16 = 18;

/// Checks the footer of a file (parquet.thrift, `FileMetaData`), which begins with a version and the schema.
///
/// # Errors
/// If the schema is damaged, or its groups are nested too deep.
pub(super) fn check_schema(footer: &[u8]) -> io::Result<()> {
    let mut thrift = Thrift::new(footer);
    let mut number = 0;
    let version = thrift.field(&mut number)?;
    if (version, number) != (Some(field::I32), 1) {
        return Err(damage());
    }
    thrift.int()?;

    let schema = thrift.field(&mut number)?;
    if (schema, number) != (Some(field::LIST), 2) {
        return Err(damage());
    }

    let elements = thrift.structs()?;
    // The number of missing elements of each group around the next element.
    let mut open_groups: Vec<u64> = Vec::new();
    for index in 0..elements {
        let children = read_child_count(&mut thrift)?;
        let elements_left = elements - index - 1;
        if children > elements_left {
            return Err(damage());
        }

        while open_groups.last() == Some(&0) {
            open_groups.pop();
        }
        if let Some(missing) = open_groups.last_mut() {
            *missing -= 1;
        }
        if children > 0 {
            open_groups.push(children);
        }
        if open_groups.len() > MAX_DEPTH {
            return Err(damage());
        }
    }
    Ok(())
}

/// Reads a `SchemaElement`, and returns the number of its children.
fn read_child_count(thrift: &mut Thrift<impl Read>) -> io::Result<u64> {
    let mut number = 0;
    let mut children = 0;

    // The library does not check the types of known fields, so a wrong type is damage.
    while let Some(kind) = thrift.field(&mut number)? {
        match (number, kind) {
            (NUM_CHILDREN, field::I32) => {
                let count = thrift.int()?;
                children = u64::try_from(count).map_err(|_| damage())?;
            }
            // Type, length, repetition, converted type, scale, precision, id.
            (1..=3 | 6..=9, field::I32) => {
                thrift.int()?;
            }
            (NAME, field::BINARY) => thrift.skip(kind)?,
            (LOGICAL_TYPE, field::STRUCT) => check_logical_type(thrift)?,
            (1..=LOGICAL_TYPE, _) => return Err(damage()),
            _ => thrift.skip(kind)?,
        }
    }
    Ok(children)
}

/// Checks that the fields of a `LogicalType` have the types with which the library reads them.
fn check_logical_type(thrift: &mut Thrift<impl Read>) -> io::Result<()> {
    let mut variant = 0;
    while let Some(kind) = thrift.field(&mut variant)? {
        if kind != field::STRUCT {
            return Err(damage());
        }

        let mut number = 0;
        while let Some(kind) = thrift.field(&mut number)? {
            let is_sound = match (variant, number) {
                // The scale and the precision.
                (DECIMAL, 1 | 2) => kind == field::I32,
                // A flag for UTC, and the unit.
                (TIME | TIMESTAMP, 1) => is_bool(kind),
                (TIME | TIMESTAMP, 2) => {
                    check_time_unit(thrift, kind)?;
                    continue;
                }
                // The width, and a flag for a sign.
                (INTEGER, 1) => kind == field::BYTE,
                (INTEGER, 2) => is_bool(kind),
                // The version of the specification.
                (VARIANT, 1) => kind == field::BYTE,
                // The coordinate system, and the interpolation of edges.
                (GEOMETRY | GEOGRAPHY, 1) => kind == field::BINARY,
                (GEOGRAPHY, 2) => kind == field::I32,
                // Other types have no fields.
                _ => false,
            };
            if !is_sound {
                return Err(damage());
            }
            thrift.skip(kind)?;
        }
    }
    Ok(())
}

/// Checks that a `TimeUnit` has empty structs only.
fn check_time_unit(thrift: &mut Thrift<impl Read>, kind: u8) -> io::Result<()> {
    if kind != field::STRUCT {
        return Err(damage());
    }

    let mut unit = 0;
    while let Some(kind) = thrift.field(&mut unit)? {
        if kind != field::STRUCT || thrift.field(&mut 0)?.is_some() {
            return Err(damage());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group named `m` of one element, and a column `c` of texts.
    const GROUP: [u8; 6] = [0x48, 1, b'm', 0x15, 2, 0];
    const COLUMN: [u8; 8] = [0x15, 12, 0x25, 0, 0x18, 1, b'c', 0];

    /// A footer that ends behind a schema of these elements.
    fn footer(elements: &[&[u8]]) -> Vec<u8> {
        let count = u8::try_from(elements.len()).expect("few elements");
        let list = [0xfc, 0x80 | count & 0x7f, count >> 7];
        [&[0x15, 2, 0x19][..], &list, &elements.concat()].concat()
    }

    macro_rules! schemas {
        ($($name:ident: $elements:expr => $is_sound:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(check_schema(&footer(&$elements)).is_ok(), $is_sound);
            }
        )*};
    }

    fn nested(groups: usize) -> Vec<&'static [u8]> {
        let mut elements = vec![&GROUP[..]; groups];
        elements.push(&COLUMN);
        elements
    }

    schemas! {
        a_column: nested(1) => true;
        some_groups: nested(64) => true;
        too_many_groups: nested(65) => false;
        groups_side_by_side:
            [&[&[0x48, 1, b'm', 0x15, 120, 0][..]], &[&GROUP[..], &COLUMN].repeat(60)[..]].concat() => true;
        more_elements_than_there_are: [&[0x48, 1, b'm', 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0][..], &COLUMN] => false;
        fewer_than_none: [&[0x48, 1, b'm', 0x15, 1, 0][..], &COLUMN] => false;
        a_number_of_elements_of_64_bits: [&[0x48, 1, b'm', 0x16, 2, 0][..], &COLUMN] => false;
        a_type_that_is_a_text: [&GROUP[..], &[0x18, 0, 0x38, 1, b'c', 0]] => false;
        the_unit_of_a_time: [&GROUP[..], &[0x48, 1, b'c', 0x6c, 0x7c, 0x11, 0x1c, 0x1c, 0, 0, 0, 0, 0]] => true;
        a_unit_that_is_a_number: [&GROUP[..], &[0x48, 1, b'c', 0x6c, 0x7c, 0x11, 0x15, 0x1c, 0, 0, 0]] => false;
    }
}

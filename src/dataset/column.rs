//! Columns in memory, and their encoding as column chunks of a row group.

use bytes::Bytes;
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::TrackedWrite;
use parquet::schema::types::ColumnDescPtr;

use super::checked_pages::CheckedPages;

/// The values of one column for some rows.
#[derive(Clone, Debug)]
pub(super) struct ColumnBuffer {
    values: Values,
    /// The definition levels of a column that may be NULL: 1 for each row with a value, 0 for NULL. A map has its
    /// levels in [`Pairs`].
    levels: Option<Vec<i16>>,
}

/// The values of a column. A row with NULL has no value.
#[derive(Clone, Debug)]
enum Values {
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Doubles(Vec<f64>),
    Texts(Texts),
    Pairs(Pairs),
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers of 32 bits or fewer.
    Int,
    /// Numbers of 64 bits.
    Long,
    /// Floating-point numbers.
    Double,
    /// Texts.
    Text,
    /// Pairs of texts.
    Map,
}

/// Texts, one behind the other.
#[derive(Clone, Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Maps: keys and values, and their levels as Parquet defines them for nested columns. A pair has the definition level
/// 1; an empty map has the definition level 0 and no pair. The first pair of a map has the repetition level 0, all
/// further pairs have 1.
#[derive(Clone, Debug, Default)]
struct Pairs {
    keys: Texts,
    values: Texts,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

/// A column chunk in memory.
pub(super) struct EncodedColumn {
    pub(super) bytes: Bytes,
    pub(super) close: ColumnCloseResult,
}

impl Pairs {
    fn append(&mut self, next: &Pairs) {
        self.keys.append(&next.keys);
        self.values.append(&next.values);
        self.definition.extend_from_slice(&next.definition);
        self.repetition.extend_from_slice(&next.repetition);
    }
}

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    fn append(&mut self, next: &Texts) {
        let before = self.bytes.len();
        let ends = next.ends.iter().map(|end| before + end);

        self.ends.extend(ends);
        self.bytes.extend_from_slice(&next.bytes);
    }

    /// The size of the texts in memory, in bytes. An end counts as eight bytes on every machine, because the size of a
    /// row group must not depend on the machine.
    fn memory(&self) -> usize {
        self.bytes.len() + 8 * self.ends.len()
    }

    fn into_values(self) -> Vec<ByteArray> {
        let bytes = Bytes::from(self.bytes);
        let mut values = Vec::with_capacity(self.ends.len());
        let mut start = 0;
        for end in self.ends {
            values.push(ByteArray::from(bytes.slice(start..end)));
            start = end;
        }
        values
    }
}

impl ColumnBuffer {
    /// A column without rows.
    pub(super) fn new(kind: Kind, is_optional: bool) -> ColumnBuffer {
        let values = match kind {
            Kind::Int => Values::Ints(Vec::new()),
            Kind::Long => Values::Longs(Vec::new()),
            Kind::Double => Values::Doubles(Vec::new()),
            Kind::Text => Values::Texts(Texts::default()),
            Kind::Map => Values::Pairs(Pairs::default()),
        };
        ColumnBuffer {
            values,
            levels: is_optional.then(Vec::new),
        }
    }

    /// Notes whether the next row has a value.
    fn level(&mut self, has_value: bool) {
        match &mut self.levels {
            Some(levels) => levels.push(has_value.into()),
            None => debug_assert!(
                has_value,
                "a column that is never NULL has a value in each row"
            ),
        }
    }

    /// Adds a row of a column of [`Kind::Int`].
    pub(super) fn int(&mut self, value: Option<i32>) {
        self.level(value.is_some());
        if let Values::Ints(values) = &mut self.values {
            values.extend(value);
        }
    }

    /// Adds a row of a column of [`Kind::Long`].
    pub(super) fn long(&mut self, value: Option<i64>) {
        self.level(value.is_some());
        if let Values::Longs(values) = &mut self.values {
            values.extend(value);
        }
    }

    /// Adds a row of a column of [`Kind::Double`].
    pub(super) fn double(&mut self, value: Option<f64>) {
        self.level(value.is_some());
        if let Values::Doubles(values) = &mut self.values {
            values.extend(value);
        }
    }

    /// Adds a row of a column of [`Kind::Text`].
    pub(super) fn text(&mut self, value: Option<&[u8]>) {
        self.level(value.is_some());
        if let (Values::Texts(texts), Some(value)) = (&mut self.values, value) {
            texts.push(value);
        }
    }

    /// Adds a row of a column of [`Kind::Map`].
    pub(super) fn map<'p>(&mut self, pairs: impl IntoIterator<Item = (&'p str, &'p str)>) {
        let Values::Pairs(column) = &mut self.values else {
            return;
        };

        let before = column.definition.len();
        for (key, value) in pairs {
            let is_further = column.definition.len() > before;
            column.repetition.push(is_further.into());
            column.definition.push(1);
            column.keys.push(key.as_bytes());
            column.values.push(value.as_bytes());
        }

        let is_empty_map = column.definition.len() == before;
        if is_empty_map {
            column.repetition.push(0);
            column.definition.push(0);
        }
    }

    /// Adds the rows of a column of an equal kind.
    pub(super) fn append(&mut self, next: &ColumnBuffer) {
        if let (Some(levels), Some(added)) = (&mut self.levels, &next.levels) {
            levels.extend_from_slice(added);
        }

        match (&mut self.values, &next.values) {
            (Values::Ints(ints), Values::Ints(added)) => ints.extend_from_slice(added),
            (Values::Longs(longs), Values::Longs(added)) => longs.extend_from_slice(added),
            (Values::Doubles(doubles), Values::Doubles(added)) => doubles.extend_from_slice(added),
            (Values::Texts(texts), Values::Texts(added)) => texts.append(added),
            (Values::Pairs(pairs), Values::Pairs(added)) => pairs.append(added),

            // Both buffers belong to one column of a schema, so their kinds are equal.
            _ => unreachable!("the columns of a table are of the same kinds in all buffers"),
        }
    }

    /// The size of the values and levels in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Ints(values) => size_of_val(&values[..]),
            Values::Longs(values) => size_of_val(&values[..]),
            Values::Doubles(values) => size_of_val(&values[..]),
            Values::Texts(texts) => texts.memory(),
            Values::Pairs(pairs) => {
                let texts = pairs.keys.memory() + pairs.values.memory();
                let levels =
                    size_of_val(&pairs.definition[..]) + size_of_val(&pairs.repetition[..]);
                texts + levels
            }
        };

        let levels = match &self.levels {
            Some(levels) => size_of_val(&levels[..]),
            None => 0,
        };

        values + levels
    }

    /// The column chunks: two for a map, otherwise one.
    pub(super) fn into_leaves(self) -> Vec<Leaf> {
        let values = match self.values {
            Values::Ints(values) => LeafValues::Ints(values),
            Values::Longs(values) => LeafValues::Longs(values),
            Values::Doubles(values) => LeafValues::Doubles(values),
            Values::Texts(texts) => LeafValues::Texts(texts),
            Values::Pairs(pairs) => return pairs.into_leaves(),
        };

        vec![Leaf {
            values,
            definition: self.levels,
            repetition: None,
        }]
    }
}

impl Pairs {
    /// The column chunks of keys and of values, whose levels are equal.
    fn into_leaves(self) -> Vec<Leaf> {
        let keys = Leaf {
            values: LeafValues::Texts(self.keys),
            definition: Some(self.definition.clone()),
            repetition: Some(self.repetition.clone()),
        };
        let values = Leaf {
            values: LeafValues::Texts(self.values),
            definition: Some(self.definition),
            repetition: Some(self.repetition),
        };
        vec![keys, values]
    }
}

/// The values of a column chunk, with their levels.
pub(super) struct Leaf {
    values: LeafValues,
    definition: Option<Vec<i16>>,
    repetition: Option<Vec<i16>>,
}

enum LeafValues {
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Doubles(Vec<f64>),
    Texts(Texts),
}

impl Leaf {
    /// Encodes the values as a column chunk.
    ///
    /// # Errors
    /// The errors of the encoder.
    pub(super) fn encode(
        self,
        column: &ColumnDescPtr,
        properties: &WriterPropertiesPtr,
    ) -> Result<EncodedColumn, ParquetError> {
        let mut out = TrackedWrite::new(Vec::new());
        let pages = Box::new(CheckedPages::new(&mut out));
        let writer = get_column_writer(column.clone(), properties.clone(), pages);

        let definition = self.definition.as_deref();
        let repetition = self.repetition.as_deref();
        let close = match (writer, self.values) {
            (ColumnWriter::Int32ColumnWriter(mut writer), LeafValues::Ints(values)) => {
                writer.write_batch(&values, definition, repetition)?;
                writer.close()?
            }
            (ColumnWriter::Int64ColumnWriter(mut writer), LeafValues::Longs(values)) => {
                writer.write_batch(&values, definition, repetition)?;
                writer.close()?
            }
            (ColumnWriter::DoubleColumnWriter(mut writer), LeafValues::Doubles(values)) => {
                writer.write_batch(&values, definition, repetition)?;
                writer.close()?
            }
            (ColumnWriter::ByteArrayColumnWriter(mut writer), LeafValues::Texts(texts)) => {
                writer.write_batch(&texts.into_values(), definition, repetition)?;
                writer.close()?
            }
            _ => {
                return Err(ParquetError::General(
                    "a column has values of another type".into(),
                ));
            }
        };

        Ok(EncodedColumn {
            bytes: Bytes::from(out.into_inner()?),
            close,
        })
    }
}

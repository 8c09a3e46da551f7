//! Columns in memory, and how they become the column chunks of a row group.

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
    /// Of a column that may be NULL: 1 for each row that has a value, 0 for the others. Of a map: see [`Pairs`].
    levels: Option<Vec<i16>>,
}

/// The values of the rows that have one.
#[derive(Clone, Debug)]
enum Values {
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Doubles(Vec<f64>),
    Texts(Texts),
    Pairs(Pairs),
}

/// What a column holds.
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

/// Maps: keys and values, and their levels. A pair has the definition level 1, an empty map has 0 and no pair; the first
/// pair of a map has the repetition level 0, the others have 1.
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

impl Texts {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    fn append(&mut self, next: &Texts) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(&next.bytes);
        self.ends.extend(next.ends.iter().map(|end| before + end));
    }

    fn into_values(self) -> Vec<ByteArray> {
        let bytes = Bytes::from(self.bytes);
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges
            .map(|(start, &end)| ByteArray::from(bytes.slice(start..end)))
            .collect()
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
            column
                .repetition
                .push((column.definition.len() > before).into());
            column.definition.push(1);
            column.keys.push(key.as_bytes());
            column.values.push(value.as_bytes());
        }
        if column.definition.len() == before {
            column.repetition.push(0);
            column.definition.push(0);
        }
    }

    /// Adds the rows of a column of the same kind.
    pub(super) fn append(&mut self, next: &ColumnBuffer) {
        if let (Some(levels), Some(next)) = (&mut self.levels, &next.levels) {
            levels.extend_from_slice(next);
        }
        match (&mut self.values, &next.values) {
            (Values::Ints(values), Values::Ints(next)) => values.extend_from_slice(next),
            (Values::Longs(values), Values::Longs(next)) => values.extend_from_slice(next),
            (Values::Doubles(values), Values::Doubles(next)) => values.extend_from_slice(next),
            (Values::Texts(texts), Values::Texts(next)) => texts.append(next),
            (Values::Pairs(pairs), Values::Pairs(next)) => {
                pairs.keys.append(&next.keys);
                pairs.values.append(&next.values);
                pairs.definition.extend_from_slice(&next.definition);
                pairs.repetition.extend_from_slice(&next.repetition);
            }
            _ => unreachable!("the columns of a table are of the same kinds in all buffers"),
        }
    }

    /// The bytes that it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let texts = |texts: &Texts| texts.bytes.len() + 8 * texts.ends.len();
        let values = match &self.values {
            Values::Ints(values) => 4 * values.len(),
            Values::Longs(values) => 8 * values.len(),
            Values::Doubles(values) => 8 * values.len(),
            Values::Texts(values) => texts(values),
            Values::Pairs(pairs) => {
                texts(&pairs.keys) + texts(&pairs.values) + 4 * pairs.definition.len()
            }
        };
        values + self.levels.as_ref().map_or(0, |levels| 2 * levels.len())
    }

    /// The column chunks: one, or for a map two.
    pub(super) fn into_leaves(self) -> Vec<Leaf> {
        let levels = self.levels;
        let leaf = |values| {
            vec![Leaf {
                values,
                definition: levels,
                repetition: None,
            }]
        };
        match self.values {
            Values::Ints(values) => leaf(LeafValues::Ints(values)),
            Values::Longs(values) => leaf(LeafValues::Longs(values)),
            Values::Doubles(values) => leaf(LeafValues::Doubles(values)),
            Values::Texts(texts) => leaf(LeafValues::Texts(texts)),
            Values::Pairs(Pairs {
                keys,
                values,
                definition,
                repetition,
            }) => {
                let leaf = |texts| Leaf {
                    values: LeafValues::Texts(texts),
                    definition: Some(definition.clone()),
                    repetition: Some(repetition.clone()),
                };
                vec![leaf(keys), leaf(values)]
            }
        }
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
    /// Its column chunk.
    ///
    /// # Errors
    /// Those of the encoder.
    pub(super) fn encode(
        self,
        column: &ColumnDescPtr,
        properties: &WriterPropertiesPtr,
    ) -> Result<EncodedColumn, ParquetError> {
        let mut out = TrackedWrite::new(Vec::new());
        let (definition, repetition) = (self.definition.as_deref(), self.repetition.as_deref());
        let pages = Box::new(CheckedPages::new(&mut out));
        let close = match (
            get_column_writer(column.clone(), properties.clone(), pages),
            self.values,
        ) {
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

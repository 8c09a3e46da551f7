//! The values of a column of one row group, in batches.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};

use super::cell::Value;
use super::damage::guarded;
use super::pages::HeldPages;

/// A column being read.
pub(super) struct Column {
    reader: ColumnReader,
    /// What its pages hold of the memory.
    held: HeldPages,
    /// The definition level of a value that is there.
    max_def: i16,
    values: Values,
    defs: Vec<i16>,
    reps: Vec<i16>,
    /// The number of levels in the batch.
    levels: usize,
    next_level: usize,
    next_value: usize,
}

/// The values of a batch.
enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<ByteArray>),
}

impl Column {
    pub(super) fn new(reader: ColumnReader, held: HeldPages, max_def: i16) -> Column {
        let values = match &reader {
            ColumnReader::DoubleColumnReader(_) | ColumnReader::FloatColumnReader(_) => {
                Values::Reals(Vec::new())
            }
            ColumnReader::ByteArrayColumnReader(_) => Values::Texts(Vec::new()),
            _ => Values::Integers(Vec::new()),
        };
        let (defs, reps) = (Vec::new(), Vec::new());
        Column {
            reader,
            held,
            max_def,
            values,
            defs,
            reps,
            levels: 0,
            next_level: 0,
            next_value: 0,
        }
    }

    /// Reads the next `rows` rows in place of the last ones.
    ///
    /// # Errors
    /// If the file is damaged, or has fewer.
    pub(super) fn read(&mut self, rows: usize) -> Result<()> {
        self.clear();
        let mut read = 0;
        while read < rows {
            let (records, levels) = guarded(|| self.read_some(rows - read))?;
            if records == 0 {
                return Err(ParquetError::EOF("a column ends too early".to_owned()));
            }
            read += records;
            self.levels += levels;
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.defs.clear();
        self.reps.clear();
        match &mut self.values {
            Values::Integers(values) => values.clear(),
            Values::Reals(values) => values.clear(),
            Values::Texts(values) => values.clear(),
        }
        (self.levels, self.next_level, self.next_value) = (0, 0, 0);
        self.held.pay_back();
    }

    fn read_some(&mut self, rows: usize) -> Result<(usize, usize)> {
        let levels = (&mut self.defs, &mut self.reps);
        match (&mut self.reader, &mut self.values) {
            (ColumnReader::Int32ColumnReader(reader), Values::Integers(values)) => {
                read_into(reader, rows, levels, values, i64::from)
            }
            (ColumnReader::Int64ColumnReader(reader), Values::Integers(values)) => {
                read_into(reader, rows, levels, values, |value| value)
            }
            (ColumnReader::FloatColumnReader(reader), Values::Reals(values)) => {
                read_into(reader, rows, levels, values, f64::from)
            }
            (ColumnReader::DoubleColumnReader(reader), Values::Reals(values)) => {
                read_into(reader, rows, levels, values, |value| value)
            }
            (ColumnReader::ByteArrayColumnReader(reader), Values::Texts(values)) => {
                read_into(reader, rows, levels, values, |value| value)
            }
            _ => Err(ParquetError::NYI("a column of this type".to_owned())),
        }
    }

    /// The value of the next row of a plain column; `None` for NULL.
    pub(super) fn next(&mut self) -> Option<Value<'_>> {
        let is_there = self.max_def == 0 || self.defs.get(self.next_level) == Some(&self.max_def);
        self.next_level += 1;
        if !is_there {
            return None;
        }
        self.next_value += 1;
        self.values.at(self.next_value - 1)
    }

    /// Returns `true` if the next entry of a list is of the same row as the last one.
    pub(super) fn has_more(&self) -> bool {
        self.next_level < self.levels
            && self
                .reps
                .get(self.next_level)
                .is_some_and(|&level| level > 0)
    }
}

impl Values {
    fn at(&self, index: usize) -> Option<Value<'_>> {
        match self {
            Values::Integers(values) => values.get(index).copied().map(Value::Integer),
            Values::Reals(values) => values.get(index).copied().map(Value::Real),
            Values::Texts(values) => values.get(index).map(|value| Value::Text(value.data())),
        }
    }
}

/// Appends values and levels of at most `rows` rows; returns the numbers of rows and of levels.
fn read_into<T: DataType, V>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    (defs, reps): (&mut Vec<i16>, &mut Vec<i16>),
    values: &mut Vec<V>,
    convert: impl Fn(T::T) -> V,
) -> Result<(usize, usize)> {
    let mut read = Vec::new();
    let (records, _, levels) = reader.read_records(rows, Some(defs), Some(reps), &mut read)?;
    values.extend(read.into_iter().map(convert));
    Ok((records, levels))
}

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
    /// The memory that its pages hold.
    held: HeldPages,
    /// The definition level of a value that is not NULL.
    max_def: i16,
    values: Values,
    /// The definition levels of the batch: `max_def` for a value, less for NULL.
    defs: Vec<i16>,
    /// The repetition levels of the batch: 0 for the first entry of a row.
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
        Column {
            reader,
            held,
            max_def,
            values,
            defs: Vec::new(),
            reps: Vec::new(),
            levels: 0,
            next_level: 0,
            next_value: 0,
        }
    }

    /// Replaces the batch by the next `rows` rows.
    ///
    /// # Errors
    /// If the file is damaged, or has fewer rows.
    pub(super) fn read(&mut self, rows: usize) -> Result<()> {
        self.clear();

        // The library may return fewer rows than it is asked for.
        let mut rows_read = 0;
        while rows_read < rows {
            let (records, levels) = guarded(|| self.read_part(rows - rows_read))?;
            if records == 0 {
                return Err(ParquetError::EOF("a column ends too early".to_owned()));
            }
            rows_read += records;
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
        self.levels = 0;
        self.next_level = 0;
        self.next_value = 0;
        // Texts refer to the bytes of their pages. Without the texts, the pages are not needed.
        self.held.release_read();
    }

    /// Appends at most `rows` rows; returns the numbers of rows and of levels.
    fn read_part(&mut self, rows: usize) -> Result<(usize, usize)> {
        use ColumnReader::{
            ByteArrayColumnReader, DoubleColumnReader, FloatColumnReader, Int32ColumnReader,
            Int64ColumnReader,
        };

        let levels = (&mut self.defs, &mut self.reps);
        match (&mut self.reader, &mut self.values) {
            (Int32ColumnReader(reader), Values::Integers(values)) => {
                read_into(reader, rows, levels, values, i64::from)
            }
            (Int64ColumnReader(reader), Values::Integers(values)) => {
                read_into(reader, rows, levels, values, |value| value)
            }
            (FloatColumnReader(reader), Values::Reals(values)) => {
                read_into(reader, rows, levels, values, f64::from)
            }
            (DoubleColumnReader(reader), Values::Reals(values)) => {
                read_into(reader, rows, levels, values, |value| value)
            }
            (ByteArrayColumnReader(reader), Values::Texts(values)) => {
                read_into(reader, rows, levels, values, |value| value)
            }
            _ => Err(ParquetError::NYI("a column of this type".to_owned())),
        }
    }

    /// The value of the next row of a plain column; `None` for NULL.
    pub(super) fn next(&mut self) -> Option<Value<'_>> {
        let level = self.defs.get(self.next_level);
        self.next_level += 1;
        // A column without NULLs has no definition levels.
        let is_null = self.max_def != 0 && level != Some(&self.max_def);
        if is_null {
            return None;
        }

        // NULLs have a level, but no value, so values are counted apart.
        let index = self.next_value;
        self.next_value += 1;
        self.values.at(index)
    }

    /// Returns `true` if the next entry of a list belongs to the row of the last entry.
    pub(super) fn has_more(&self) -> bool {
        if self.next_level >= self.levels {
            return false;
        }

        match self.reps.get(self.next_level) {
            Some(&level) => level > 0,
            None => false,
        }
    }
}

impl Values {
    fn at(&self, index: usize) -> Option<Value<'_>> {
        match self {
            Values::Integers(values) => {
                let value = values.get(index)?;
                Some(Value::Integer(*value))
            }
            Values::Reals(values) => {
                let value = values.get(index)?;
                Some(Value::Real(*value))
            }
            Values::Texts(values) => {
                let value = values.get(index)?;
                Some(Value::Text(value.data()))
            }
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
    let mut new_values = Vec::new();
    let (records, _values, levels) =
        reader.read_records(rows, Some(defs), Some(reps), &mut new_values)?;

    values.extend(new_values.into_iter().map(convert));
    Ok((records, levels))
}

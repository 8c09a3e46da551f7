//! The schema of a table, and the file that its row groups are written to.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterPropertiesPtr,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, SchemaDescPtr, SchemaDescriptor, TypePtr};

use super::column::{ColumnBuffer, EncodedColumn, Kind};
use crate::error::{Error, Result};

/// The maximum number of rows of a row group.
pub(super) const MAX_ROW_GROUP_ROWS: usize = 1 << 20;

/// The maximum number of rows of a page.
const MAX_PAGE_ROWS: usize = 20_000;

/// The level of zstd, at which compression is as fast as the other steps of writing. For FENs, the tenth level saves a
/// sixteenth of the bytes of a data set, and takes three times as long as all other steps.
const ZSTD_LEVEL: i32 = 3;

/// The buffer of a file.
const BUFFER_BYTES: usize = 1 << 16;

/// The maximum number of bytes and of rows of a page of [`Packing::Lengths`].
const MAX_LARGE_PAGE_BYTES: usize = 4 << 20;
const MAX_LARGE_PAGE_ROWS: usize = 80_000;

/// The encoding of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// As indexes into a dictionary. If the dictionary grows too large, the further values are encoded plainly.
    Dictionary,
    /// As differences of successive numbers.
    Delta,
    /// Plainly, one value behind the other.
    Plain,
    /// All lengths, then all texts, in large pages: for texts with long common parts that are far from each other.
    Lengths,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// The type, in the syntax of a Parquet schema.
    logical: &'static str,
    pub(super) kind: Kind,
    is_optional: bool,
    packing: Packing,
}

impl Column {
    const fn new(
        name: &'static str,
        logical: &'static str,
        kind: Kind,
        packing: Packing,
    ) -> Column {
        Column {
            name,
            logical,
            kind,
            is_optional: true,
            packing,
        }
    }

    pub(super) const fn text(name: &'static str) -> Column {
        Column::new(name, "binary {} (STRING)", Kind::Text, Packing::Dictionary)
    }

    pub(super) const fn int16(name: &'static str) -> Column {
        Column::new(
            name,
            "int32 {} (INTEGER(16,true))",
            Kind::Int,
            Packing::Dictionary,
        )
    }

    pub(super) const fn int32(name: &'static str) -> Column {
        Column::new(name, "int32 {}", Kind::Int, Packing::Dictionary)
    }

    pub(super) const fn int64(name: &'static str) -> Column {
        Column::new(name, "int64 {}", Kind::Long, Packing::Delta)
    }

    pub(super) const fn date(name: &'static str) -> Column {
        Column::new(name, "int32 {} (DATE)", Kind::Int, Packing::Dictionary)
    }

    pub(super) const fn time(name: &'static str) -> Column {
        Column::new(
            name,
            "int32 {} (TIME(MILLIS,true))",
            Kind::Int,
            Packing::Dictionary,
        )
    }

    pub(super) const fn double(name: &'static str) -> Column {
        Column::new(name, "double {}", Kind::Double, Packing::Dictionary)
    }

    pub(super) const fn map(name: &'static str) -> Column {
        let column = Column::new(name, "", Kind::Map, Packing::Dictionary);
        Column {
            is_optional: false,
            ..column
        }
    }

    /// This column as one that is never NULL.
    pub(super) const fn required(self) -> Column {
        Column {
            is_optional: false,
            ..self
        }
    }

    /// This column in another encoding.
    pub(super) const fn packed(self, packing: Packing) -> Column {
        Column { packing, ..self }
    }

    /// `true` if the values are times of day.
    pub(super) fn is_time(&self) -> bool {
        self.logical.contains("TIME")
    }

    /// The text of the column in a Parquet schema.
    fn line(&self) -> String {
        let name = self.name;
        if self.kind == Kind::Map {
            // For maps, the Parquet format prescribes the names of the groups and of their columns.
            let text = |name: &str| format!("required binary {name} (STRING);");
            let key = text("key");
            let value = text("value");
            let pair = format!("repeated group key_value {{ {key} {value} }}");
            return format!("required group {name} (MAP) {{ {pair} }}\n");
        }

        let repetition = if self.is_optional {
            "optional"
        } else {
            "required"
        };
        let column = self.logical.replace("{}", name);
        format!("{repetition} {column};\n")
    }

    /// An empty buffer for the column.
    pub(super) fn buffer(&self) -> ColumnBuffer {
        ColumnBuffer::new(self.kind, self.is_optional)
    }

    /// The paths of the column chunks: two for a map, otherwise one.
    fn paths(&self) -> Vec<ColumnPath> {
        if self.kind != Kind::Map {
            return vec![ColumnPath::from(self.name)];
        }

        let chunk_path = |leaf: &str| {
            let parts = [self.name, "key_value", leaf];
            ColumnPath::new(parts.map(str::to_owned).into())
        };
        vec![chunk_path("key"), chunk_path("value")]
    }
}

/// The schema of a table.
#[derive(Clone, Debug)]
pub(super) struct TableSchema {
    pub(super) columns: Vec<Column>,
    root: TypePtr,
    descriptor: SchemaDescPtr,
    properties: WriterPropertiesPtr,
}

/// The options of the schema of a table, beside its columns.
#[derive(Clone, Debug, Default)]
pub(super) struct SchemaOptions<'o> {
    /// The numbers of the columns by which the rows are sorted.
    pub(super) sorted_by: &'o [i32],
    /// The column that has a bloom filter.
    pub(super) bloom: Option<&'o str>,
    /// The key-value metadata of the files of the table.
    pub(super) notes: Vec<(&'o str, String)>,
}

impl TableSchema {
    /// The schema of a table with these columns.
    ///
    /// # Errors
    /// None for the columns of this crate.
    pub(super) fn new(
        columns: Vec<Column>,
        options: &SchemaOptions<'_>,
    ) -> std::result::Result<TableSchema, ParquetError> {
        let lines: String = columns.iter().map(Column::line).collect();
        let text = format!("message schema {{ {lines} }}");
        let root = Arc::new(parse_message_type(&text)?);
        let descriptor = SchemaDescriptor::new(Arc::clone(&root));
        let properties = properties(&columns, options)?;

        Ok(TableSchema {
            columns,
            root,
            descriptor: Arc::new(descriptor),
            properties: Arc::new(properties),
        })
    }

    /// An empty buffer for each column.
    pub(super) fn buffers(&self) -> Vec<ColumnBuffer> {
        self.columns.iter().map(Column::buffer).collect()
    }

    /// `true` if the table has a column with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The number of a column.
    ///
    /// # Panics
    /// If there is no column with this name.
    pub(super) fn at(&self, name: &str) -> usize {
        let number = self.columns.iter().position(|column| column.name == name);
        number.expect("the columns of a table are known by their names")
    }

    /// The column chunks of a row group.
    ///
    /// # Errors
    /// The errors of the encoder.
    pub(super) fn encode(
        &self,
        buffers: Vec<ColumnBuffer>,
    ) -> std::result::Result<Vec<EncodedColumn>, ParquetError> {
        let leaves = buffers.into_iter().flat_map(ColumnBuffer::into_leaves);
        let columns = self.descriptor.columns();
        leaves
            .zip(columns)
            .map(|(leaf, column)| leaf.encode(column, &self.properties))
            .collect()
    }
}

fn properties(
    columns: &[Column],
    options: &SchemaOptions<'_>,
) -> std::result::Result<WriterProperties, ParquetError> {
    let mut notes = Vec::with_capacity(options.notes.len());
    for (key, value) in &options.notes {
        notes.push(KeyValue::new((*key).to_owned(), value.clone()));
    }

    let mut sorting_columns = Vec::with_capacity(options.sorted_by.len());
    for &column in options.sorted_by {
        sorting_columns.push(SortingColumn {
            column_idx: column,
            descending: false,
            nulls_first: true,
        });
    }
    let sorting = if sorting_columns.is_empty() {
        None
    } else {
        Some(sorting_columns)
    };

    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("stamma ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(zstd(ZSTD_LEVEL)?)
        .set_max_row_group_row_count(Some(MAX_ROW_GROUP_ROWS))
        .set_data_page_row_count_limit(MAX_PAGE_ROWS)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_sorting_columns(sorting)
        .set_key_value_metadata(Some(notes));

    for column in columns {
        for path in column.paths() {
            builder = with_packing(builder, path, column.packing);
        }
        if options.bloom == Some(column.name) {
            let path = ColumnPath::from(column.name);
            builder = builder.set_column_bloom_filter_enabled(path, true);
        }
    }
    Ok(builder.build())
}

/// Sets the encoding of a column chunk.
fn with_packing(
    builder: WriterPropertiesBuilder,
    path: ColumnPath,
    packing: Packing,
) -> WriterPropertiesBuilder {
    let encoding = match packing {
        Packing::Dictionary => return builder.set_column_dictionary_enabled(path, true),
        Packing::Delta => Encoding::DELTA_BINARY_PACKED,
        Packing::Plain => Encoding::PLAIN,
        Packing::Lengths => Encoding::DELTA_LENGTH_BYTE_ARRAY,
    };

    // With a dictionary, the encoding set here would only be used after the dictionary has grown too large.
    let encoded = builder
        .set_column_dictionary_enabled(path.clone(), false)
        .set_column_encoding(path.clone(), encoding);
    if packing != Packing::Lengths {
        return encoded;
    }

    encoded
        .set_column_data_page_size_limit(path.clone(), MAX_LARGE_PAGE_BYTES)
        .set_column_data_page_row_count_limit(path, MAX_LARGE_PAGE_ROWS)
}

fn zstd(level: i32) -> std::result::Result<Compression, ParquetError> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(level)?))
}

/// A file with row groups of a table.
pub(super) struct TableFile {
    path: PathBuf,
    writer: SerializedFileWriter<BufWriter<File>>,
    rows: u64,
}

/// A finished file.
#[derive(Clone, Debug)]
pub(super) struct WrittenFile {
    pub(super) path: PathBuf,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// The compressed bytes of each column.
    pub(super) column_bytes: BTreeMap<String, u64>,
}

impl TableFile {
    /// Creates a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(super) fn create(path: &Path, schema: &TableSchema) -> Result<TableFile> {
        let file = File::create(path).map_err(|error| unwritten(path, error.into()))?;
        let out = BufWriter::with_capacity(BUFFER_BYTES, file);
        let root = Arc::clone(&schema.root);
        let properties = Arc::clone(&schema.properties);
        let writer = SerializedFileWriter::new(out, root, properties)
            .map_err(|error| unwritten(path, error))?;

        Ok(TableFile {
            path: path.to_owned(),
            writer,
            rows: 0,
        })
    }

    /// Writes a row group.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn append(&mut self, columns: Vec<EncodedColumn>) -> Result<()> {
        let Some(first) = columns.first() else {
            return Ok(());
        };
        self.rows += first.close.rows_written;
        let written = self.write_row_group(columns);
        written.map_err(|error| unwritten(&self.path, error))
    }

    fn write_row_group(
        &mut self,
        columns: Vec<EncodedColumn>,
    ) -> std::result::Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for EncodedColumn { bytes, close } in columns {
            group.append_column(&bytes, close)?;
        }
        group.close()?;
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(self) -> Result<WrittenFile> {
        let mut column_bytes = BTreeMap::new();
        for group in self.writer.flushed_row_groups() {
            for column in group.columns() {
                // A map has two column chunks, whose paths begin with its name.
                let name = column.column_path().parts().first().cloned();
                let bytes = column_bytes.entry(name.unwrap_or_default()).or_insert(0);
                *bytes += column.compressed_size().cast_unsigned();
            }
        }

        let path = self.path;
        let bytes = synced_bytes(self.writer).map_err(|error| unwritten(&path, error))?;
        Ok(WrittenFile {
            path,
            rows: self.rows,
            bytes,
            column_bytes,
        })
    }
}

/// Completes a file, brings it to the disk and returns its size.
fn synced_bytes(
    writer: SerializedFileWriter<BufWriter<File>>,
) -> std::result::Result<u64, ParquetError> {
    let out = writer.into_inner()?;
    let file = out.into_inner().map_err(|error| error.into_error())?;

    // The file is synced before the manifest is written, so that after a power failure no manifest lists a truncated
    // file.
    file.sync_data()?;
    let metadata = file.metadata()?;
    Ok(metadata.len())
}

/// The error for a file that cannot be written.
pub(super) fn unwritten(path: &Path, error: ParquetError) -> Error {
    let source = match error {
        ParquetError::External(error) => error,
        error => error.into(),
    };
    Error::DataSetUnwritten {
        path: path.to_owned(),
        source,
    }
}

/// The error for a file or folder that cannot be read.
pub(super) fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::DataSetUnreadable {
        path: path.to_owned(),
        source,
    }
}

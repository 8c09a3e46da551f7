//! Parquet files of three games with the columns of the Lichess sets, in the encodings that a test wants.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

type RowGroup<'w> = SerializedRowGroupWriter<'w, Vec<u8>>;
type Tags = &'static [(&'static str, &'static str)];

/// A column: its field in the schema, and its value in each of the games.
struct Column {
    field: &'static str,
    cells: Cells,
}

enum Cells {
    Texts([Option<&'static str>; 3]),
    Numbers([Option<i32>; 3]),
    Tags([Option<Tags>; 3]),
}

const fn texts(field: &'static str, cells: [Option<&'static str>; 3]) -> Column {
    Column {
        field,
        cells: Cells::Texts(cells),
    }
}

const fn numbers(field: &'static str, cells: [Option<i32>; 3]) -> Column {
    Column {
        field,
        cells: Cells::Numbers(cells),
    }
}

const TAGS: &str = "optional group tags (MAP) { repeated group key_value {
    required binary key (STRING); optional binary value (STRING); } }";
const MOVETEXT: &str = "optional binary movetext (STRING)";

const COLUMNS: [Column; 15] = [
    texts(
        "optional binary Event (STRING)",
        [Some("The \"Candidates\""), None, Some("E")],
    ),
    texts(
        "optional binary Site (STRING)",
        [Some("C:\\chess"), None, Some("S")],
    ),
    texts(
        "optional binary White (STRING)",
        [Some("Tal, Mikhail"), Some("A"), Some("C")],
    ),
    texts(
        "optional binary Black (STRING)",
        [Some("Botvinnik, Mikhail"), Some("B"), Some("D")],
    ),
    texts(
        "optional binary Result (STRING)",
        [Some("1-0"), Some("1/2-1/2"), Some("0-1")],
    ),
    numbers(
        "optional int32 WhiteElo (INTEGER(16,true))",
        [None, Some(2500), Some(1)],
    ),
    numbers(
        "optional int32 BlackElo (INTEGER(16,true))",
        [Some(2700), None, Some(2)],
    ),
    numbers(
        "optional int32 WhiteRatingDiff (INTEGER(16,true))",
        [Some(6), Some(0), None],
    ),
    numbers(
        "optional int32 BlackRatingDiff (INTEGER(16,true))",
        [None, Some(-6), None],
    ),
    numbers(
        "optional int32 UTCDate (DATE)",
        [Some(-3579), None, Some(19_782)],
    ),
    numbers(
        "optional int32 UTCTime (TIME(MILLIS,false))",
        [Some(45_296_000), None, Some(1000)],
    ),
    texts(
        "optional binary ECO (STRING)",
        [Some("C18"), None, Some("A00")],
    ),
    texts(
        "optional binary Opening (STRING)",
        [Some("French Defense"), None, Some("Grob")],
    ),
    Column {
        field: TAGS,
        cells: Cells::Tags([
            Some(&[("Annotator", "A. Müller"), ("SetUp", "0")]),
            Some(&[]),
            None,
        ]),
    },
    texts(
        MOVETEXT,
        [
            Some("1. e4 { [%clk 0:01:00] } e6 2. d4 d5 (2... c5) 3. Nc3 Bb4 $1 1-0"),
            Some("1. d4 d5 1/2-1/2"),
            Some("1. g4 e5 0-1"),
        ],
    ),
];

/// Pages with dictionaries, compressed even if that makes them longer.
pub(crate) fn compressed(compression: Compression) -> WriterPropertiesBuilder {
    let properties = WriterProperties::builder().set_compression(compression);
    properties.set_data_page_v2_compression_ratio_threshold(1000.0)
}

/// A file as DuckDB writes it.
pub(crate) fn snappy() -> Vec<u8> {
    file(compressed(Compression::SNAPPY), &[3])
}

/// Two row groups, with pages of the second version.
pub(crate) fn zstd() -> Vec<u8> {
    let level = ZstdLevel::try_new(3).expect("a level");
    let compression = Compression::ZSTD(level);
    let properties = compressed(compression);

    let second_version = properties.set_writer_version(WriterVersion::PARQUET_2_0);
    file(second_version, &[2, 1])
}

/// A file without dictionaries.
pub(crate) fn plain_gzip() -> Vec<u8> {
    let compression = Compression::GZIP(GzipLevel::default());
    let plain = compressed(compression).set_dictionary_enabled(false);
    file(plain.set_encoding(Encoding::PLAIN), &[3])
}

/// A file with each of the delta encodings, and pages of the second version.
pub(crate) fn delta_lz4() -> Vec<u8> {
    let plain = compressed(Compression::LZ4_RAW)
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::PLAIN);
    let delta = plain
        .set_column_encoding("WhiteElo".into(), Encoding::DELTA_BINARY_PACKED)
        .set_column_encoding("Event".into(), Encoding::DELTA_BYTE_ARRAY)
        .set_column_encoding("movetext".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY);
    file(delta, &[3])
}

/// A file without the column of moves.
pub(crate) fn without_movetext() -> Vec<u8> {
    let columns = COLUMNS.iter().filter(|column| column.field != MOVETEXT);
    write(columns, WriterProperties::new(), &[3])
}

/// A file that claims to be compressed with Brotli, which the library of the tests does not write.
pub(crate) fn brotli() -> Vec<u8> {
    let mut bytes = snappy();
    let original = Bytes::from(bytes.clone());
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&original);

    let mut changed = metadata.expect("metadata").into_builder();
    for group in changed.take_row_groups() {
        let mut group = group.into_builder();
        let mut columns = Vec::new();
        for column in group.take_columns() {
            let compression = Compression::BROTLI(BrotliLevel::default());
            let column = column.into_builder().set_compression(compression);
            columns.push(column.build().expect("a column"));
        }
        let group = group.set_column_metadata(columns).build();
        changed = changed.add_row_group(group.expect("a row group"));
    }

    // A reader begins at the end of the file, so the second footer counts.
    let changed_metadata = changed.build();
    let footer = ParquetMetaDataWriter::new(&mut bytes, &changed_metadata);
    footer.finish().expect("metadata");
    bytes
}

/// A file of games with these movetexts, and without tags.
pub(crate) fn of_movetexts(movetexts: [&'static str; 3]) -> Vec<u8> {
    let columns = [texts(MOVETEXT, movetexts.map(Some))];
    write(columns.iter(), WriterProperties::new(), &[3])
}

/// A file with row groups of these numbers of rows. The rows are the three games in turn.
pub(crate) fn file(properties: WriterPropertiesBuilder, groups: &[usize]) -> Vec<u8> {
    write(COLUMNS.iter(), properties.build(), groups)
}

fn write<'c>(
    columns: impl Iterator<Item = &'c Column> + Clone,
    properties: WriterProperties,
    groups: &[usize],
) -> Vec<u8> {
    let mut fields = String::new();
    for column in columns.clone() {
        fields += &format!("{};", column.field);
    }
    // A group in braces ends without a semicolon.
    let schema = format!("message games {{ {} }}", fields.replace("};", "}"));
    let schema = parse_message_type(&schema).expect("a schema");

    let writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties));
    let mut writer = writer.expect("a file");
    let mut next = 0;
    for &rows in groups {
        let mut group = writer.next_row_group().expect("a row group");
        for column in columns.clone() {
            write_column(&column.cells, next..next + rows, &mut group);
        }
        group.close().expect("a row group");
        next += rows;
    }
    writer.into_inner().expect("a file")
}

fn write_column(cells: &Cells, rows: Range<usize>, group: &mut RowGroup<'_>) {
    match cells {
        Cells::Texts(cells) => {
            let texts = rows.map(|row| cells[row % 3].map(ByteArray::from));
            write_cells::<ByteArrayType>(texts.collect(), group);
        }
        Cells::Numbers(cells) => {
            let numbers = rows.map(|row| cells[row % 3]);
            write_cells::<Int32Type>(numbers.collect(), group);
        }
        Cells::Tags(cells) => {
            let maps: Vec<Option<Tags>> = rows.map(|row| cells[row % 3]).collect();
            // A value is optional, so its level is one above the level of the name, which is required.
            write_map(&maps, 2, |tag| tag.0, group);
            write_map(&maps, 3, |tag| tag.1, group);
        }
    }
}

/// Writes an optional column, whose definition level is 1 where there is a value.
fn write_cells<T: DataType>(cells: Vec<Option<T::T>>, group: &mut RowGroup<'_>) {
    let definition: Vec<i16> = cells.iter().map(|cell| cell.is_some().into()).collect();
    let values: Vec<T::T> = cells.into_iter().flatten().collect();
    write_leaf::<T>(&values, &definition, None, group);
}

/// Writes the names or the values of maps, whose definition level is `present`: 0 is no map, 1 an empty one.
fn write_map(
    maps: &[Option<Tags>],
    present: i16,
    part: impl Fn(&(&'static str, &'static str)) -> &'static str,
    group: &mut RowGroup<'_>,
) {
    let mut values = Vec::new();
    let mut definition = Vec::new();
    let mut repetition = Vec::new();
    for map in maps {
        let tags = map.unwrap_or_default();
        for tag in tags {
            values.push(ByteArray::from(part(tag)));
        }

        let level = if tags.is_empty() {
            i16::from(map.is_some())
        } else {
            present
        };
        // A map without tags has one pair of levels, too. Repetition level 0 begins a map.
        for entry in 0..tags.len().max(1) {
            definition.push(level);
            repetition.push(i16::from(entry > 0));
        }
    }
    write_leaf::<ByteArrayType>(&values, &definition, Some(&repetition), group);
}

fn write_leaf<T: DataType>(
    values: &[T::T],
    definition: &[i16],
    repetition: Option<&[i16]>,
    group: &mut RowGroup<'_>,
) {
    let column = group.next_column().expect("a column");
    let mut column = column.expect("a field of the schema");
    column
        .typed::<T>()
        .write_batch(values, Some(definition), repetition)
        .expect("values of the column");
    column.close().expect("a column");
}

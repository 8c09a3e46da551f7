//! Reads Parquet files with a game per row, written by Stamma or with the columns of the Lichess sets, and Parquet
//! files with an evaluation per row.
//!
//! Rows become text, which is then read like any other source: games become PGN, and evaluations become lines of JSON.
//! `layout` and `evaluation_layout` find the columns, `column` reads values in batches, `cell` converts values to texts
//! of tags, and `rows` joins the values of a row. `random_access` supplies the bytes of the file to the library.
//! `schema_shape`, `pages` and `page_header` limit the memory of the library; they parse metadata with `thrift`.
//! `damage` catches panics of the library.

mod cell;
mod column;
mod damage;
mod evaluation_layout;
mod layout;
mod page_header;
mod pages;
#[cfg(test)]
#[path = "../../../tests/support/parquet_games.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod parquet_games;
mod random_access;
mod rows;
mod schema_shape;
mod thrift;

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::serialized_reader::SerializedFileReader;

use super::content::{Counted, RowKind};
use super::unpack::{Packed, Unpacker, Walk};
use crate::error::Error;
use damage::{guarded, sentence};
use random_access::RandomAccess;
use rows::RowText;
use schema_shape::check_schema;

/// The number of bytes behind the metadata of a file.
const END_BYTES: u64 = 8;
/// The estimated memory for each byte of metadata. A column without statistics has about twenty bytes in the file.
const METADATA_GROWTH: u64 = 16;
/// The bytes at the end of a file whose schema is encrypted; other files have `PAR1`.
const ENCRYPTED: &[u8; 4] = b"PARE";

impl Unpacker {
    /// Passes on the rows of a Parquet file as text. A file from a stream is first copied to the disk, because its
    /// metadata is at its end.
    pub(super) fn parquet(&self, mut packed: Packed<'_>) -> Walk {
        let file = self.seekable(&mut packed)?;
        let opened = open(file, packed.rows, packed.window_bytes);

        match opened {
            Ok(text) => {
                let rows = Packed {
                    bytes: Box::new(text),
                    size: None,
                    ..packed
                };
                self.pass_on_text(rows, true)
            }
            Err(OpenError::Io(error)) => self.fail(Error::stream(&packed.name, 0, error)),
            Err(OpenError::Unreadable(reason)) => self.refuse(Error::UnreadableParquet {
                name: packed.name,
                reason,
            }),
        }
    }
}

/// The reason why a file cannot be read at all.
enum OpenError {
    /// The file or its metadata cannot be read, or the metadata takes too much memory.
    Io(io::Error),
    /// The content cannot be read, for the reason in this sentence.
    Unreadable(String),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> OpenError {
        OpenError::Io(error)
    }
}

/// Opens a file. `page_bytes` is the maximum memory of its pages.
fn open(mut file: Counted<File>, rows: RowKind, page_bytes: u64) -> Result<RowText, OpenError> {
    if ends_with(&mut file, ENCRYPTED)? {
        return Err(OpenError::Unreadable("it is encrypted".to_owned()));
    }

    // The library reads the schema by recursion, so its depth is checked first.
    if let Some(footer) = footer(&mut file, page_bytes)? {
        check_schema(&footer).map_err(|error| damaged(&error))?;
    }

    let random_access = RandomAccess::new(file);
    let opened = guarded(|| SerializedFileReader::new(random_access.clone()));
    let reader = opened.map_err(|error| damaged(&sentence(&error)))?;
    RowText::new(reader, random_access, rows, page_bytes).map_err(OpenError::Unreadable)
}

fn damaged(why: &impl Display) -> OpenError {
    OpenError::Unreadable(format!("it is damaged or cut short ({why})"))
}

/// The metadata at the end of a file. `None` if the file has no metadata: then the library reports the error.
///
/// # Errors
/// If the file cannot be read, or its metadata may need more memory than `page_bytes`.
fn footer(file: &mut Counted<File>, page_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let file_bytes = file.seek(SeekFrom::End(0))?;
    let Some(before_end) = file_bytes.checked_sub(END_BYTES) else {
        return Ok(None);
    };

    // The length of the metadata, and the name of the format.
    let mut end = [0; END_BYTES as usize];
    file.seek(SeekFrom::Start(before_end))?;
    file.read_exact(&mut end)?;
    let [a, b, c, d, ..] = end;
    let bytes = u64::from(u32::from_le_bytes([a, b, c, d]));
    let Some(start) = before_end.checked_sub(bytes) else {
        return Ok(None);
    };

    let metadata_memory = bytes.saturating_mul(METADATA_GROWTH);
    if metadata_memory > page_bytes {
        return Err(io::ErrorKind::OutOfMemory.into());
    }

    let mut footer = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(bytes).read_to_end(&mut footer)?;
    Ok(Some(footer))
}

/// Returns `true` if a file ends with four bytes.
fn ends_with(file: &mut Counted<File>, magic: &[u8; 4]) -> io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = [0; 4];
    if length >= 4 {
        file.seek(SeekFrom::End(-4))?;
        file.read_exact(&mut end)?;
    }
    Ok(&end == magic)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Arc;

    use parquet::basic::{Compression, Encoding, ZstdLevel};
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::super::content::Consumed;
    use super::*;

    /// The text of a file, if it can be read to its end.
    fn text(bytes: &[u8]) -> Option<Vec<u8>> {
        read_within(bytes, 100 << 20).ok()
    }

    /// Reads a file, whose pages take at most `page_bytes` of memory.
    fn read_within(bytes: &[u8], page_bytes: u64) -> io::Result<Vec<u8>> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("space");
        let file = Counted(file, Consumed::default());
        let opened = open(file, RowKind::Games, page_bytes);
        let mut games = opened.map_err(|_| io::Error::other("it cannot be opened"))?;

        let mut text = Vec::new();
        games.read_to_end(&mut text)?;
        Ok(text)
    }

    /// The number of games in a text, each of which begins with `1. e4`.
    fn count_games(text: &[u8]) -> usize {
        let first_move = b"1. e4 ";
        text.windows(first_move.len())
            .filter(|window| window == first_move)
            .count()
    }

    fn packed() -> WriterPropertiesBuilder {
        let zstd = Compression::ZSTD(ZstdLevel::try_new(3).expect("a level"));
        WriterProperties::builder().set_compression(zstd)
    }

    /// A file of games with these movetexts, in a single page unless the properties limit its size.
    fn of_movetexts(movetexts: &[String], properties: WriterPropertiesBuilder) -> Vec<u8> {
        let message = "message games { required binary movetext (STRING); }";
        let schema = Arc::new(parse_message_type(message).expect("a schema"));
        let one_page = properties.set_dictionary_page_size_limit(1 << 30).build();
        let mut writer =
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(one_page)).expect("a file");

        let mut group = writer.next_row_group().expect("a row group");
        let mut column = group.next_column().expect("a column").expect("movetext");
        let texts: Vec<ByteArray> = movetexts.iter().map(|text| text.as_str().into()).collect();
        column
            .typed::<ByteArrayType>()
            .write_batch(&texts, None, None)
            .expect("values");

        column.close().expect("a column");
        group.close().expect("a row group");
        writer.into_inner().expect("a file")
    }

    /// A file whose only game has a map of many equal entries.
    fn of_tags(entries: usize, value: &str) -> Vec<u8> {
        let message = "message games { optional group tags (MAP) { repeated group key_value {
            required binary key (STRING); required binary value (STRING); } }
            required binary movetext (STRING); }";
        let schema = Arc::new(parse_message_type(message).expect("a schema"));
        let properties = Arc::new(packed().build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("a file");
        let mut group = writer.next_row_group().expect("a row group");

        // The first entry begins the row, the others belong to it.
        let levels: Vec<i16> = (0..entries).map(|entry| i16::from(entry > 0)).collect();
        for text in ["A", value] {
            let mut column = group.next_column().expect("a column").expect("a list");
            let texts = vec![ByteArray::from(text); entries];
            let writer = column.typed::<ByteArrayType>();
            writer
                .write_batch(&texts, Some(&vec![2; entries]), Some(&levels))
                .expect("values");
            column.close().expect("a column");
        }

        let mut column = group.next_column().expect("a column").expect("movetext");
        column
            .typed::<ByteArrayType>()
            .write_batch(&["1. e4 *".into()], None, None)
            .expect("a value");
        column.close().expect("a column");
        group.close().expect("a row group");
        writer.into_inner().expect("a file")
    }

    macro_rules! takes {
        ($($name:ident: $bytes:expr, $too_little:expr, $enough:expr => $games:expr;)*) => {$(
            #[test]
            fn $name() {
                let bytes = $bytes;
                assert!(bytes.len() < 100_000, "a bomb is small, but this has {} bytes", bytes.len());

                let refused = read_within(&bytes, $too_little).expect_err("too little memory");
                assert_eq!(refused.kind(), io::ErrorKind::OutOfMemory, "{refused}");

                let text = read_within(&bytes, $enough).expect("enough memory");
                assert_eq!(count_games(&text), $games);
            }
        )*};
    }

    /// A movetext of a megabyte.
    fn long() -> String {
        format!("1. e4 {{{}}} *", " ".repeat(1 << 20))
    }

    takes! {
        a_page_that_is_large_when_unpacked:
            of_movetexts(&[long()], packed().set_dictionary_enabled(false)), 1 << 20, 3 << 20 => 1;
        a_page_of_many_texts:
            of_movetexts(&vec![long(); 20], packed().set_dictionary_enabled(false).set_data_page_size_limit(1 << 30)),
            8 << 20, 40 << 20 => 20;
        a_dictionary: of_movetexts(&vec![long(); 20], packed()), 1 << 20, 3 << 20 => 20;
        texts_that_repeat_the_text_before:
            of_movetexts(
                &vec![long(); 20],
                packed()
                    .set_writer_version(WriterVersion::PARQUET_2_0)
                    .set_dictionary_enabled(false)
                    .set_encoding(Encoding::DELTA_BYTE_ARRAY),
            ),
            3 << 20, 100 << 20 => 20;
        entries_of_a_map: of_tags(100_000, "x"), 1 << 20, 30 << 20 => 1;
        entries_of_a_map_with_a_long_text: of_tags(1000, &"x".repeat(100_000)), 3 << 20, 200 << 20 => 1;
    }

    #[test]
    fn a_file_of_many_pages_takes_the_memory_of_a_few() {
        let texts: Vec<String> = (0..200)
            .map(|number| format!("1. e4 {{{number:60000}}} *"))
            .collect();
        let pages = packed()
            .set_dictionary_enabled(false)
            .set_data_page_row_count_limit(10)
            .set_write_batch_size(10);
        let bytes = of_movetexts(&texts, pages);

        let text = read_within(&bytes, 8 << 20).expect("the pages of a batch");

        assert_eq!(count_games(&text), 200);
    }

    #[test]
    fn a_file_does_not_have_more_games_than_its_bytes_could_have() {
        let bytes = of_repeated(2_000_000);
        assert!(bytes.len() < 1000, "the games take {} bytes", bytes.len());
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&bytes).expect("space");

        let refused = open(Counted(file, Consumed::default()), RowKind::Games, 1 << 30);

        let Err(OpenError::Unreadable(why)) = refused else {
            panic!("a bomb is opened");
        };
        let promised = format!("it promises 2000000 games in {} bytes", bytes.len());
        assert_eq!(why, promised);

        let few_games = text(&of_repeated(1000)).expect("games");
        let game_bytes = "\n1. e4 *\n\n".len();
        assert_eq!(few_games.len(), 1000 * game_bytes);
    }

    /// A file of equal games in one page, as no writer makes it.
    fn of_repeated(rows: usize) -> Vec<u8> {
        let properties = packed()
            .set_data_page_row_count_limit(rows)
            .set_data_page_size_limit(1 << 30)
            .set_write_batch_size(rows);
        of_movetexts(&vec!["1. e4 *".to_owned(); rows], properties)
    }

    #[test]
    fn metadata_takes_a_part_of_the_memory() {
        let bytes = of_movetexts(&["1. e4 *".to_owned()], packed());

        let refused = read_within(&bytes, 1000).expect_err("too little memory");
        assert_eq!(refused.to_string(), "it cannot be opened");

        assert!(read_within(&bytes, 1 << 20).is_ok());
    }

    #[test]
    fn a_schema_of_many_levels_is_damage() {
        // A version, and a list of 10,001 elements: groups of one element each, and a column at the end.
        let group = [0x35, 0, 0x18, 1, b'm', 0x15, 2, 0];
        let column = [0x15, 12, 0x25, 0, 0x18, 1, b'c', 0];
        let mut footer = vec![0x15, 2, 0x19, 0xfc, 0x91, 0x4e];
        footer.extend(group.repeat(10_000));
        footer.extend(column);
        footer.extend([0x16, 0, 0x19, 0x0c, 0]);
        let length = u32::try_from(footer.len()).expect("a short footer");
        let bytes = [b"PAR1", &footer[..], &length.to_le_bytes(), b"PAR1"].concat();
        assert_eq!(text(&bytes), None);
    }

    #[test]
    fn no_part_of_a_file_is_taken_for_all_of_it() {
        let bytes = parquet_games::delta_lz4();
        assert!(text(&bytes).is_some_and(|text| text.ends_with(b"1. g4 e5 0-1\n\n")));
        for end in (0..bytes.len()).step_by(7) {
            assert_eq!(text(&bytes[..end]), None, "{end} of {}", bytes.len());
        }
    }

    #[test]
    fn damage_ends_the_reading_or_changes_text() {
        let files = [
            parquet_games::delta_lz4(),
            parquet_games::plain_gzip(),
            parquet_games::snappy(),
        ];
        let mut readable = 0;

        for bytes in files {
            for at in 4..bytes.len() - 8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                readable += usize::from(text(&damaged).is_some());
            }
        }

        assert!(readable > 0, "names and statistics are not games");
    }
}

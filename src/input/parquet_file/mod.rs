//! Reads Parquet files with a game per row: those of a data set, and of others with the columns of the Lichess sets.
//!
//! Rows become PGN text, so that everything else reads them like any source. `layout` finds the columns, `cell` writes
//! values as tags have them, `column` reads values in batches, and `rows` makes games of them. `random_access` gives the
//! library the bytes, `pages` and `page_header` keep its memory within a limit, and `damage` keeps its panics from going
//! further.

mod cell;
mod column;
mod damage;
mod layout;
mod page_header;
mod pages;
#[cfg(test)]
#[path = "../../../tests/support/parquet_games.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod parquet_games;
mod random_access;
mod rows;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::serialized_reader::SerializedFileReader;

use super::content::{Consumed, Counted};
use super::spool::in_a_file;
use super::unpack::{Packed, Unpacker, Walk};
use crate::error::Error;
use damage::{guarded, sentence};
use random_access::RandomAccess;
use rows::GameText;

/// The bytes at the end of a file whose schema is encrypted; others have `PAR1`.
const ENCRYPTED: &[u8; 4] = b"PARE";

impl Unpacker {
    /// Passes on the games of a Parquet file, which is copied to a file of its own if it is not one.
    pub(super) fn parquet(&self, mut packed: Packed<'_>) -> Walk {
        let file = match packed.file.take() {
            Some(file) => file,
            None => match in_a_file(&mut packed.bytes, self.limits.disk_bytes) {
                Ok(Some(file)) => Counted(file, Consumed::default()),
                Ok(None) => {
                    let bytes = self.limits.disk_bytes;
                    return self.fail(Error::TooMuchToUnpack { name: packed.name, bytes });
                }
                Err(error) => return self.fail(Error::stream(&packed.name, 0, error)),
            },
        };
        match open(file, packed.window_bytes) {
            Ok(text) => self.hand_on(Packed { bytes: Box::new(text), size: None, ..packed }),
            Err(OpenError::Io(error)) => self.fail(Error::stream(&packed.name, 0, error)),
            Err(OpenError::Unreadable(reason)) => {
                self.refuse(Error::UnreadableParquet { name: packed.name, reason })
            }
        }
    }
}

/// The reason why a file cannot be read at all.
enum OpenError {
    /// The system refuses.
    Io(io::Error),
    /// The file is not as it should be.
    Unreadable(String),
}

/// Opens a file, whose pages take at most `page_bytes` of memory.
fn open(mut file: Counted<File>, page_bytes: u64) -> Result<GameText, OpenError> {
    if ends_with(&mut file, ENCRYPTED).map_err(OpenError::Io)? {
        return Err(OpenError::Unreadable("it is encrypted".to_owned()));
    }
    let file = RandomAccess::new(file);
    let reader = guarded(|| SerializedFileReader::new(file.clone()));
    let reader = reader.map_err(|error| {
        OpenError::Unreadable(format!("it is damaged or cut short ({})", sentence(&error)))
    })?;
    GameText::new(reader, file, page_bytes).map_err(OpenError::Unreadable)
}

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

    use super::*;

    /// The text of a file, if it can be read to its end.
    fn text(bytes: &[u8]) -> Option<Vec<u8>> {
        read_within(bytes, 100 << 20).ok()
    }

    /// Reads a file, whose pages take at most `page_bytes` of memory.
    fn read_within(bytes: &[u8], page_bytes: u64) -> io::Result<Vec<u8>> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("space");
        let opened = open(Counted(file, Consumed::default()), page_bytes);
        let mut games = opened.map_err(|_| io::Error::other("it cannot be opened"))?;
        let mut text = Vec::new();
        games.read_to_end(&mut text)?;
        Ok(text)
    }

    fn packed() -> WriterPropertiesBuilder {
        let zstd = Compression::ZSTD(ZstdLevel::try_new(3).expect("a level"));
        WriterProperties::builder().set_compression(zstd)
    }

    /// A file of games with these movetexts, in a single page if nothing else is said.
    fn of_movetexts(movetexts: &[String], properties: WriterPropertiesBuilder) -> Vec<u8> {
        let schema = "message games { required binary movetext (STRING); }";
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let properties = properties.set_dictionary_page_size_limit(1 << 30).build();
        let mut writer =
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("a file");
        let mut group = writer.next_row_group().expect("a row group");
        let mut column = group.next_column().expect("a column").expect("movetext");
        let texts: Vec<ByteArray> = movetexts.iter().map(|text| text.as_str().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).expect("values");
        column.close().expect("a column");
        group.close().expect("a row group");
        writer.into_inner().expect("a file")
    }

    /// A file whose only game has a map of many entries, which are the same.
    fn of_tags(entries: usize, value: &str) -> Vec<u8> {
        let schema = "message games { optional group tags (MAP) { repeated group key_value {
            required binary key (STRING); required binary value (STRING); } }
            required binary movetext (STRING); }";
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let properties = Arc::new(packed().build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("a file");
        let mut group = writer.next_row_group().expect("a row group");
        let levels: Vec<i16> = (0..entries).map(|entry| i16::from(entry > 0)).collect();
        for text in ["A", value] {
            let mut column = group.next_column().expect("a column").expect("a list");
            let texts = vec![ByteArray::from(text); entries];
            let writer = column.typed::<ByteArrayType>();
            writer.write_batch(&texts, Some(&vec![2; entries]), Some(&levels)).expect("values");
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
                assert_eq!(text.windows(6).filter(|window| window == b"1. e4 ").count(), $games);
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
        let texts: Vec<String> =
            (0..200).map(|number| format!("1. e4 {{{number:60000}}} *")).collect();
        let pages = packed()
            .set_dictionary_enabled(false)
            .set_data_page_row_count_limit(10)
            .set_write_batch_size(10);
        let bytes = of_movetexts(&texts, pages);
        let text = read_within(&bytes, 8 << 20).expect("the pages of a batch");
        assert_eq!(text.windows(6).filter(|window| window == b"1. e4 ").count(), 200);
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
        let mut read = 0;
        for bytes in
            [parquet_games::delta_lz4(), parquet_games::plain_gzip(), parquet_games::snappy()]
        {
            for at in 4..bytes.len() - 8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                read += usize::from(text(&damaged).is_some());
            }
        }
        assert!(read > 0, "names and statistics are not games");
    }
}

//! The rows of a file as text: games as PGN, evaluations as lines of JSON.

use std::io::{self, Read};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::reader::get_column_reader;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, Length};
use parquet::file::serialized_reader::SerializedFileReader;

use super::cell::{Value, write_value};
use super::column::Column;
use super::damage::{guarded, sentence};
use super::evaluation_layout::EvaluationLayout;
use super::layout::Layout;
use super::pages::{BATCH_ROWS, BoundedPages, PageMemory, too_much_memory};
use super::random_access::RandomAccess;
use crate::input::content::RowKind;

/// The text of games that is written at once, and a game more.
const TEXT_BYTES: usize = 1 << 20;
/// The maximum number of rows in a file of any size, and the number for each of its bytes. Rows that are equal take no
/// bytes, but writers begin a page after 20,000 rows or a row group after a million.
const MAX_EQUAL_ROWS: u64 = 1 << 20;
const MAX_ROWS_PER_BYTE: u64 = 100;

/// The rows of a file as a stream of text.
pub(super) struct RowText {
    reader: SerializedFileReader<RandomAccess>,
    /// The same file, for its pages.
    file: Arc<RandomAccess>,
    /// The memory that pages may take, and the text of one game.
    memory: Arc<PageMemory>,
    layout: RowLayout,
    /// The number of the next row group.
    next_group: usize,
    group: Option<RowGroup>,
    /// The text of a batch, and how much of it has been read.
    text: Vec<u8>,
    taken: usize,
    is_broken: bool,
}

/// The columns of a file, by what its rows are.
enum RowLayout {
    Games(Layout),
    Evaluations(EvaluationLayout),
}

impl RowLayout {
    /// The columns to read, in the order in which a row is written from them.
    fn columns(&self) -> Vec<usize> {
        match self {
            RowLayout::Games(layout) => layout.columns().collect(),
            RowLayout::Evaluations(layout) => layout.columns().collect(),
        }
    }

    /// What rows are, for a message.
    fn rows_name(&self) -> &'static str {
        match self {
            RowLayout::Games(_) => "games",
            RowLayout::Evaluations(_) => "evaluations",
        }
    }
}

/// A row group being read.
struct RowGroup {
    /// In the order of [`RowLayout::columns`].
    columns: Vec<Column>,
    rows_left: u64,
    /// The number of rows that have been read and not been written.
    rows_read: usize,
}

impl RowText {
    /// Starts before the first row.
    ///
    /// # Errors
    /// A sentence on why the file has no such rows that can be read.
    pub(super) fn new(
        reader: SerializedFileReader<RandomAccess>,
        file: RandomAccess,
        kind: RowKind,
        page_bytes: u64,
    ) -> std::result::Result<RowText, String> {
        let schema = reader.metadata().file_metadata().schema_descr();
        let layout = match kind {
            RowKind::Games => RowLayout::Games(Layout::of(schema)?),
            RowKind::Evaluations => RowLayout::Evaluations(EvaluationLayout::of(schema)?),
        };
        check_compression(reader.metadata(), &layout)?;
        check_rows(reader.metadata(), file.len(), layout.rows_name())?;
        Ok(RowText {
            reader,
            file: Arc::new(file),
            memory: PageMemory::new(page_bytes),
            layout,
            next_group: 0,
            group: None,
            text: Vec::new(),
            taken: 0,
            is_broken: false,
        })
    }

    /// Replaces the text by that of the next rows, which is empty at the end only.
    fn next_batch(&mut self) -> Result<()> {
        self.text.clear();
        self.taken = 0;
        while self.text.is_empty() {
            if self.group.is_none() {
                self.group = self.open_group()?;
            }
            let Some(group) = &mut self.group else { break };
            group.read_rows()?;
            while group.rows_read > 0 && self.text.len() < TEXT_BYTES {
                let (columns, text) = (&mut group.columns, &mut self.text);
                match &self.layout {
                    RowLayout::Games(layout) => {
                        write_game(layout, columns, self.memory.limit(), text)?;
                    }
                    RowLayout::Evaluations(layout) => layout.write_row(columns, text),
                }
                group.rows_read -= 1;
            }
            if group.rows_left == 0 && group.rows_read == 0 {
                self.group = None;
            }
        }
        Ok(())
    }

    /// The next row group that has rows.
    fn open_group(&mut self) -> Result<Option<RowGroup>> {
        while self.next_group < self.reader.num_row_groups() {
            let number = self.next_group;
            self.next_group += 1;
            let RowText {
                reader,
                file,
                memory,
                layout,
                ..
            } = self;
            let group = guarded(|| RowGroup::open(reader, number, layout, file, memory))?;
            if group.rows_left > 0 {
                return Ok(Some(group));
            }
        }
        Ok(None)
    }
}

/// Checks that a file does not promise more rows than its bytes could have, since a few bytes can repeat a row without end.
fn check_rows(
    metadata: &ParquetMetaData,
    file_bytes: u64,
    rows_name: &str,
) -> std::result::Result<(), String> {
    let groups = metadata.row_groups().iter();
    let rows = groups
        .map(|group| u64::try_from(group.num_rows()).unwrap_or_default())
        .fold(0, u64::saturating_add);

    let most = MAX_EQUAL_ROWS.saturating_add(file_bytes.saturating_mul(MAX_ROWS_PER_BYTE));
    if rows > most {
        return Err(format!(
            "it promises {rows} {rows_name} in {file_bytes} bytes"
        ));
    }
    Ok(())
}

/// Checks that all columns that are read can be unpacked.
fn check_compression(
    metadata: &ParquetMetaData,
    layout: &RowLayout,
) -> std::result::Result<(), String> {
    for group in metadata.row_groups() {
        let columns = layout.columns().into_iter();
        for column in columns.filter_map(|column| group.columns().get(column)) {
            if let kind @ (Compression::BROTLI(_) | Compression::LZO) = column.compression() {
                let (name, kind) = (column.column_descr().name(), kind.to_string());
                let kind = kind.split('(').next().unwrap_or_default().to_owned();
                return Err(format!(
                    "its column {name} is compressed with {kind}; write it with ZSTD"
                ));
            }
        }
    }
    Ok(())
}

impl RowGroup {
    fn open(
        reader: &SerializedFileReader<RandomAccess>,
        number: usize,
        layout: &RowLayout,
        file: &Arc<RandomAccess>,
        memory: &Arc<PageMemory>,
    ) -> Result<RowGroup> {
        let group = reader.metadata().row_group(number);
        let schema = group.schema_descr();
        let rows = u64::try_from(group.num_rows())
            .map_err(|_| ParquetError::General("a number of rows is negative".to_owned()))?;

        let columns = layout.columns().into_iter().map(|column| {
            let (descriptor, chunk) = (schema.column(column), group.column(column));
            let (pages, held) = BoundedPages::new(file, chunk, rows as usize, memory)?;
            let max_def = descriptor.max_def_level();
            Ok(Column::new(
                get_column_reader(descriptor, Box::new(pages)),
                held,
                max_def,
            ))
        });
        Ok(RowGroup {
            columns: columns.collect::<Result<_>>()?,
            rows_left: rows,
            rows_read: 0,
        })
    }

    /// Reads rows if all that were read are written.
    fn read_rows(&mut self) -> Result<()> {
        if self.rows_read > 0 {
            return Ok(());
        }
        let rows = self.rows_left.min(BATCH_ROWS as u64);
        for column in &mut self.columns {
            column.read(rows as usize)?;
        }
        self.rows_left -= rows;
        self.rows_read = rows as usize;
        Ok(())
    }
}

impl Read for RowText {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() && !self.is_broken {
            self.next_batch().map_err(|error| {
                self.is_broken = true;
                self.text.clear();
                read_error(error)
            })?;
        }
        let read = (&self.text[self.taken.min(self.text.len())..]).read(out)?;
        self.taken += read;
        Ok(read)
    }
}

/// The system's error in an error of the library, or one of damage.
fn read_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::new(io::ErrorKind::InvalidData, other),
        },
        error => io::Error::new(io::ErrorKind::InvalidData, sentence(&error)),
    }
}

/// Appends the game of the next row of all columns.
///
/// # Errors
/// If the tags of its map take more bytes than `most_bytes`.
fn write_game(
    layout: &Layout,
    columns: &mut [Column],
    most_bytes: u64,
    out: &mut Vec<u8>,
) -> Result<()> {
    let (tags, others) = columns.split_at_mut(layout.tags.len());
    let (mut result, mut further) = (None, Vec::new());
    if let [names, values, _] = others {
        write_map(names, values, most_bytes, &mut further)?;
    }
    for (index, (column, tag)) in tags.iter_mut().zip(&layout.tags).enumerate() {
        let Some(value) = column.next() else { continue };
        if Some(index) == layout.result
            && let Value::Text(text) = value
        {
            result = TERMINATIONS.iter().copied().find(|known| *known == text);
        }
        // The map has a tag with a column if the column could not hold its value as written.
        if has_tag(&further, tag.name.as_bytes()) {
            continue;
        }
        if tag.name == "FEN" && !layout.can_have_set_up() {
            out.extend_from_slice(SET_UP);
        }
        begin_tag(tag.name.as_bytes(), out);
        let start = out.len();
        write_value(value, tag.form, out);
        end_tag(start, out);
    }
    out.extend_from_slice(&further);
    out.push(b'\n');
    if let Some(Value::Text(movetext)) = others.last_mut().and_then(Column::next) {
        write_movetext(movetext, result, out);
    } else {
        out.extend_from_slice(result.unwrap_or(UNKNOWN));
    }
    out.extend_from_slice(b"\n\n");
    Ok(())
}

/// Appends the entries of the map of the next row.
///
/// # Errors
/// If they take more than `most_bytes`: a dictionary has a long text once for any number of entries.
fn write_map(
    names: &mut Column,
    values: &mut Column,
    most_bytes: u64,
    out: &mut Vec<u8>,
) -> Result<()> {
    loop {
        if out.len() as u64 > most_bytes {
            return Err(too_much_memory());
        }
        if let (Some(Value::Text(name)), Some(Value::Text(value))) = (names.next(), values.next()) {
            let line = |&byte: &u8| {
                if matches!(byte, b'\n' | b'\r') {
                    b' '
                } else {
                    byte
                }
            };
            begin_tag(&name.iter().map(line).collect::<Vec<u8>>(), out);
            let start = out.len();
            out.extend_from_slice(value);
            end_tag(start, out);
        }
        if !names.has_more() {
            return Ok(());
        }
    }
}

/// Whether tag pairs, one on a line, have a tag.
fn has_tag(pairs: &[u8], name: &[u8]) -> bool {
    let is_name = |line: &[u8]| {
        let rest = line
            .strip_prefix(b"[")
            .and_then(|line| line.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with(b" \""))
    };
    pairs.split(|&byte| byte == b'\n').any(is_name)
}

fn begin_tag(name: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
}

/// Ends a tag pair whose value begins at `start`: escapes it (PGN §7), and puts it on one line.
fn end_tag(start: usize, out: &mut Vec<u8>) {
    if out[start..]
        .iter()
        .any(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))
    {
        for byte in out.split_off(start) {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
                b'\n' | b'\r' => out.push(b' '),
                _ => out.push(byte),
            }
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// The tag that a start position must have beside it (PGN §9.7.1). The Lichess sets have no column for it.
const SET_UP: &[u8] = b"[SetUp \"1\"]\n";

/// The game termination markers (PGN §8.2.6).
const TERMINATIONS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", UNKNOWN];
const UNKNOWN: &[u8] = b"*";

/// Appends movetext, with a game termination marker in any case: without, the next row would be part of this game.
fn write_movetext(movetext: &[u8], result: Option<&[u8]>, out: &mut Vec<u8>) {
    let movetext = movetext.trim_ascii();
    out.extend_from_slice(movetext);
    let is_ended = TERMINATIONS.iter().any(|marker| {
        let before = movetext.strip_suffix(*marker);
        before.is_some_and(|before| before.last().is_none_or(|byte| b" \n\t)}".contains(byte)))
    });
    if !is_ended {
        out.extend_from_slice(if movetext.is_empty() { b"" } else { b" " });
        out.extend_from_slice(result.unwrap_or(UNKNOWN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(value: &str) -> String {
        let mut out = Vec::new();
        begin_tag(b"Event", &mut out);
        let start = out.len();
        out.extend_from_slice(value.as_bytes());
        end_tag(start, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn values_are_escaped() {
        assert_eq!(
            tag(r#"The "Candidates" \ 1950"#),
            "[Event \"The \\\"Candidates\\\" \\\\ 1950\"]\n"
        );
        assert_eq!(tag("two\nlines"), "[Event \"two lines\"]\n");
    }

    macro_rules! ends {
        ($($name:ident: $movetext:expr, $result:expr => $text:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut out = Vec::new();
                write_movetext($movetext.as_bytes(), $result, &mut out);
                assert_eq!(String::from_utf8(out).expect("UTF-8"), $text);
            }
        )*};
    }

    ends! {
        with_a_marker: "1. e4 e5 1-0", Some(b"0-1".as_slice()) => "1. e4 e5 1-0";
        a_marker_behind_a_comment: "1. e4 {good}*", None => "1. e4 {good}*";
        without_a_marker: "1. e4 e5", Some(b"0-1".as_slice()) => "1. e4 e5 0-1";
        without_a_result: "1. e4 e5", None => "1. e4 e5 *";
        no_move: "", None => "*";
        a_glyph: "1. e4 $1", None => "1. e4 $1 *";
        part_of_a_word: "1. e4 11-0", None => "1. e4 11-0 *";
    }
}

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

/// The size of a batch of text; the last game of a batch may exceed it.
const TEXT_BYTES: usize = 1 << 20;
/// The maximum number of rows of a file: a constant, plus a number for each byte of the file. Equal rows need no
/// further bytes, but writers begin a new page after 20,000 rows or a new row group after a million rows.
const MAX_EQUAL_ROWS: u64 = 1 << 20;
const MAX_ROWS_PER_BYTE: u64 = 100;

/// The rows of a file as a stream of text.
pub(super) struct RowText {
    reader: SerializedFileReader<RandomAccess>,
    /// The file, from which pages are read.
    file: Arc<RandomAccess>,
    /// The memory for pages; its limit is also the limit for the tags of one game.
    memory: Arc<PageMemory>,
    layout: RowLayout,
    /// The number of the next row group.
    next_group: usize,
    group: Option<RowGroup>,
    /// The text of a batch.
    text: Vec<u8>,
    /// The number of bytes of `text` that have been read.
    read_bytes: usize,
    is_broken: bool,
}

/// The columns of a file of games or of evaluations.
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

    /// The noun for rows in a message.
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
    /// The number of rows that have been read and not been written yet.
    unwritten_rows: usize,
}

impl RowText {
    /// Starts before the first row.
    ///
    /// # Errors
    /// A sentence with the reason why rows of this kind cannot be read from the file.
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
            read_bytes: 0,
            is_broken: false,
        })
    }

    /// Replaces the text by the text of the next rows; leaves it empty at the end of the file.
    fn next_batch(&mut self) -> Result<()> {
        self.text.clear();
        self.read_bytes = 0;

        while self.text.is_empty() {
            if self.group.is_none() {
                self.group = self.open_group()?;
            }
            let Some(group) = &mut self.group else { break };
            group.read_rows()?;

            while group.unwritten_rows > 0 && self.text.len() < TEXT_BYTES {
                let columns = &mut group.columns;
                let text = &mut self.text;
                match &self.layout {
                    RowLayout::Games(layout) => {
                        write_game(layout, columns, self.memory.limit(), text)?;
                    }
                    RowLayout::Evaluations(layout) => layout.write_row(columns, text),
                }
                group.unwritten_rows -= 1;
            }

            // Dropped columns release the memory of their pages.
            if group.rows_left == 0 && group.unwritten_rows == 0 {
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

/// Checks that the number of rows in the metadata is plausible for the size of the file.
fn check_rows(
    metadata: &ParquetMetaData,
    file_bytes: u64,
    rows_name: &str,
) -> std::result::Result<(), String> {
    let mut rows: u64 = 0;
    for group in metadata.row_groups() {
        let group_rows = u64::try_from(group.num_rows()).unwrap_or_default();
        rows = rows.saturating_add(group_rows);
    }

    // A few bytes can repeat a row without end: a file of 166 bytes had 300 million empty games.
    let rows_of_bytes = file_bytes.saturating_mul(MAX_ROWS_PER_BYTE);
    let max_rows = MAX_EQUAL_ROWS.saturating_add(rows_of_bytes);
    if rows > max_rows {
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
        for index in layout.columns() {
            let Some(column) = group.columns().get(index) else {
                continue;
            };
            let compression = column.compression();
            if !matches!(compression, Compression::BROTLI(_) | Compression::LZO) {
                continue;
            }

            // The library displays a level behind the name: `BROTLI(BrotliLevel(1))`.
            let displayed = compression.to_string();
            let kind = displayed.split('(').next().unwrap_or_default();
            let name = column.column_descr().name();
            return Err(format!(
                "its column {name} is compressed with {kind}; write it with ZSTD"
            ));
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

        let mut columns = Vec::new();
        for index in layout.columns() {
            let descriptor = schema.column(index);
            let max_def = descriptor.max_def_level();
            let chunk = group.column(index);
            let (pages, held) = BoundedPages::new(file, chunk, rows as usize, memory)?;
            let column_reader = get_column_reader(descriptor, Box::new(pages));
            columns.push(Column::new(column_reader, held, max_def));
        }

        Ok(RowGroup {
            columns,
            rows_left: rows,
            unwritten_rows: 0,
        })
    }

    /// Reads the next rows, if all rows read before have been written.
    fn read_rows(&mut self) -> Result<()> {
        if self.unwritten_rows > 0 {
            return Ok(());
        }

        let rows = self.rows_left.min(BATCH_ROWS as u64);
        for column in &mut self.columns {
            column.read(rows as usize)?;
        }
        self.rows_left -= rows;
        self.unwritten_rows = rows as usize;
        Ok(())
    }
}

impl Read for RowText {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.read_bytes == self.text.len() && !self.is_broken {
            let next = self.next_batch();
            // After an error, the library's readers are in an unknown state, so nothing more is read.
            if let Err(error) = next {
                self.is_broken = true;
                self.text.clear();
                return Err(read_error(error));
            }
        }

        let start = self.read_bytes.min(self.text.len());
        let mut rest = &self.text[start..];
        let count = rest.read(out)?;
        self.read_bytes += count;
        Ok(count)
    }
}

/// The system's error in an error of the library; otherwise, an error of damage.
fn read_error(error: ParquetError) -> io::Error {
    let damage = io::ErrorKind::InvalidData;

    let source = match error {
        ParquetError::External(source) => source,
        error => return io::Error::new(damage, sentence(&error)),
    };
    match source.downcast::<io::Error>() {
        Ok(error) => *error,
        Err(other) => io::Error::new(damage, other),
    }
}

/// Appends the game of the next row of all columns.
///
/// # Errors
/// If the tags in the map of the game take more than `max_bytes` bytes.
fn write_game(
    layout: &Layout,
    columns: &mut [Column],
    max_bytes: u64,
    out: &mut Vec<u8>,
) -> Result<()> {
    let (tags, others) = columns.split_at_mut(layout.tags.len());
    let mut map_tags = Vec::new();
    if let [names, values, _movetext] = others {
        write_map(names, values, max_bytes, &mut map_tags)?;
    }

    let mut result = None;
    for (index, (column, tag)) in tags.iter_mut().zip(&layout.tags).enumerate() {
        let Some(value) = column.next() else { continue };
        if Some(index) == layout.result {
            result = termination(value);
        }

        // The map may have a tag that also has a column, if the column could not store the exact text of the value.
        if has_tag(&map_tags, tag.name.as_bytes()) {
            continue;
        }

        if tag.name == "FEN" && !layout.can_have_set_up() {
            out.extend_from_slice(SET_UP);
        }
        begin_tag(tag.name.as_bytes(), out);
        let start = out.len();
        write_value(value, tag.kind, out);
        end_tag(start, out);
    }
    out.extend_from_slice(&map_tags);
    out.push(b'\n');

    let last_value = others.last_mut().and_then(Column::next);
    if let Some(Value::Text(movetext)) = last_value {
        write_movetext(movetext, result, out);
    } else {
        out.extend_from_slice(result.unwrap_or(UNKNOWN));
    }
    out.extend_from_slice(b"\n\n");
    Ok(())
}

/// The game termination marker of a value of the tag `Result`; `None` for another value.
fn termination(value: Value<'_>) -> Option<&'static [u8]> {
    let Value::Text(text) = value else {
        return None;
    };
    TERMINATIONS.into_iter().find(|marker| *marker == text)
}

/// Appends the entries of the map of the next row as tag pairs.
///
/// # Errors
/// If the tag pairs take more than `max_bytes` bytes. A dictionary stores a long text once, and any number of entries
/// may refer to it.
fn write_map(
    names: &mut Column,
    values: &mut Column,
    max_bytes: u64,
    out: &mut Vec<u8>,
) -> Result<()> {
    loop {
        if out.len() as u64 > max_bytes {
            return Err(too_much_memory());
        }

        if let (Some(Value::Text(name)), Some(Value::Text(value))) = (names.next(), values.next()) {
            begin_tag(&on_one_line(name), out);
            let start = out.len();
            out.extend_from_slice(value);
            end_tag(start, out);
        }

        if !names.has_more() {
            return Ok(());
        }
    }
}

/// A text with a space for each line ending character.
fn on_one_line(text: &[u8]) -> Vec<u8> {
    let mut line = text.to_vec();
    for byte in &mut line {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line
}

/// Returns `true` if tag pairs, one on a line, have a tag with this name.
fn has_tag(pairs: &[u8], name: &[u8]) -> bool {
    for line in pairs.split(|&byte| byte == b'\n') {
        let without_bracket = line.strip_prefix(b"[");
        let without_name = without_bracket.and_then(|rest| rest.strip_prefix(name));
        if let Some(rest) = without_name
            && rest.starts_with(b" \"")
        {
            return true;
        }
    }
    false
}

fn begin_tag(name: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
}

/// Ends a tag pair whose value begins at `start`: escapes it (PGN §7), and puts it on one line.
fn end_tag(start: usize, out: &mut Vec<u8>) {
    let needs_escape = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    if out[start..].iter().any(needs_escape) {
        let value = out.split_off(start);
        for byte in value {
            match byte {
                b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
                b'\n' | b'\r' => out.push(b' '),
                _ => out.push(byte),
            }
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// The tag that must accompany a start position (PGN §9.7.1). The Lichess sets have no column for it.
const SET_UP: &[u8] = b"[SetUp \"1\"]\n";

/// The game termination markers (PGN §8.2.6).
const TERMINATIONS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", UNKNOWN];
const UNKNOWN: &[u8] = b"*";

/// Appends movetext, and a game termination marker if it has none.
fn write_movetext(movetext: &[u8], result: Option<&[u8]>, out: &mut Vec<u8>) {
    let moves = movetext.trim_ascii();
    out.extend_from_slice(moves);

    // Without a marker, the next row would be part of this game.
    if !ends_with_termination(moves) {
        if !moves.is_empty() {
            out.push(b' ');
        }
        out.extend_from_slice(result.unwrap_or(UNKNOWN));
    }
}

/// Returns `true` if the last word of a movetext is a game termination marker.
fn ends_with_termination(movetext: &[u8]) -> bool {
    for marker in TERMINATIONS {
        let Some(before) = movetext.strip_suffix(marker) else {
            continue;
        };
        match before.last() {
            Some(byte) if !b" \n\t)}".contains(byte) => {}
            _ => return true,
        }
    }
    false
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

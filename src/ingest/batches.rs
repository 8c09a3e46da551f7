//! Splits a file or a stream into batches of games with known encodings.

use std::borrow::Cow;
use std::io::{self, Read};
#[cfg(feature = "dataset")]
use std::ops::Range;

use super::batch::Batch;
use super::cut::{Cut, Cutter};
use super::encodings::Encodings;
use super::stream::{BatchCursor, Stream};
use crate::input::{Consumed, Counted, Encoding, MARK_BYTES, has_utf8_mark, read_utf16, utf16_of};
use crate::memory;
use crate::pgn::newline;

/// Batches in the order of their source.
pub(crate) type Batches<'f> = Box<dyn Iterator<Item = Batch<'f>> + Send + 'f>;

/// The options of reading games from the bytes of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The encoding of sources that do not declare one; without it, the encoding of each game is detected.
    pub encoding: Option<Encoding>,
    /// The maximum size of a game, or a text between games, in bytes. A larger game or text is left out, with a
    /// problem.
    pub game_bytes: u64,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            encoding: None,
            game_bytes: ReadOptions::GAME_BYTES,
        }
    }
}

impl ReadOptions {
    /// The default for the maximum size of a game in bytes.
    pub const GAME_BYTES: u64 = memory::GAME_BYTES;

    fn game_bytes(self) -> usize {
        usize::try_from(self.game_bytes).unwrap_or(usize::MAX)
    }
}

/// All batches of a file in memory.
pub(crate) fn of_file(file: &[u8], options: ReadOptions) -> Batches<'_> {
    if let Some(encoding) = utf16_of(file, options.encoding) {
        // Reading from memory cannot fail.
        return of_utf16(file, encoding, has_mark(file), options, |_| {});
    }

    let mut encodings = Encodings::new(None, options.encoding);
    let batches = File::new(file, options);
    Box::new(batches.map(move |batch| encodings.assign(batch)))
}

/// The batches of a part of a file in memory, which is not UTF-16.
///
/// The part begins and ends where [`begins_game`](super::begins_game) finds a game. Offsets count from the beginning of
/// the file, lines from the beginning of the part.
#[cfg(feature = "dataset")]
pub(crate) fn of_part(file: &[u8], part: Range<usize>, options: ReadOptions) -> Batches<'_> {
    // A byte order mark at the beginning of the file holds for every part.
    let mut encodings = Encodings::new(None, options.encoding);
    encodings.look_for_mark(file);

    let batches = File::of_part(file, part, options);
    Box::new(batches.map(move |batch| encodings.assign(batch)))
}

/// All batches of a source that can be read only once, to its end, or until reading fails, which sets `failure`.
///
/// The batches equal the batches of a file with equal bytes.
pub(crate) fn of_stream<'f>(
    input: impl Read + Send + 'f,
    options: ReadOptions,
    failure: &'f mut Option<io::Error>,
) -> Batches<'f> {
    BegunStream::begin(input).batches(options, failure)
}

/// A source that can be read only once, and its first bytes, by which UTF-16 is recognized.
pub(crate) struct BegunStream<R> {
    beginning: Vec<u8>,
    input: R,
    failure: Option<io::Error>,
}

impl<R: Read> BegunStream<R> {
    /// Reads the first bytes.
    pub(crate) fn begin(mut input: R) -> BegunStream<R> {
        let mut beginning = Vec::with_capacity(MARK_BYTES);
        let read = input
            .by_ref()
            .take(MARK_BYTES as u64)
            .read_to_end(&mut beginning);

        BegunStream {
            beginning,
            input,
            failure: read.err(),
        }
    }

    /// The first bytes.
    pub(crate) fn beginning(&self) -> &[u8] {
        &self.beginning
    }

    /// `true` if the source is UTF-16, whose batches are not the bytes of the source.
    pub(crate) fn is_utf16(&self, options: ReadOptions) -> bool {
        utf16_of(&self.beginning, options.encoding).is_some()
    }

    /// Replaces the reader of the bytes after the first bytes.
    pub(crate) fn map_rest<T>(self, reader: impl FnOnce(R) -> T) -> BegunStream<T> {
        BegunStream {
            beginning: self.beginning,
            input: reader(self.input),
            failure: self.failure,
        }
    }

    /// All batches; [`of_stream`] describes them.
    pub(crate) fn batches<'f>(
        self,
        options: ReadOptions,
        failure: &'f mut Option<io::Error>,
    ) -> Batches<'f>
    where
        R: Send + 'f,
    {
        if let Some(error) = self.failure {
            *failure = Some(error);
            return Box::new(std::iter::empty());
        }

        let utf16 = utf16_of(&self.beginning, options.encoding);
        let has_mark = has_mark(&self.beginning);

        let failed = |error| *failure = Some(error);
        let input = io::Cursor::new(self.beginning).chain(self.input);
        if let Some(encoding) = utf16 {
            return of_utf16(input, encoding, has_mark, options, failed);
        }

        let mut encodings = Encodings::new(None, options.encoding);
        let parts = Stream::new(input, options.game_bytes(), failed);
        Box::new(parts.map(move |batch| encodings.assign(batch)))
    }
}

/// All batches of a source in UTF-16, which is read as UTF-8.
fn of_utf16<'f>(
    input: impl Read + Send + 'f,
    encoding: Encoding,
    has_mark: bool,
    options: ReadOptions,
    failed: impl FnMut(io::Error) + Send + 'f,
) -> Batches<'f> {
    // The bytes of the source are counted below the transcoding: a surplus last byte is in no text.
    let consumed = Consumed::default();
    let counted = Counted(input, consumed.clone());
    let text = read_utf16(counted, encoding, has_mark);
    let parts = Stream::of_utf16(text, consumed, options.game_bytes(), failed);

    let mut encodings = Encodings::new(Some(encoding), options.encoding);
    Box::new(parts.map(move |batch| encodings.assign(batch)))
}

/// Returns `true` for a byte order mark.
fn has_mark(beginning: &[u8]) -> bool {
    utf16_of(beginning, None).is_some() || has_utf8_mark(beginning)
}

/// The batches of a file in memory.
struct File<'f> {
    file: &'f [u8],
    cutter: Cutter,
    cursor: BatchCursor,
    newline: u8,
}

impl<'f> File<'f> {
    fn new(file: &'f [u8], options: ReadOptions) -> File<'f> {
        File {
            file,
            cutter: Cutter::new(options.game_bytes()),
            cursor: BatchCursor::new(options.game_bytes()),
            newline: newline(file),
        }
    }
}

#[cfg(feature = "dataset")]
impl<'f> File<'f> {
    fn of_part(file: &'f [u8], part: Range<usize>, options: ReadOptions) -> File<'f> {
        // The line ending is determined at the beginning of the file, for all parts alike.
        let whole = File::new(file, options);

        File {
            file: &file[..part.end],
            cutter: whole.cutter.starting_at(part.start),
            cursor: whole.cursor.starting_at(part.start as u64),
            newline: whole.newline,
        }
    }
}

impl<'f> Iterator for File<'f> {
    type Item = Batch<'f>;

    fn next(&mut self) -> Option<Batch<'f>> {
        let is_all = true;
        match self.cutter.next(self.file, is_all)? {
            Cut::Batch(spans) => {
                let (line, _) = self.cursor.next();
                let batch = Batch::of_file(self.file, spans, self.newline, line);
                self.cursor.pass(&batch);

                Some(batch)
            }
            Cut::Skipped(range, kind) => {
                let length = range.len() as u64;
                let part = Cow::Borrowed(&self.file[range]);
                Some(self.cursor.skipped(part, self.newline, length, kind))
            }
        }
    }
}

//! A file or a stream, cut into batches of games that know their encodings.

use std::io::{self, Read};

use super::batch::{Batch, range};
use super::encodings::Encodings;
use super::stream::Stream;
use crate::index::BatchPostings;
use crate::input::{Encoding, MARK_BYTES, has_utf8_mark, read_utf16, utf16_of};
use crate::pgn::{Span, newline, split};

/// How much of a file is replayed at once.
pub(crate) const BATCH_BYTES: usize = 1 << 20;

/// Batches in the order of their source.
pub(crate) type Batches<'f> = Box<dyn Iterator<Item = Batch<'f>> + Send + 'f>;

/// All batches of a file that is in memory; `given` is the encoding that somebody has said it is in.
pub(crate) fn of_file(file: &[u8], given: Option<Encoding>) -> Batches<'_> {
    let utf16 = utf16_of(file, given);
    let mut encodings = Encodings::new(utf16, given);
    match utf16 {
        Some(encoding) => {
            let text = read_utf16(file, encoding, has_mark(file));
            // What is in memory can be read.
            let parts = Stream::of_utf16(text, Some(file.len() as u64), |_| {});
            Box::new(parts.map(move |batch| encodings.find(batch)))
        }
        None => Box::new(Cutter::new(file).map(move |batch| encodings.find(batch))),
    }
}

/// All batches of what can be read only once, to its end, or until reading fails, which is noted in
/// `failure`. They are those of a file with the same bytes.
pub(crate) fn of_stream<'f>(
    mut input: impl Read + Send + 'f,
    given: Option<Encoding>,
    failure: &'f mut Option<io::Error>,
) -> Batches<'f> {
    let mut beginning = Vec::with_capacity(MARK_BYTES);
    let mut failed = |error| *failure = Some(error);
    if let Err(error) = input.by_ref().take(MARK_BYTES as u64).read_to_end(&mut beginning) {
        failed(error);
        return Box::new(std::iter::empty());
    }
    let (utf16, has_mark) = (utf16_of(&beginning, given), has_mark(&beginning));
    let mut encodings = Encodings::new(utf16, given);
    let input = io::Cursor::new(beginning).chain(input);
    match utf16 {
        Some(encoding) => {
            let parts = Stream::of_utf16(read_utf16(input, encoding, has_mark), None, failed);
            Box::new(parts.map(move |batch| encodings.find(batch)))
        }
        None => Box::new(Stream::new(input, failed).map(move |batch| encodings.find(batch))),
    }
}

fn has_mark(beginning: &[u8]) -> bool {
    utf16_of(beginning, None).is_some() || has_utf8_mark(beginning)
}

/// The first spans that make a batch; nothing when there are too few of them.
pub(super) fn full_batch<'s>(spans: impl Iterator<Item = &'s Span>) -> Option<usize> {
    let mut size = BatchSize::default();
    spans.enumerate().find_map(|(i, span)| size.is_full_with(span).then_some(i + 1))
}

/// How much is in a batch.
#[derive(Default)]
struct BatchSize {
    bytes: usize,
    spans: usize,
}

impl BatchSize {
    fn is_full_with(&mut self, span: &Span) -> bool {
        self.bytes += range(span).len();
        self.spans += 1;
        self.bytes >= BATCH_BYTES || self.spans >= BatchPostings::MOST_GAMES
    }
}

/// Cuts a file into batches, and counts lines on the way.
struct Cutter<'f, I> {
    file: &'f [u8],
    spans: I,
    newline: u8,
    line: u64,
}

impl<'f> Cutter<'f, ()> {
    fn new(file: &'f [u8]) -> Cutter<'f, impl Iterator<Item = Span> + use<'f>> {
        Cutter { file, spans: split(file), newline: newline(file), line: 1 }
    }
}

impl<'f, I: Iterator<Item = Span>> Iterator for Cutter<'f, I> {
    type Item = Batch<'f>;

    fn next(&mut self) -> Option<Batch<'f>> {
        let mut spans = Vec::new();
        let mut size = BatchSize::default();
        for span in self.spans.by_ref() {
            let is_full = size.is_full_with(&span);
            spans.push(span);
            if is_full {
                break;
            }
        }
        if spans.is_empty() {
            return None;
        }
        let batch = Batch::of_file(self.file, spans, self.newline, self.line);
        self.line += batch.lines();
        Some(batch)
    }
}

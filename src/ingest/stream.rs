//! Batches of games from sources that can be read only once.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr_iter;

use super::batch::{Batch, Origin, OversizedSpan, SkippedPart, range};
use super::cut::{Cut, Cutter};
use crate::input::{Consumed, utf16_bytes};
use crate::memory::BATCH_BYTES;
use crate::pgn::{NEWLINE_BYTES, SpanKind, newline};

/// The size of a read: an eighth of a batch, because bytes read beyond a batch are copied into the next batch.
const READ_BYTES: usize = 1 << 17;
/// The maximum length of the excerpt of a span that is too large.
const BEGINNING_BYTES: usize = 512;

/// Reads enough for a batch, and keeps the rest for the next batch.
pub(crate) struct Stream<R, F> {
    input: R,
    /// Called with the error if reading fails.
    failed: F,
    /// For UTF-16 read as UTF-8: the number of source bytes read.
    utf16: Option<Consumed>,
    cutter: Cutter,
    cursor: BatchCursor,
    newline: u8,
    /// The bytes read. The first `gone` bytes belong to earlier batches, the other bytes to no batch yet.
    left: Vec<u8>,
    gone: usize,
    is_done: bool,
    has_failed: bool,
}

/// The start of the next batch in a source, and the span that is too large and continues there, if any.
pub(crate) struct BatchCursor {
    game_bytes: usize,
    line: u64,
    byte: u64,
    skipping: Option<OversizedSpan>,
}

impl BatchCursor {
    /// The beginning of a source with games of at most `game_bytes` bytes.
    pub(crate) fn new(game_bytes: usize) -> BatchCursor {
        BatchCursor {
            game_bytes,
            line: 1,
            byte: 0,
            skipping: None,
        }
    }

    /// This cursor at a byte of the source.
    #[cfg(feature = "dataset")]
    pub(crate) fn starting_at(self, byte: u64) -> BatchCursor {
        BatchCursor { byte, ..self }
    }

    /// The line and byte at which the next batch begins.
    pub(crate) fn next(&self) -> (u64, u64) {
        (self.line, self.byte)
    }

    /// Advances past a batch.
    pub(crate) fn pass(&mut self, batch: &Batch<'_>) {
        self.line += batch.lines();
        self.byte = batch.origin().end;
    }

    /// The batch for a part of a span that is too large.
    ///
    /// `bytes` is the length of the part in the source. `kind` is the kind of the span if this is its last part.
    pub(crate) fn skipped<'f>(
        &mut self,
        part: Cow<'f, [u8]>,
        newline: u8,
        bytes: u64,
        kind: Option<SpanKind>,
    ) -> Batch<'f> {
        let (line, start) = self.next();

        // The kind is known at the end.
        let so_far = self.skipping.get_or_insert_with(|| OversizedSpan {
            kind: SpanKind::Text,
            bytes: start..start,
            line,
            beginning: part[..part.len().min(BEGINNING_BYTES)].to_vec(),
            limit: self.game_bytes as u64,
        });
        so_far.bytes.end += bytes;

        let whole = match kind {
            Some(kind) => self
                .skipping
                .take()
                .map(|span| OversizedSpan { kind, ..span }),
            None => None,
        };
        let skipped = SkippedPart {
            lines: memchr_iter(newline, &part).count() as u64,
            whole,
        };

        let batch = Batch::of_skipped(part, skipped, line, start..start + bytes);
        self.pass(&batch);
        batch
    }
}

impl<R: Read, F: FnMut(io::Error)> Stream<R, F> {
    /// The batches of a source to its end. If reading fails, `failed` is called with the error, and the batches end.
    /// Games have at most `game_bytes` bytes.
    pub(crate) fn new(input: R, game_bytes: usize, failed: F) -> Stream<R, F> {
        Stream {
            input,
            failed,
            utf16: None,
            cutter: Cutter::new(game_bytes),
            cursor: BatchCursor::new(game_bytes),
            newline: b'\n',
            left: Vec::new(),
            gone: 0,
            is_done: false,
            has_failed: false,
        }
    }

    /// A stream of UTF-16 read as UTF-8; `read` counts the bytes read of the source.
    pub(crate) fn of_utf16(input: R, read: Consumed, game_bytes: usize, failed: F) -> Stream<R, F> {
        Stream {
            utf16: Some(read),
            ..Stream::new(input, game_bytes, failed)
        }
    }

    /// Reads the bytes of another batch.
    fn fill(&mut self) {
        let is_first = self.left.is_empty() && self.cursor.byte == 0;
        self.left.drain(..std::mem::take(&mut self.gone));

        // The beginning determines the line ending, which the splitter needs for its first line.
        let read_bytes = if is_first {
            BATCH_BYTES.max(NEWLINE_BYTES)
        } else {
            READ_BYTES
        };
        let batch_room = (BATCH_BYTES + READ_BYTES).saturating_sub(self.left.len());
        self.left.reserve(batch_room.max(read_bytes));

        let mut part = self.input.by_ref().take(read_bytes as u64);
        match part.read_to_end(&mut self.left) {
            Ok(read) => self.is_done = read < read_bytes,
            Err(error) => {
                (self.failed)(error);
                self.is_done = true;
                self.has_failed = true;
            }
        }

        if is_first {
            self.newline = newline(&self.left);
        }
    }

    /// The batch of the next part.
    fn batch(&mut self, cut: Cut) -> Batch<'static> {
        let end = match &cut {
            Cut::Batch(spans) => spans.last().map_or(0, |span| range(span).end),
            Cut::Skipped(range, _) => range.end,
        };
        self.cutter.forget(end);
        let bytes = self.origin(end);

        match cut {
            Cut::Batch(spans) => {
                let part = self.take_bytes(end);
                let origin = Origin {
                    bytes,
                    is_utf16: self.utf16.is_some(),
                };

                let (line, _) = self.cursor.next();
                let batch = Batch::of_part(part, spans, self.newline, line, origin);
                self.cursor.pass(&batch);
                batch
            }
            Cut::Skipped(_, kind) => {
                let part = self.take_bytes(end);
                let length = bytes.end - bytes.start;
                self.cursor
                    .skipped(Cow::Owned(part), self.newline, length, kind)
            }
        }
    }

    /// Removes the next bytes from the buffer and returns them. Either these bytes or the bytes behind them are copied,
    /// whichever are fewer.
    fn take_bytes(&mut self, bytes: usize) -> Vec<u8> {
        let end = self.gone + bytes;

        // Copied bytes stay in the buffer as `gone` bytes until the next read.
        if self.gone > 0 || 2 * end < self.left.len() {
            let copied = self.left[self.gone..end].to_vec();
            self.gone = end;
            return copied;
        }

        let rest = self.left.split_off(end);
        std::mem::replace(&mut self.left, rest)
    }

    /// The source range of the next bytes.
    fn origin(&self, bytes: usize) -> Range<u64> {
        let (_, start) = self.cursor.next();
        let part = &self.left[self.gone..][..bytes];

        let Some(read) = &self.utf16 else {
            return start..start + part.len() as u64;
        };

        // A surplus last byte is not UTF-16, and half a surrogate pair at the end may have taken some more.
        let is_last = self.is_done && !self.has_failed && self.gone + bytes == self.left.len();
        let end = if is_last {
            read.bytes()
        } else {
            start + utf16_bytes(part)
        };

        start..end.max(start)
    }
}

impl<R: Read, F: FnMut(io::Error)> Iterator for Stream<R, F> {
    type Item = Batch<'static>;

    fn next(&mut self) -> Option<Batch<'static>> {
        loop {
            let has_bytes = self.is_done || !self.left.is_empty();
            if has_bytes && let Some(cut) = self.cutter.next(&self.left[self.gone..], self.is_done)
            {
                return Some(self.batch(cut));
            }

            if self.is_done {
                return None;
            }

            self.fill();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::batches::{Batches, ReadOptions, of_file, of_stream};
    use super::*;

    fn stream(text: &str) -> Vec<Batch<'static>> {
        Stream::new(text.as_bytes(), 1 << 26, |error| panic!("{error}")).collect()
    }

    #[test]
    fn pieces_are_cut_like_the_whole() {
        let game =
            |n: usize| format!("[Event \"{n}\"]\n\n1. e4 {{ long {n} }} e5 *\n12. Nf3 *\n\n");
        let file: String = (0..60_000).map(game).collect();

        let parts = stream(&file);
        let whole: Vec<_> = of_file(file.as_bytes(), ReadOptions::default()).collect();

        assert!(parts.len() > 2);
        let joined: Vec<u8> = parts
            .iter()
            .flat_map(|part| part.bytes().to_vec())
            .collect();
        assert_eq!(joined, file.as_bytes());

        assert_eq!(parts.len(), whole.len());
        for (part, batch) in parts.iter().zip(&whole) {
            assert_eq!(part.bytes(), batch.bytes());
            assert_eq!(part.origin(), batch.origin());
            assert_eq!(part.texts().count(), batch.texts().count());
        }
    }

    #[test]
    fn a_long_game_stays_whole() {
        let game = format!(
            "[Event \"A\"]\n\n1. e4 {{{}}} *\n",
            "comment\n".repeat(500_000)
        );
        let parts = stream(&game);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].bytes(), game.as_bytes());
    }

    #[test]
    fn bytes_of_utf16_are_those_of_the_source() {
        let text = "\u{feff}[Event \"é😀\"]\n\n1. e4 *\n".repeat(100_000);
        let whole: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        // A surplus byte, half a surrogate pair, both, and a text whose parts end where it does.
        let ends: [&[u8]; 5] = [b"", b"\0", b"\x3d\xd8", b"\x3d\xd8\0", b"\x3d"];
        // With the small limit, every game is skipped.
        for (end, game_bytes) in ends.into_iter().flat_map(|end| [(end, 1 << 26), (end, 20)]) {
            let bytes = [&whole, end].concat();
            let options = ReadOptions {
                game_bytes,
                ..ReadOptions::default()
            };

            let mut failure = None;
            let origins =
                |batches: Batches<'_>| -> Vec<_> { batches.map(|b| b.origin()).collect() };
            let file_origins = origins(of_file(&bytes, options));
            let stream_origins = origins(of_stream(&*bytes, options, &mut failure));

            let first_start = file_origins.first().map(|origin| origin.start);
            let last_end = file_origins.last().map(|origin| origin.end);
            assert_eq!(first_start, Some(0));
            assert_eq!(last_end, Some(bytes.len() as u64));
            let is_contiguous = file_origins
                .windows(2)
                .all(|two| two[0].end == two[1].start);
            assert!(is_contiguous);
            assert_eq!(stream_origins, file_origins);
        }
    }

    #[test]
    fn read_errors_are_reported() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut failure = None;
        let input = b"[Event \"A\"]\n\n1. e4 *\n".chain(Broken);

        let batches = of_stream(input, ReadOptions::default(), &mut failure).count();

        assert_eq!(batches, 1);
        let message = failure.map(|error| error.to_string());
        assert_eq!(message.as_deref(), Some("broken"));
    }
}

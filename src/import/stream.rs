//! Batches of games from what can be read only once.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;

use memchr::memrchr;

use super::batch::{Batch, Origin, range};
use super::batches::{BATCH_BYTES, full_batch};
use crate::input::utf16_bytes;
use crate::pgn::{Span, newline, split};

/// Reads as much as makes a batch, and keeps the last game for the next one, since it may go on.
///
/// A file that is cut where a game begins is cut in its parts as it is in one piece: there
/// [`split`] knows nothing any more of what came before. The lines of a file all end in the same way; what
/// is read here is asked for it batch by batch.
pub(super) struct Stream<R, F> {
    input: R,
    failed: F,
    is_utf16: bool,
    /// What has been read and belongs to no batch yet.
    left: Vec<u8>,
    /// The beginning of it, as far as it will not be cut otherwise.
    spans: VecDeque<Span>,
    line: u64,
    /// How many bytes of the source came before.
    byte: u64,
    /// How many bytes the source has, if that is known.
    bytes: Option<u64>,
    is_done: bool,
}

impl<R: Read, F: FnMut(io::Error)> Stream<R, F> {
    /// Reads to the end, or until reading fails, which `failed` is told.
    pub(super) fn new(input: R, failed: F) -> Stream<R, F> {
        Stream {
            input,
            failed,
            is_utf16: false,
            left: Vec::new(),
            spans: VecDeque::new(),
            line: 1,
            byte: 0,
            bytes: None,
            is_done: false,
        }
    }

    /// The same for UTF-16 that is read as UTF-8, and of which it is known how many bytes it has, or not.
    pub(super) fn of_utf16(input: R, bytes: Option<u64>, failed: F) -> Stream<R, F> {
        Stream { is_utf16: true, bytes, ..Stream::new(input, failed) }
    }

    /// Where what may be cut otherwise begins.
    fn rest(&self) -> usize {
        self.spans.back().map_or(0, |span| range(span).end)
    }

    /// Reads at least as much again as is not cut yet, so that a game of any length takes linear time.
    fn fill(&mut self) {
        let wanted = (self.left.len() - self.rest()).max(BATCH_BYTES);
        self.left.reserve(wanted);
        match self.input.by_ref().take(wanted as u64).read_to_end(&mut self.left) {
            Ok(read) => self.is_done = read < wanted,
            Err(error) => {
                (self.failed)(error);
                self.is_done = true;
            }
        }
        self.cut();
    }

    /// Cuts what has been read; all but its last span stays as it is, whatever comes.
    fn cut(&mut self) {
        let rest = self.rest();
        let text = &self.left[rest..];
        let lines = match self.is_done {
            true => text.len(),
            false => memrchr(newline(text), text).map_or(0, |last| last + 1),
        };
        self.spans.extend(split(&text[..lines]).map(|span| moved(&span, |at| at + rest)));
        if !self.is_done {
            self.spans.pop_back();
        }
    }

    /// The first spans as a batch.
    fn take(&mut self, count: usize) -> Batch<'static> {
        let spans: Vec<Span> = self.spans.drain(..count).collect();
        let end = spans.last().map_or(0, |span| range(span).end);
        let left = self.left.split_off(end);
        let part = std::mem::replace(&mut self.left, left);
        for span in &mut self.spans {
            *span = moved(span, |at| at - end);
        }
        let origin = Origin { bytes: self.origin(&part), is_utf16: self.is_utf16 };
        self.byte = origin.bytes.end;
        let batch = Batch::of_part(part, spans, self.line, origin);
        self.line += batch.lines();
        batch
    }

    /// Where a part comes from, which is read next.
    fn origin(&self, part: &[u8]) -> Range<u64> {
        let length = if self.is_utf16 { utf16_bytes(part) } else { part.len() as u64 };
        let is_last = self.is_done && self.left.is_empty();
        // The last byte of an odd number is none of UTF-16.
        let end = self.bytes.filter(|_| is_last).unwrap_or(self.byte + length);
        self.byte..end
    }
}

fn moved(span: &Span, by: impl Fn(usize) -> usize) -> Span {
    match span {
        Span::Game(range) => Span::Game(by(range.start)..by(range.end)),
        Span::Text(range) => Span::Text(by(range.start)..by(range.end)),
    }
}

impl<R: Read, F: FnMut(io::Error)> Iterator for Stream<R, F> {
    type Item = Batch<'static>;

    fn next(&mut self) -> Option<Batch<'static>> {
        loop {
            if let Some(count) = full_batch(self.spans.iter()) {
                return Some(self.take(count));
            }
            if self.is_done {
                let count = self.spans.len();
                return (count > 0).then(|| self.take(count));
            }
            self.fill();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::batches::{of_file, of_stream};
    use super::*;

    fn stream(text: &str) -> Vec<Batch<'static>> {
        Stream::new(text.as_bytes(), |error| panic!("{error}")).collect()
    }

    #[test]
    fn pieces_are_cut_like_the_whole() {
        let game =
            |n: usize| format!("[Event \"{n}\"]\n\n1. e4 {{ long {n} }} e5 *\n12. Nf3 *\n\n");
        let file: String = (0..60_000).map(game).collect();
        let parts = stream(&file);
        assert!(parts.len() > 2);
        let joined: Vec<u8> = parts.iter().flat_map(|part| part.bytes().to_vec()).collect();
        assert_eq!(joined, file.as_bytes());
        let whole: Vec<_> = of_file(file.as_bytes(), None).collect();
        assert_eq!(parts.len(), whole.len());
        for (part, batch) in parts.iter().zip(&whole) {
            assert_eq!(part.bytes(), batch.bytes());
            assert_eq!(part.origin(), batch.origin());
            assert_eq!(part.texts().count(), batch.texts().count());
        }
    }

    #[test]
    fn a_long_game_stays_whole() {
        let game = format!("[Event \"A\"]\n\n1. e4 {{{}}} *\n", "comment\n".repeat(500_000));
        let parts = stream(&game);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].bytes(), game.as_bytes());
    }

    #[test]
    fn bytes_of_utf16_are_those_of_the_source() {
        let text = "\u{feff}[Event \"é😀\"]\n\n1. e4 *\n".repeat(100_000);
        let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes.push(0);
        let mut end = 0;
        for batch in of_file(&bytes, None) {
            assert_eq!(batch.origin().start, end);
            end = batch.origin().end;
        }
        assert_eq!(end, bytes.len() as u64);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut failure = None;
        let input = b"[Event \"A\"]\n\n1. e4 *\n".chain(Broken);
        assert_eq!(of_stream(input, None, &mut failure).count(), 1);
        assert_eq!(failure.map(|error| error.to_string()).as_deref(), Some("broken"));
    }
}

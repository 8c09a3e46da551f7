//! A list in batches of lines. A batch ends as soon as no more input is ready, so that a program that writes line by
//! line gets each answer at once.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

/// The size of a read: a few hundred lines, which take a thread a hundredth of a second.
const BATCH_BYTES: usize = 1 << 14;
/// The maximum length of a line. Input with a longer line is not a list of positions, and may not fit in memory.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Consecutive whole lines.
#[derive(Debug)]
pub(in crate::cli) struct Batch {
    bytes: Vec<u8>,
    /// The number of the first line, from 1.
    first: usize,
}

impl Batch {
    /// The lines, with their numbers.
    pub(in crate::cli) fn lines(&self) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
        let lines = self.bytes.split_inclusive(|&byte| byte == b'\n');
        (self.first..).zip(lines.map(String::from_utf8_lossy))
    }
}

/// An iterator over the batches of a list.
#[derive(Debug)]
pub(in crate::cli) struct Batches<R> {
    input: BufReader<R>,
    /// The number of the next line.
    next: usize,
    is_over: bool,
}

impl<R: Read> Batches<R> {
    /// The batches of an input.
    pub(in crate::cli) fn new(input: R) -> Batches<R> {
        let input = BufReader::with_capacity(BATCH_BYTES, input);
        Batches {
            input,
            next: 1,
            is_over: false,
        }
    }

    /// Reads the available input up to the end of its last line; empty at the end of the input.
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };

            // Without a newline, the line continues in the next read.
            let end_of_lines = memchr::memrchr(b'\n', available).map(|newline| newline + 1);
            let length = end_of_lines.unwrap_or(available.len());
            bytes.extend_from_slice(&available[..length]);
            let is_end = available.is_empty();
            self.input.consume(length);

            if end_of_lines.is_some() || is_end {
                return Ok(bytes);
            }

            if bytes.len() > MAX_LINE_BYTES {
                let message = format!("line {} is too long for a position", self.next);
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
    }
}

impl<R> Batches<R> {
    /// Returns the bytes if they are text. Binary files and UTF-16 have NUL bytes.
    fn check_is_text(&self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let Some(nul) = memchr::memchr(0, &bytes) else {
            return Ok(bytes);
        };

        let lines_before = memchr::memchr_iter(b'\n', &bytes[..nul]).count();
        let line = self.next + lines_before;
        let message = format!("line {line} has a NUL byte; a list of positions is UTF-8 text");
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<io::Result<Batch>> {
        if self.is_over {
            return None;
        }
        let read = self.read().and_then(|bytes| self.check_is_text(bytes));
        match read {
            Ok(bytes) if bytes.is_empty() => {
                self.is_over = true;
                None
            }
            Ok(bytes) => {
                let first = self.next;
                self.next += memchr::memchr_iter(b'\n', &bytes).count();
                Some(Ok(Batch { bytes, first }))
            }
            Err(error) => {
                self.is_over = true;
                Some(Err(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns at most this many bytes at once.
    struct Piecemeal<'b>(&'b [u8], usize);

    impl Read for Piecemeal<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(into.len());
            (&mut self.0).take(count as u64).read(into)
        }
    }

    fn lines(text: &[u8], at_once: usize) -> Vec<(usize, String)> {
        let mut lines = Vec::new();
        for read in Batches::new(Piecemeal(text, at_once)) {
            let batch = read.expect("no fault");
            for (number, line) in batch.lines() {
                lines.push((number, line.trim_end().to_owned()));
            }
        }
        lines
    }

    #[test]
    fn lines_keep_their_numbers_however_they_come() {
        let text = b"a\n\nbc\r\n\xff\nd";
        let numbered = [(1, "a"), (2, ""), (3, "bc"), (4, "\u{fffd}"), (5, "d")];
        let expected = numbered.map(|(number, line)| (number, line.to_owned()));

        for at_once in 1..=text.len() {
            assert_eq!(lines(text, at_once), expected, "{at_once} bytes at once");
        }
        assert_eq!(lines(b"", 1), []);
    }

    #[test]
    fn what_comes_is_given_at_once() {
        let mut batches = Batches::new(Piecemeal(b"a\nb\nc", 2));
        let first = batches.next().expect("a batch").expect("no fault");
        assert_eq!(first.bytes, b"a\n");
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut batches = Batches::new(io::repeat(b'k'));
        let error = batches.next().expect("an answer").expect_err("no position");
        assert_eq!(error.to_string(), "line 1 is too long for a position");
        assert!(batches.next().is_none());
    }
}

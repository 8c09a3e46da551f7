//! The beginning of a source, which is examined before the source is read.

use std::io::{self, Cursor, Read};

use crate::input::Stream;

/// A stream whose first bytes have been read in advance. Reading it returns these bytes again, then the rest.
pub(crate) struct PeekedStream {
    head: Cursor<Vec<u8>>,
    /// The error of reading, if it came before the end of the head.
    failure: Option<io::Error>,
    stream: Stream,
}

impl PeekedStream {
    /// Reads this many bytes of a stream, or all if it has fewer.
    pub(crate) fn new(mut stream: Stream, bytes: usize) -> PeekedStream {
        let mut head = Vec::new();
        let failure = stream
            .by_ref()
            .take(bytes as u64)
            .read_to_end(&mut head)
            .err();

        PeekedStream {
            head: Cursor::new(head),
            failure,
            stream,
        }
    }

    /// The first bytes.
    pub(crate) fn head(&self) -> &[u8] {
        self.head.get_ref()
    }
}

impl Read for PeekedStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.head.read(out)?;
        if read > 0 || out.is_empty() {
            return Ok(read);
        }

        // The error is returned where the stream failed: behind the bytes of the head.
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.stream.read(out),
        }
    }
}

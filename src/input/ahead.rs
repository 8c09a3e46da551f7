//! Reads a source ahead on another thread, by a bounded number of blocks.

use std::fmt;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The size of a read.
const BLOCK_BYTES: usize = 1 << 18;
/// The maximum number of blocks that wait for the consumer.
const BLOCKS_AHEAD: usize = 16;

type Block = io::Result<Vec<u8>>;

/// The bytes of a source, read ahead by another thread.
pub(crate) struct Stream {
    blocks: Receiver<Block>,
    block: Vec<u8>,
    /// The number of bytes of the block that have been read.
    read_bytes: usize,
    is_done: bool,
}

/// The writing end of a [`Stream`].
pub(super) struct BlockWriter(SyncSender<Block>);

/// The reason why reading ahead has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadAheadEnd {
    /// All of the source was read.
    Whole,
    /// Reading failed.
    Broken,
    /// The reader was dropped.
    Unwanted,
}

/// A connected pair of a writing end and a stream.
pub(super) fn stream() -> (BlockWriter, Stream) {
    let (sender, blocks) = sync_channel(BLOCKS_AHEAD);
    let stream = Stream {
        blocks,
        block: Vec::new(),
        read_bytes: 0,
        is_done: false,
    };
    (BlockWriter(sender), stream)
}

impl BlockWriter {
    /// Reads all of an input, whose size in bytes may be known.
    pub(super) fn copy_all(self, input: &mut impl Read, bytes: Option<u64>) -> ReadAheadEnd {
        let mut total = 0;
        loop {
            let mut block = Vec::with_capacity(BLOCK_BYTES);
            let read = input.take(BLOCK_BYTES as u64).read_to_end(&mut block);
            total += block.len() as u64;
            let is_full = block.len() == BLOCK_BYTES;

            // Before an error, the bytes that were read are passed on.
            if let Err(stopped) = self.write(block) {
                return stopped;
            }
            if let Err(error) = read {
                return self.end(Err(error));
            }
            if is_full {
                continue;
            }

            // A source that is shorter than its known size was cut short.
            let is_whole = bytes.is_none_or(|bytes| bytes == total);
            return if is_whole {
                self.end(Ok(()))
            } else {
                self.end(Err(io::ErrorKind::UnexpectedEof.into()))
            };
        }
    }

    /// Passes on the bytes of a block, of any size.
    ///
    /// # Errors
    /// If the reader was dropped.
    pub(super) fn write(&self, bytes: Vec<u8>) -> Result<(), ReadAheadEnd> {
        // An empty block would be read as the end of the stream.
        if bytes.is_empty() {
            return Ok(());
        }
        self.0.send(Ok(bytes)).map_err(|_| ReadAheadEnd::Unwanted)
    }

    /// Ends the stream after its last block, or with the error that ended reading.
    pub(super) fn end(self, end: io::Result<()>) -> ReadAheadEnd {
        let read_ahead = if end.is_ok() {
            ReadAheadEnd::Whole
        } else {
            ReadAheadEnd::Broken
        };

        // An empty block marks the end, so that a vanished thread is not mistaken for it.
        let last = end.map(|()| Vec::new());
        if self.0.send(last).is_err() {
            return ReadAheadEnd::Unwanted;
        }
        read_ahead
    }
}

impl Stream {
    fn next_block(&mut self) -> io::Result<()> {
        let received = self.blocks.recv();
        let block = match received {
            Ok(block) => block,
            // A writer that has not marked the end has vanished.
            Err(_) => Err(io::Error::other("reading has stopped")),
        };

        self.is_done = match &block {
            Ok(bytes) => bytes.is_empty(),
            Err(_) => true,
        };
        self.block = block?;
        self.read_bytes = 0;
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.read_bytes == self.block.len() && !self.is_done {
            self.next_block()?;
        }

        let mut rest = &self.block[self.read_bytes..];
        let count = rest.read(out)?;
        self.read_bytes += count;
        Ok(count)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::InvalidData.into())
        }
    }

    /// The end of reading ahead, the bytes of the stream, and the error at its end.
    fn read_ahead(
        mut input: impl Read + Send,
        bytes: Option<u64>,
    ) -> (ReadAheadEnd, Vec<u8>, Option<io::ErrorKind>) {
        let (writer, mut stream) = stream();
        thread::scope(|threads| {
            let writing = threads.spawn(move || writer.copy_all(&mut input, bytes));
            let mut out = Vec::new();
            let read = stream.read_to_end(&mut out);

            // A stream at its end stays there.
            assert!(matches!(stream.read(&mut [0]), Ok(0)));

            let end = writing.join().expect("no panic");
            (end, out, read.err().map(|error| error.kind()))
        })
    }

    #[test]
    fn all_bytes_come_in_order() {
        let bytes: Vec<u8> = (0..9 * BLOCK_BYTES + 7).map(|n| (n % 251) as u8).collect();
        let length = bytes.len() as u64;

        let (end, out, error) = read_ahead(&*bytes, Some(length));

        assert_eq!((end, error), (ReadAheadEnd::Whole, None));
        assert!(out == bytes);
    }

    #[test]
    fn whole_blocks_have_an_end() {
        let bytes = vec![b'x'; 2 * BLOCK_BYTES];

        let (end, out, error) = read_ahead(&*bytes, None);

        assert_eq!((end, error), (ReadAheadEnd::Whole, None));
        assert!(out == bytes);
    }

    #[test]
    fn an_error_comes_after_what_was_read() {
        let (read_ahead, out, error) = read_ahead(b"1. e4".chain(Broken), None);
        assert_eq!((read_ahead, &*out), (ReadAheadEnd::Broken, &b"1. e4"[..]));
        assert_eq!(error, Some(io::ErrorKind::InvalidData));
    }

    #[test]
    fn too_few_bytes_are_an_error() {
        let (read_ahead, out, error) = read_ahead(&b"1. e4"[..], Some(6));
        assert_eq!((read_ahead, &*out), (ReadAheadEnd::Broken, &b"1. e4"[..]));
        assert_eq!(error, Some(io::ErrorKind::UnexpectedEof));
    }

    #[test]
    fn the_writer_stops_when_the_reader_is_dropped() {
        let (writer, stream) = stream();
        drop(stream);

        let end = writer.copy_all(&mut io::repeat(b'x'), None);

        assert_eq!(end, ReadAheadEnd::Unwanted);
    }

    #[test]
    fn a_vanished_writer_is_not_the_end() {
        let (writer, mut stream) = stream();
        drop(writer);
        assert!(stream.read(&mut [0]).is_err());
    }
}

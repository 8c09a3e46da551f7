//! Reads a source ahead on another thread, by a bounded number of blocks.

use std::fmt;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The size of a read.
const BLOCK_BYTES: usize = 1 << 18;
/// The maximum number of blocks waiting.
const BLOCKS_AHEAD: usize = 16;

type Block = io::Result<Vec<u8>>;

/// The bytes of a source, read ahead by another thread.
pub(crate) struct Stream {
    blocks: Receiver<Block>,
    block: Vec<u8>,
    /// How much of the block has been consumed.
    taken: usize,
    is_done: bool,
}

/// The writing end of a [`Stream`].
pub(super) struct Feed(SyncSender<Block>);

/// The reason why reading ahead has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fed {
    /// The end was reached.
    Whole,
    /// Reading failed.
    Broken,
    /// The reader was dropped.
    Unwanted,
}

/// A connected pair of a writing end and a stream.
pub(super) fn stream() -> (Feed, Stream) {
    let (sender, blocks) = sync_channel(BLOCKS_AHEAD);
    (Feed(sender), Stream { blocks, block: Vec::new(), taken: 0, is_done: false })
}

impl Feed {
    /// Reads all of an input, whose size in bytes may be known.
    pub(super) fn all_of(self, input: &mut impl Read, bytes: Option<u64>) -> Fed {
        let mut read = 0;
        loop {
            let mut block = Vec::with_capacity(BLOCK_BYTES);
            let end = input.take(BLOCK_BYTES as u64).read_to_end(&mut block);
            read += block.len() as u64;
            let is_end = block.len() < BLOCK_BYTES;
            if !block.is_empty() && self.0.send(Ok(block)).is_err() {
                return Fed::Unwanted;
            }
            let end = match end {
                Ok(_) if !is_end => continue,
                // An empty block marks the end, so that a vanished thread is not mistaken for it.
                Ok(_) if bytes.is_none_or(|bytes| bytes == read) => Ok(Vec::new()),
                Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
                Err(error) => Err(error),
            };
            let fed = if end.is_ok() { Fed::Whole } else { Fed::Broken };
            return self.0.send(end).map_or(Fed::Unwanted, |()| fed);
        }
    }
}

impl Stream {
    fn next_block(&mut self) -> io::Result<()> {
        let vanished = |_| io::Error::other("reading has stopped");
        let block = self.blocks.recv().map_err(vanished).flatten();
        self.is_done = block.as_ref().map_or(true, Vec::is_empty);
        (self.block, self.taken) = (block?, 0);
        Ok(())
    }
}

impl Read for Stream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.block.len() && !self.is_done {
            self.next_block()?;
        }
        let read = (&self.block[self.taken..]).read(out)?;
        self.taken += read;
        Ok(read)
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

    /// What comes out of a stream, and how it ends.
    fn fed(
        mut input: impl Read + Send,
        bytes: Option<u64>,
    ) -> (Fed, Vec<u8>, Option<io::ErrorKind>) {
        let (feed, mut stream) = stream();
        thread::scope(|threads| {
            let feeding = threads.spawn(move || feed.all_of(&mut input, bytes));
            let mut out = Vec::new();
            let end = stream.read_to_end(&mut out);
            // A stream at its end stays there.
            assert!(matches!(stream.read(&mut [0]), Ok(0)));
            (feeding.join().expect("no panic"), out, end.err().map(|error| error.kind()))
        })
    }

    #[test]
    fn all_bytes_come_in_order() {
        let bytes: Vec<u8> = (0..9 * BLOCK_BYTES + 7).map(|n| (n % 251) as u8).collect();
        let length = bytes.len() as u64;
        assert_eq!(fed(&*bytes, Some(length)), (Fed::Whole, bytes, None));
    }

    #[test]
    fn whole_blocks_have_an_end() {
        let bytes = vec![b'x'; 2 * BLOCK_BYTES];
        assert_eq!(fed(&*bytes, None), (Fed::Whole, bytes, None));
    }

    #[test]
    fn an_error_comes_after_what_was_read() {
        let (fed, out, error) = fed(b"1. e4".chain(Broken), None);
        assert_eq!((fed, &*out), (Fed::Broken, &b"1. e4"[..]));
        assert_eq!(error, Some(io::ErrorKind::InvalidData));
    }

    #[test]
    fn too_few_bytes_are_an_error() {
        let (fed, out, error) = fed(&b"1. e4"[..], Some(6));
        assert_eq!((fed, &*out), (Fed::Broken, &b"1. e4"[..]));
        assert_eq!(error, Some(io::ErrorKind::UnexpectedEof));
    }

    #[test]
    fn whoever_feeds_ends_when_nobody_listens() {
        let (feed, stream) = stream();
        drop(stream);
        assert_eq!(feed.all_of(&mut io::repeat(b'x'), None), Fed::Unwanted);
    }

    #[test]
    fn a_feed_that_vanishes_is_no_end() {
        let (feed, mut stream) = stream();
        drop(feed);
        assert!(stream.read(&mut [0]).is_err());
    }
}

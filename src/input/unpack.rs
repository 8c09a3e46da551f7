//! Finds the sources in a file on a separate thread, which decompresses files and extracts archives.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::ahead::{ReadAheadEnd, stream};
#[cfg(feature = "compressed")]
use super::compressed::decompress;
use super::content::{Consumed, Content, Counted, Failing, RowKind, Source, UnpackLimits};
use super::kind::{BEGINNING_BYTES, Kind};
use crate::error::{Error, Result};

/// The maximum nesting of archives.
const MAX_DEPTH: usize = 8;

/// Bytes to unpack.
#[cfg_attr(
    not(feature = "compressed"),
    expect(dead_code, reason = "archives ask for more than what is plain")
)]
pub(super) struct Packed<'r> {
    pub(super) name: PathBuf,
    pub(super) bytes: Box<dyn Read + 'r>,
    /// The number of bytes, if known.
    pub(super) size: Option<u64>,
    /// A seekable file with the bytes, if available.
    pub(super) file: Option<Counted<File>>,
    /// The number of enclosing archives.
    pub(super) depth: usize,
    /// The memory left for decompression windows.
    pub(super) window_bytes: u64,
    /// `true` if the user named this input; `false` if it was found in a folder.
    pub(super) is_named: bool,
    /// The content of the rows of a table.
    pub(super) rows: RowKind,
}

/// The reason why no more of an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The input cannot be read, which has been reported.
    Broken,
    /// The receiver was dropped.
    Unwanted,
}

/// `Ok` to continue after an input, or the reason to stop.
pub(super) type Walk = std::result::Result<(), Stop>;

/// The sources of an input, received from the thread that unpacks it.
#[derive(Debug)]
pub(super) struct Unpacked {
    name: PathBuf,
    sources: Receiver<Result<Source>>,
    thread: Option<JoinHandle<()>>,
}

impl Unpacked {
    /// Starts unpacking the result of `open` on the other thread.
    pub(super) fn new(
        name: &Path,
        consumed: Consumed,
        limits: UnpackLimits,
        open: impl FnOnce() -> Packed<'static> + Send + 'static,
    ) -> Result<Unpacked> {
        Unpacked::start(name, consumed, limits, |unpacker| unpacker.walk(open()))
    }

    /// Starts passing on sources on the other thread.
    pub(super) fn start(
        name: &Path,
        consumed: Consumed,
        limits: UnpackLimits,
        pass_on: impl FnOnce(&Unpacker) -> Walk + Send + 'static,
    ) -> Result<Unpacked> {
        // Without a buffer, the thread is at most one source ahead of the receiver.
        let (sender, sources) = sync_channel(0);
        let unpacker = Unpacker {
            sender,
            consumed,
            limits,
        };
        let unpack = move || {
            // The reason for a stop has been reported or was intended.
            let _ = pass_on(&unpacker);
        };

        let thread = thread::Builder::new()
            .name("unpack".to_owned())
            .spawn(unpack)
            .map_err(Error::file(name))?;
        Ok(Unpacked {
            name: name.to_owned(),
            sources,
            thread: Some(thread),
        })
    }
}

impl Iterator for Unpacked {
    type Item = Result<Source>;

    fn next(&mut self) -> Option<Result<Source>> {
        if let Ok(source) = self.sources.recv() {
            return Some(source);
        }

        // A thread that has panicked must not look like the end of the input.
        match self.thread.take()?.join() {
            Ok(()) => None,
            Err(_) => {
                let error = io::Error::other("reading has stopped");
                Some(Err(Error::stream(&self.name, 0, error)))
            }
        }
    }
}

/// Finds the sources of an input, and sends them to the receiver.
pub(super) struct Unpacker {
    sender: SyncSender<Result<Source>>,
    pub(super) consumed: Consumed,
    pub(super) limits: UnpackLimits,
}

impl Unpacker {
    /// Passes on all sources of an input.
    pub(super) fn walk(&self, mut packed: Packed<'_>) -> Walk {
        let mut beginning = Vec::with_capacity(BEGINNING_BYTES);
        let read = packed
            .bytes
            .by_ref()
            .take(BEGINNING_BYTES as u64)
            .read_to_end(&mut beginning);

        // Content nested deeper is read as PGN, whatever it is.
        let kind = if packed.depth < MAX_DEPTH {
            Kind::of_named(&beginning, &packed.name)
        } else {
            Kind::Plain
        };

        // The bytes before a read error are content. The error is delivered behind these bytes.
        let rest: Box<dyn Read + '_> = match read {
            Ok(_) => packed.bytes,
            Err(error) => Box::new(Failing(Some(error))),
        };
        packed.bytes = Box::new(io::Cursor::new(beginning).chain(rest));

        match kind {
            Kind::Plain => self.pass_on_plain(packed),
            Kind::Foreign(kind) => self.refuse(Error::ForeignArchive {
                name: packed.name,
                kind: kind.name(),
                command: kind.command(),
            }),
            Kind::Other(format) => self.refuse(Error::NotPgn {
                name: packed.name,
                format: format.name(),
                advice: format.advice(),
            }),
            Kind::Parquet => self.parquet(packed),
            kind => self.open(kind, packed),
        }
    }

    #[cfg(feature = "compressed")]
    fn open(&self, kind: Kind, packed: Packed<'_>) -> Walk {
        match kind {
            Kind::Compressed(compression) => {
                let max_window_bytes = packed.window_bytes;
                let is_file = packed.file.is_some();
                let opened = decompress(packed.bytes, compression, max_window_bytes, is_file);
                let bytes = match opened {
                    Ok(bytes) => bytes,
                    Err(error) => return self.fail(Error::stream(&packed.name, 0, error)),
                };

                // The windows of nested content are in memory together, so the next one gets half of the limit.
                let window_bytes = if compression.has_window() {
                    max_window_bytes / 2
                } else {
                    max_window_bytes
                };
                let depth = packed.depth + 1;
                self.walk(Packed {
                    bytes,
                    size: None,
                    file: None,
                    depth,
                    window_bytes,
                    ..packed
                })
            }
            Kind::Tar => self.tar(packed),
            Kind::Zip => self.zip(packed),
            Kind::SevenZip => self.seven_zip(packed),
            Kind::Plain | Kind::Parquet | Kind::Foreign(_) | Kind::Other(_) => Ok(()),
        }
    }

    #[cfg(not(feature = "compressed"))]
    fn open(&self, _: Kind, packed: Packed<'_>) -> Walk {
        let reason = io::Error::other("this program reads nothing that is compressed");
        self.fail(Error::stream(&packed.name, 0, reason))
    }

    #[cfg(not(feature = "dataset"))]
    fn parquet(&self, packed: Packed<'_>) -> Walk {
        let reason = "this program is built without Parquet".to_owned();
        self.fail(Error::UnreadableParquet {
            name: packed.name,
            reason,
        })
    }

    /// Passes on plain content, neither compressed nor an archive.
    fn pass_on_plain(&self, packed: Packed<'_>) -> Walk {
        self.pass_on_text(packed, false)
    }

    /// Passes on text. `is_of_records` is `true` if the text is made from records.
    pub(super) fn pass_on_text(&self, mut packed: Packed<'_>, is_of_records: bool) -> Walk {
        let (writer, stream) = stream();
        let Packed { name, size, .. } = packed;
        let source = Source {
            name,
            size,
            content: Content::Stream(stream),
            consumed: self.consumed.clone(),
            is_of_records,
            database: None,
        };

        // The receiver reads the stream while this thread writes it.
        self.send(Ok(source))?;
        match writer.copy_all(&mut packed.bytes, size) {
            ReadAheadEnd::Broken => Err(Stop::Broken),
            ReadAheadEnd::Whole | ReadAheadEnd::Unwanted => Ok(()),
        }
    }

    /// Reports an unsupported input, and continues after it.
    pub(super) fn refuse(&self, error: Error) -> Walk {
        self.send(Err(error))
    }

    /// Reports why an input cannot be read, and stops.
    pub(super) fn fail(&self, error: Error) -> Walk {
        Err(self.report(error))
    }

    /// Reports why an input cannot be read; returns the reason to stop.
    pub(super) fn report(&self, error: Error) -> Stop {
        match self.send(Err(error)) {
            Ok(()) => Stop::Broken,
            Err(stop) => stop,
        }
    }

    /// Sends a source or an error to the receiver.
    pub(super) fn send(&self, source: Result<Source>) -> Walk {
        self.sender.send(source).map_err(|_| Stop::Unwanted)
    }
}

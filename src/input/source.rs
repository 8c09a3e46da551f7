//! Inputs that users name, and the sources in them.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::content::{Consumed, Content, Counted, RowKind, Source, UnpackLimits};
use super::database_files::{DatabaseFiles, meant_index};
use super::format::Format;
use super::kind::{BEGINNING_BYTES, Kind};
use super::map::MappedFile;
use super::unpack::{Packed, Unpacked, Unpacker};
use crate::error::{Error, Result};

/// The maximum number of bytes at the beginning of a stream that are examined before the stream is read.
const MAX_EXAMINED_BYTES: u64 = 1 << 20;

/// A file, a pipe, or standard input. The content may be compressed or an archive. A file may name a database of
/// another program.
#[derive(Clone, Debug)]
pub struct Input {
    origin: Origin,
    is_named: bool,
    is_mapped: bool,
    skips_deleted: bool,
    rows: RowKind,
    limits: UnpackLimits,
}

#[derive(Clone, Debug)]
enum Origin {
    File(PathBuf),
    /// A source that can be read only once.
    Once {
        pipe: Pipe,
        /// The first bytes, which have been examined.
        seen: Vec<u8>,
        /// `true` if `seen` has all bytes of the source.
        is_all: bool,
    },
}

/// A source that can be read only once.
#[derive(Clone, Debug)]
enum Pipe {
    StandardInput,
    /// A pipe with a name, like `/dev/fd/63`, and its handle once something has been read.
    Named(PathBuf, Option<Arc<File>>),
}

impl Pipe {
    fn name(&self) -> &Path {
        match self {
            Pipe::StandardInput => Path::new("standard input"),
            Pipe::Named(path, _) => path,
        }
    }

    /// A reader of the bytes that have not been read yet.
    fn reader(&mut self) -> Result<Box<dyn Read + Send>> {
        let (path, opened) = match self {
            Pipe::StandardInput => return Ok(Box::new(io::stdin())),
            Pipe::Named(path, opened) => (path, opened),
        };

        let file = match opened {
            Some(file) => Arc::clone(file),
            None => {
                let file = File::open(&path).map_err(Error::file(path))?;
                Arc::new(file)
            }
        };
        *opened = Some(Arc::clone(&file));
        Ok(Box::new(file))
    }

    fn error(&self, error: io::Error) -> Error {
        match self {
            Pipe::StandardInput => Error::Input(error),
            Pipe::Named(path, _) => Error::file(path)(error),
        }
    }
}

impl Input {
    /// A file, or a named pipe. A database of Scid has three files: any of them names the database, with or without its
    /// extension.
    pub fn file(path: impl Into<PathBuf>) -> Input {
        let given = path.into();
        let path = meant_index(&given).unwrap_or(given);
        if is_pipe(&path) {
            return Input::once(Pipe::Named(path, None));
        }

        Input {
            // On other systems, a mapping keeps other programs from truncating the file, which would hinder its owner.
            // There, files are read as streams.
            is_mapped: cfg!(unix),
            ..Input::new(Origin::File(path))
        }
    }

    /// Standard input, to its end.
    pub fn standard_input() -> Input {
        Input::once(Pipe::StandardInput)
    }

    fn once(pipe: Pipe) -> Input {
        Input::new(Origin::Once {
            pipe,
            seen: Vec::new(),
            is_all: false,
        })
    }

    /// An input that is read as a stream, with the default options.
    fn new(origin: Origin) -> Input {
        Input {
            origin,
            is_named: true,
            is_mapped: false,
            skips_deleted: false,
            rows: RowKind::Games,
            limits: UnpackLimits::default(),
        }
    }

    /// Marks the input as a file found in a folder, where an archive need not contain PGN.
    pub fn in_folder(self) -> Input {
        Input {
            is_named: false,
            ..self
        }
    }

    /// Reads the input as a stream instead of mapping it into memory.
    pub fn as_stream(self) -> Input {
        Input {
            is_mapped: false,
            ..self
        }
    }

    /// Sets the limits on unpacking.
    pub fn with_limits(self, limits: UnpackLimits) -> Input {
        Input { limits, ..self }
    }

    /// Leaves out the games that a database of another program marks as deleted.
    pub fn without_deleted(self) -> Input {
        Input {
            skips_deleted: true,
            ..self
        }
    }

    /// Reads the rows of a Parquet file as evaluations of positions instead of games.
    pub(crate) fn of_evaluations(self) -> Input {
        Input {
            rows: RowKind::Evaluations,
            ..self
        }
    }

    /// The name of the input in messages.
    pub fn name(&self) -> &Path {
        match &self.origin {
            Origin::File(path) => path,
            Origin::Once { pipe, .. } => pipe.name(),
        }
    }

    /// The path of a file; `None` for streams.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Once { .. } => None,
        }
    }

    /// The size of the input in bytes as stored, if known; for a database of another program, the size of all its
    /// files.
    pub fn bytes(&self) -> Option<u64> {
        let path = self.path()?;
        let file_bytes = fs::metadata(path).ok()?.len();

        match DatabaseFiles::of(path) {
            Some(files) => Some(files.bytes()),
            None => Some(file_bytes),
        }
    }

    /// All sources in the input, in order. For a source that cannot be read, there is an error in its place.
    ///
    /// The content before damage is delivered before the error.
    ///
    /// # Errors
    /// If the input cannot be opened.
    pub(crate) fn sources(&self) -> Result<Sources> {
        match &self.origin {
            Origin::File(path) => self.sources_of_file(path),
            Origin::Once { pipe, seen, .. } => {
                let rest = pipe.clone().reader()?;
                self.sources_of_stream(io::Cursor::new(seen.clone()).chain(rest))
            }
        }
    }

    /// The sources that can be examined before the import: all sources of a file, or the sources in the beginning of a
    /// stream. The beginning is delivered again when the stream is read. The second value is `true` if there are no
    /// further sources.
    ///
    /// # Errors
    /// If the input cannot be opened or read.
    pub(crate) fn examine(&mut self) -> Result<(Sources, bool)> {
        self.examine_beginning()?;

        match &self.origin {
            Origin::File(_) => Ok((self.sources()?, true)),
            Origin::Once { seen, is_all, .. } => {
                let sources = self.sources_of_stream(io::Cursor::new(seen.clone()))?;
                Ok((sources, *is_all))
            }
        }
    }

    /// Reads the beginning of a stream, unless it has been read before.
    fn examine_beginning(&mut self) -> Result<()> {
        let Origin::Once { pipe, seen, is_all } = &mut self.origin else {
            return Ok(());
        };

        // The difference cannot be negative, because `seen` is filled only here.
        let unseen_bytes = MAX_EXAMINED_BYTES - seen.len() as u64;
        let read = pipe.reader()?.take(unseen_bytes).read_to_end(seen);
        read.map_err(|error| pipe.error(error))?;

        *is_all = (seen.len() as u64) < MAX_EXAMINED_BYTES;
        Ok(())
    }

    /// The sources of a file, which is mapped into memory if it is plain.
    fn sources_of_file(&self, path: &Path) -> Result<Sources> {
        let (file, size, kind) = open(path).map_err(Error::file(path))?;

        let is_database = matches!(
            kind,
            Kind::Other(Format::Scid | Format::ChessBase | Format::ChessBaseArchive)
        );
        if is_database && let Some(files) = DatabaseFiles::of(path) {
            return self.sources_of_database(path, files);
        }

        // Files that cannot be mapped may still be readable.
        let is_plain = kind == Kind::Plain;
        let second_handle = || file.try_clone().map_err(Error::file(path));
        if self.is_mapped
            && is_plain
            && let Ok(map) = MappedFile::of(second_handle()?)
        {
            return Ok(Sources::of_mapped(path, size, map));
        }

        // Archives and Parquet files are read at several places, by the second handle.
        let consumed = Consumed::default();
        let seekable = Counted(second_handle()?, consumed.clone());
        // If the file grows meanwhile, only the bytes that it had when it was opened are read.
        let bytes = Counted(file, consumed.clone()).take(size);

        let name = path.to_owned();
        let is_named = self.is_named;
        let window_bytes = self.limits.window_bytes;
        let rows = self.rows;
        let unpacked = Unpacked::new(path, consumed, self.limits, move || Packed {
            window_bytes,
            name,
            bytes: Box::new(bytes),
            // The size after unpacking is not known.
            size: is_plain.then_some(size),
            file: Some(seekable),
            depth: 0,
            is_named,
            rows,
        });
        Ok(Sources(Feed::Unpacked(unpacked?)))
    }

    /// The source of another program's database.
    fn sources_of_database(&self, path: &Path, files: DatabaseFiles) -> Result<Sources> {
        let skips_deleted = self.skips_deleted;
        let pass_on = move |unpacker: &Unpacker| files.pass_on(unpacker, skips_deleted);

        let unpacked = Unpacked::start(path, Consumed::default(), self.limits, pass_on)?;
        Ok(Sources(Feed::Unpacked(unpacked)))
    }

    /// The sources of a stream, found on another thread.
    fn sources_of_stream(&self, bytes: impl Read + Send + 'static) -> Result<Sources> {
        let consumed = Consumed::default();
        let counted = Counted(bytes, consumed.clone());

        let name = self.name().to_owned();
        let window_bytes = self.limits.window_bytes;
        let rows = self.rows;
        let unpacked = Unpacked::new(self.name(), consumed, self.limits, move || Packed {
            window_bytes,
            name,
            bytes: Box::new(counted),
            size: None,
            file: None,
            depth: 0,
            is_named: true,
            rows,
        });
        Ok(Sources(Feed::Unpacked(unpacked?)))
    }
}

impl<P: AsRef<Path>> From<P> for Input {
    fn from(path: P) -> Input {
        Input::file(path.as_ref())
    }
}

/// The sources of an [`Input`].
#[derive(Debug)]
pub(crate) struct Sources(Feed);

#[derive(Debug)]
enum Feed {
    /// A file mapped into memory.
    File(Option<Source>),
    Unpacked(Unpacked),
}

impl Sources {
    /// The only source of a file mapped into memory.
    fn of_mapped(path: &Path, size: u64, map: MappedFile) -> Sources {
        let source = Source {
            name: path.to_owned(),
            size: Some(size),
            content: Content::Mapped(map),
            consumed: Consumed::default(),
            is_of_records: false,
            database: None,
        };
        Sources(Feed::File(Some(source)))
    }
}

impl Iterator for Sources {
    type Item = Result<Source>;

    fn next(&mut self) -> Option<Result<Source>> {
        match &mut self.0 {
            Feed::File(source) => source.take().map(Ok),
            Feed::Unpacked(unpacked) => unpacked.next(),
        }
    }
}

/// Returns `true` for a path that can be read only once: a pipe, or a terminal.
#[cfg(unix)]
pub(super) fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;

    match fs::metadata(path) {
        Ok(metadata) => {
            let kind = metadata.file_type();
            kind.is_fifo() || kind.is_char_device()
        }
        Err(_) => false,
    }
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_: &Path) -> bool {
    false
}

/// Opens a file at its beginning; returns its size in bytes and its kind.
fn open(path: &Path) -> io::Result<(File, u64, Kind)> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();

    let mut beginning = Vec::with_capacity(BEGINNING_BYTES);
    file.by_ref()
        .take(BEGINNING_BYTES as u64)
        .read_to_end(&mut beginning)?;
    file.seek(SeekFrom::Start(0))?;

    let kind = Kind::of_named(&beginning, path);
    Ok((file, size, kind))
}

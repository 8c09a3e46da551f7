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

/// The size of the prefix of a stream that may be examined before it is read.
const LOOKED_AT_BYTES: u64 = 1 << 20;

/// A file, a pipe, or standard input. Its content may be compressed or an archive; a file may be one of a database of Scid.
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
    /// A source that can be read only once, the bytes examined, and whether those are all.
    Once {
        pipe: Pipe,
        seen: Vec<u8>,
        is_all: bool,
    },
}

/// A source that can be read only once.
#[derive(Clone, Debug)]
enum Pipe {
    StandardInput,
    /// A pipe with a name, like `/dev/fd/63`, and a handle to it once something has been read.
    Named(PathBuf, Option<Arc<File>>),
}

impl Pipe {
    fn name(&self) -> &Path {
        match self {
            Pipe::StandardInput => Path::new("standard input"),
            Pipe::Named(path, _) => path,
        }
    }

    /// A reader of the rest.
    fn reader(&mut self) -> Result<Box<dyn Read + Send>> {
        let (path, opened) = match self {
            Pipe::StandardInput => return Ok(Box::new(io::stdin())),
            Pipe::Named(path, opened) => (path, opened),
        };
        let file = match opened {
            Some(file) => Arc::clone(file),
            None => Arc::new(File::open(&path).map_err(Error::file(path))?),
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
    /// A file, or a named pipe. A database of Scid has three files, each of which names it, as do their names without
    /// extension.
    pub fn file(path: impl Into<PathBuf>) -> Input {
        let given = path.into();
        let path = meant_index(&given).unwrap_or(given);
        if is_pipe(&path) {
            return Input::once(Pipe::Named(path, None));
        }
        // On other systems, a mapped file cannot be truncated, which would hinder its owner.
        Input {
            origin: Origin::File(path),
            is_named: true,
            is_mapped: cfg!(unix),
            skips_deleted: false,
            rows: RowKind::Games,
            limits: UnpackLimits::default(),
        }
    }

    /// Standard input, to its end.
    pub fn standard_input() -> Input {
        Input::once(Pipe::StandardInput)
    }

    fn once(pipe: Pipe) -> Input {
        let origin = Origin::Once {
            pipe,
            seen: Vec::new(),
            is_all: false,
        };
        Input {
            origin,
            is_named: true,
            is_mapped: false,
            skips_deleted: false,
            rows: RowKind::Games,
            limits: UnpackLimits::default(),
        }
    }

    /// The same for a file found in a folder, where an archive need not contain PGN.
    pub fn found(self) -> Input {
        Input {
            is_named: false,
            ..self
        }
    }

    /// The same, read as a stream instead of being mapped into memory.
    pub fn streamed(self) -> Input {
        Input {
            is_mapped: false,
            ..self
        }
    }

    /// The same with these limits on unpacking.
    pub fn limited(self, limits: UnpackLimits) -> Input {
        Input { limits, ..self }
    }

    /// The same without the games that a database of another program marks as deleted.
    pub fn without_deleted(self) -> Input {
        Input {
            skips_deleted: true,
            ..self
        }
    }

    /// The same with evaluations of positions in place of games: the rows of a Parquet file are read as such.
    pub(crate) fn of_evaluations(self) -> Input {
        Input {
            rows: RowKind::Evaluations,
            ..self
        }
    }

    /// Its name in messages.
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

    /// Its size in bytes as stored, if known.
    pub fn bytes(&self) -> Option<u64> {
        let path = self.path()?;
        let bytes = fs::metadata(path).ok()?.len();
        Some(DatabaseFiles::of(path).map_or(bytes, |files| files.bytes()))
    }

    /// All sources in it, in order. One that cannot be read is an error in its place.
    ///
    /// Content before damage comes before the error.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(crate) fn sources(&self) -> Result<Sources> {
        match &self.origin {
            Origin::File(path) => self.sources_of_file(path),
            Origin::Once { pipe, seen, .. } => {
                let rest = pipe.clone().reader()?;
                self.unpacked(io::Cursor::new(seen.clone()).chain(rest))
            }
        }
    }

    /// The content available before the import: all of a file, or the beginning of a stream, which is delivered again
    /// later; and whether that is everything.
    ///
    /// # Errors
    /// If it cannot be opened or read.
    /// When it cannot be opened or read.
    pub(crate) fn look(&mut self) -> Result<(Sources, bool)> {
        if let Origin::Once { pipe, seen, is_all } = &mut self.origin {
            let rest = pipe
                .reader()?
                .take(LOOKED_AT_BYTES - seen.len() as u64)
                .read_to_end(seen);
            rest.map_err(|error| pipe.error(error))?;
            *is_all = (seen.len() as u64) < LOOKED_AT_BYTES;
        }
        match &self.origin {
            Origin::File(_) => Ok((self.sources()?, true)),
            Origin::Once { seen, is_all, .. } => {
                Ok((self.unpacked(io::Cursor::new(seen.clone()))?, *is_all))
            }
        }
    }

    fn sources_of_file(&self, path: &Path) -> Result<Sources> {
        let (file, size, kind) = open(path).map_err(Error::file(path))?;
        let is_database = matches!(
            kind,
            Kind::Other(Format::Scid | Format::ChessBase | Format::ChessBaseArchive)
        );
        if is_database && let Some(files) = DatabaseFiles::of(path) {
            let skips_deleted = self.skips_deleted;
            let pass_on = move |unpacker: &Unpacker| files.pass_on(unpacker, skips_deleted);
            let unpacked = Unpacked::start(path, Consumed::default(), self.limits, pass_on);
            return Ok(Sources(Feed::Unpacked(unpacked?)));
        }
        let twin = || file.try_clone().map_err(Error::file(path));
        // Files that cannot be mapped may still be readable.
        if self.is_mapped
            && kind == Kind::Plain
            && let Ok(map) = MappedFile::of(twin()?)
        {
            let source = Source {
                name: path.to_owned(),
                size: Some(size),
                content: Content::Mapped(map),
                consumed: Consumed::default(),
                database: None,
            };
            return Ok(Sources(Feed::File(Some(source))));
        }
        let (is_plain, is_named, name) = (kind == Kind::Plain, self.is_named, path.to_owned());
        let consumed = Consumed::default();
        let twin = Counted(twin()?, consumed.clone());
        // A file that grows meanwhile ends where it ended.
        let bytes = Counted(file, consumed.clone()).take(size);
        let (window_bytes, rows) = (self.limits.window_bytes, self.rows);
        let unpacked = Unpacked::new(path, consumed, self.limits, move || Packed {
            window_bytes,
            name,
            bytes: Box::new(bytes),
            size: is_plain.then_some(size),
            file: Some(twin),
            depth: 0,
            is_named,
            rows,
        });
        Ok(Sources(Feed::Unpacked(unpacked?)))
    }

    fn unpacked(&self, bytes: impl Read + Send + 'static) -> Result<Sources> {
        let (name, consumed) = (self.name().to_owned(), Consumed::default());
        let bytes = Counted(bytes, consumed.clone());
        let (window_bytes, rows) = (self.limits.window_bytes, self.rows);
        let unpacked = Unpacked::new(self.name(), consumed, self.limits, move || Packed {
            window_bytes,
            name,
            bytes: Box::new(bytes),
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
    let kind = fs::metadata(path).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device())
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
    Ok((file, size, Kind::of_named(&beginning, path)))
}

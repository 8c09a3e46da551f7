//! The sources of an input, one after the other: which are known already, and which were cut short.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::channel;

use super::{Begun, Import, ProblemLog, Tally, of_file, of_stream};
use crate::error::{Error, Result};
use crate::index::Run;
use crate::input::{Content, Encoding, Input, MappedFile, Source, Stream};
use crate::storage::GameWriter;

/// How much of a file is hashed at once to see whether it is known.
const HASHED_BYTES: usize = 1 << 24;
/// A stream that is no longer is known or not before anything of it is written.
const HELD_BYTES: u64 = 8 << 20;

/// `true` when there is a game in an input, or may be in what cannot be looked at; `encoding` is that of
/// [`Options::encoding`](super::Options::encoding).
///
/// # Errors
/// When it cannot be read, and there is no game in what can.
pub fn has_game(input: &mut Input, encoding: Option<Encoding>) -> Result<bool> {
    let (sources, is_all) = input.look()?;
    let mut failure = None;
    for source in sources {
        match source.map(|source| source_has_game(source, encoding)) {
            Ok(Ok(true)) => return Ok(true),
            Ok(Ok(false)) => {}
            Ok(Err(error)) | Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(error) if is_all => Err(error),
        _ => Ok(!is_all),
    }
}

fn source_has_game(source: Source, encoding: Option<Encoding>) -> Result<bool> {
    let mut failure = None;
    let has_game = match source.content {
        Content::Mapped(file) => of_file(&file, encoding).any(|batch| batch.has_game()),
        Content::Stream(stream) => {
            of_stream(stream, encoding, &mut failure).any(|batch| batch.has_game())
        }
    };
    match failure.filter(|_| !has_game) {
        Some(error) => Err(Error::stream(&source.name, 0, error)),
        None => Ok(has_game),
    }
}

/// Whether a source is imported.
#[derive(Debug)]
enum Taken {
    /// It is now.
    Imported,
    /// It has been before, as far as it could be read now.
    Known(Option<Error>),
}

/// A stream of which the beginning has been read, and which is hashed while it is.
struct Held {
    beginning: Cursor<Vec<u8>>,
    stream: Hashed<Stream>,
    /// Why there is no more than the beginning.
    failure: Option<io::Error>,
    is_all: bool,
}

impl Held {
    fn new(stream: Stream) -> Held {
        let mut stream = Hashed { input: stream, hasher: blake3::Hasher::new(), bytes: 0 };
        let mut beginning = Vec::new();
        let failure = stream.by_ref().take(HELD_BYTES).read_to_end(&mut beginning).err();
        let is_all = failure.is_some() || (beginning.len() as u64) < HELD_BYTES;
        Held { beginning: Cursor::new(beginning), stream, failure, is_all }
    }

    /// How many bytes have been read, and their hash.
    fn read_so_far(&self) -> (u64, blake3::Hash) {
        (self.stream.bytes, self.stream.hasher.finalize())
    }
}

impl Read for Held {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.beginning.read(out)? {
            0 if out.is_empty() => Ok(0),
            0 => self.failure.take().map_or_else(|| self.stream.read(out), Err),
            read => Ok(read),
        }
    }
}

struct Hashed<R> {
    input: R,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        self.hasher.update(&out[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

impl Import<'_> {
    /// Imports all sources of an input; what is wrong with some of them is noted.
    pub(super) fn input(&mut self, input: &Input, progress: &mut impl FnMut(&Tally)) -> Result<()> {
        let before = self.summary.tally.consumed;
        match input.sources() {
            Ok(sources) => {
                for source in sources {
                    let done = source.and_then(|source| self.source(source, before, progress));
                    self.note_failure(done)?;
                }
            }
            Err(error) => self.note_failure(Err(error))?,
        }
        self.summary.tally.consumed = before + input.bytes().unwrap_or_default();
        Ok(())
    }

    /// Notes what is wrong with a source; other errors end the import.
    fn note_failure(&mut self, done: Result<()>) -> Result<()> {
        match done {
            Err(error) if error.is_of_input() => {
                self.summary.failures.push(error);
                Ok(())
            }
            done => done,
        }
    }

    /// Imports a source; so many bytes of inputs before have been consumed.
    fn source(
        &mut self,
        source: Source,
        before: u64,
        progress: &mut impl FnMut(&Tally),
    ) -> Result<()> {
        let Source { name, size, content, consumed } = source;
        let taken = match content {
            Content::Mapped(file) => self.mapped(&name, &file, before, progress)?,
            Content::Stream(stream) => {
                let written = |tally: &mut Tally, _| {
                    tally.consumed = before + consumed.bytes();
                    progress(tally);
                };
                self.stream(&name, size, Held::new(stream), written)?
            }
        };
        match taken {
            Taken::Imported => Ok(()),
            Taken::Known(failure) => {
                self.summary.known.push(name);
                failure.map_or(Ok(()), Err)
            }
        }
    }

    fn mapped(
        &mut self,
        name: &Path,
        file: &MappedFile,
        before: u64,
        progress: &mut impl FnMut(&Tally),
    ) -> Result<Taken> {
        if self.knows_file(file)? {
            self.summary.tally.bytes += file.len() as u64;
            return Ok(Taken::Known(None));
        }
        let mut source = self.begin(name, file.len() as u64)?;
        let mut hasher = blake3::Hasher::new();
        // Files may be cut while they are read, so that the hash is known of what has been written.
        let (mut hash, mut bytes) = (hasher.clone(), 0);
        let (hashes, hashed) = channel();
        let batches = of_file(file, self.options.encoding).inspect(move |batch| {
            hasher.update(file.get(in_memory(batch.origin())).unwrap_or_default());
            // It is not asked for when writing has failed.
            let _ = hashes.send(hasher.clone());
        });
        let check = |range: &Range<u64>| match file.is_whole() {
            true => Ok(()),
            false => Err(Error::FileChanged { name: name.to_owned(), byte: range.start }),
        };
        let done = self.games(&mut source, batches, check, |tally, range| {
            (hash, bytes) = (hashed.recv().unwrap_or_default(), range.end);
            tally.consumed = before + bytes;
            progress(tally);
            file.release(in_memory(range));
        });
        match done {
            Err(error) if !error.is_of_input() => Err(error),
            done => self.end_at(source, bytes, &hash.finalize(), done.err()),
        }
    }

    fn stream(
        &mut self,
        name: &Path,
        size: Option<u64>,
        mut held: Held,
        written: impl FnMut(&mut Tally, Range<u64>),
    ) -> Result<Taken> {
        if !held.is_all && self.may_know(size)? {
            return self.attempt(|import| import.read(name, held, true, written));
        }
        let (bytes, hash) = held.read_so_far();
        if held.is_all && self.knows(bytes, &hash)? {
            self.summary.tally.bytes += bytes;
            let failure = held.failure.take();
            return Ok(Taken::Known(failure.map(|error| Error::stream(name, bytes, error))));
        }
        self.read(name, held, false, written)
    }

    /// Imports a stream. If it may be known, and is, it is not ended.
    fn read(
        &mut self,
        name: &Path,
        mut held: Held,
        may_be_known: bool,
        written: impl FnMut(&mut Tally, Range<u64>),
    ) -> Result<Taken> {
        let mut source = self.begin(name, 0)?;
        let mut failure = None;
        let batches = of_stream(&mut held, self.options.encoding, &mut failure);
        self.games(&mut source, batches, |_| Ok(()), written)?;
        let (bytes, hash) = held.read_so_far();
        let failure = failure.map(|error| Error::stream(name, bytes, error));
        if may_be_known && self.knows(bytes, &hash)? {
            return Ok(Taken::Known(failure));
        }
        self.end_at(source, bytes, &hash, failure)
    }

    /// Ends a source of which so many bytes have been read, all of them or those before a failure.
    fn end_at(
        &mut self,
        source: Begun<'_>,
        bytes: u64,
        hash: &blake3::Hash,
        failure: Option<Error>,
    ) -> Result<Taken> {
        let set = self.writer.set_source_bytes(source.id, bytes);
        set.map_err(|e| self.database.error(e))?;
        match (self.end(source, hash), failure) {
            (Ok(()) | Err(Error::NoGames(_)), Some(failure)) => Err(failure),
            (ended, _) => ended.map(|()| Taken::Imported),
        }
    }

    /// Imports what may turn out to be known, and takes it back then.
    fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<Taken>) -> Result<Taken> {
        let fail = |e| self.database.error(e);
        self.write_run()?;
        let (before, first_game) = (self.summary.so_far(), self.next_game);
        let log = self.options.problem_log.clone();
        let logged = log.as_ref().map(ProblemLog::written).transpose()?;
        self.database.begin_attempt()?;
        let taken = work(self);
        if matches!(&taken, Err(error) if !error.is_of_input()) {
            return taken;
        }
        let is_known = matches!(taken, Ok(Taken::Known(_)));
        if is_known {
            let memory = self.options.memory;
            self.run = Run::new(self.database.folder(), memory.run_limits());
            (self.next_game, self.run_first_game) = (first_game, first_game);
            self.summary.go_back(before);
            self.unlogged.clear();
            if let Some((log, logged)) = log.zip(logged) {
                log.go_back(logged)?;
            }
        }
        self.database.end_attempt(!is_known)?;
        if is_known {
            // What it remembers of names has been taken back.
            let names = self.options.memory.name_bytes();
            self.writer = GameWriter::new(&self.database.connection, names).map_err(fail)?;
        }
        taken
    }

    /// `true` when the bytes of a file have been imported before.
    fn knows_file(&self, file: &MappedFile) -> Result<bool> {
        let bytes = file.len() as u64;
        if !self.may_know(Some(bytes))? {
            return Ok(false);
        }
        let mut hasher = blake3::Hasher::new();
        for (number, part) in file.chunks(HASHED_BYTES).enumerate() {
            hasher.update(part);
            let start = number * HASHED_BYTES;
            file.release(start..start + part.len());
        }
        self.knows(bytes, &hasher.finalize())
    }

    /// `true` when so many bytes with this hash have been imported before.
    fn knows(&self, bytes: u64, hash: &blake3::Hash) -> Result<bool> {
        let hashes = self.writer.hashes_of_size(bytes);
        let hashes = hashes.map_err(|e| self.database.error(e))?;
        Ok(hashes.contains(&hash.as_bytes().to_vec()))
    }

    /// `true` when a source of this size may have been imported before, or where it is not known, one
    /// of more than [`HELD_BYTES`].
    fn may_know(&self, size: Option<u64>) -> Result<bool> {
        let found = match size {
            Some(bytes) => self.writer.has_source_of(bytes..=bytes),
            None => self.writer.has_source_of(HELD_BYTES..=u64::MAX >> 1),
        };
        found.map_err(|e| self.database.error(e))
    }
}

/// A place in a file that is in memory.
fn in_memory(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

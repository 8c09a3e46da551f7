//! The sources of inputs, one after the other: how each is read, and what is wrong with it.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;

use super::importer::Import;
use super::known::{ReadAgain, Recognized, Start, recognize};
use super::{Event, ReadOptions, Tally};
use crate::error::{Error, Result};
use crate::ingest::{Batch, HashedBatches, in_memory, of_file, of_stream};
use crate::input::{Content, Input, MappedFile, Source, Stream};
use crate::storage::{HEAD_BYTES, NewSource};

/// `true` when there is a game in an input, or may be in what cannot be looked at.
///
/// # Errors
/// When it cannot be read, and there is no game in what can.
pub fn has_game(input: &mut Input, options: ReadOptions) -> Result<bool> {
    let (sources, is_all) = input.look()?;
    let mut failure = None;
    for source in sources {
        match source.map(|source| source_has_game(source, options)) {
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

fn source_has_game(source: Source, options: ReadOptions) -> Result<bool> {
    let (mut failure, mut is_too_large) = (None, false);
    let mut is_game = |batch: &Batch<'_>| {
        is_too_large |= batch.ends_large_game();
        batch.has_game()
    };
    let has_game = match source.content {
        Content::Mapped(file) => of_file(&file, options).any(|batch| {
            file.release(in_memory(batch.origin()));
            is_game(&batch)
        }),
        Content::Stream(stream) => {
            of_stream(stream, options, &mut failure).any(|batch| is_game(&batch))
        }
    };
    match failure {
        _ if has_game => Ok(true),
        Some(error) => Err(Error::stream(&source.name, 0, error)),
        None if is_too_large => Err(Error::OnlyLargeGames(source.name)),
        None => Ok(false),
    }
}

/// A stream of which the head has been read.
struct Held {
    head: Cursor<Vec<u8>>,
    /// Why there is no more than the head.
    failure: Option<io::Error>,
    stream: Stream,
}

impl Held {
    fn new(mut stream: Stream) -> Held {
        let mut head = Vec::new();
        let failure = stream.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).err();
        Held { head: Cursor::new(head), failure, stream }
    }
}

impl Read for Held {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.head.read(out)? {
            0 if out.is_empty() => Ok(0),
            0 => self.failure.take().map_or_else(|| self.stream.read(out), Err),
            read => Ok(read),
        }
    }
}

impl Import<'_, '_> {
    /// Imports inputs until one cannot be written, or somebody asks to stop.
    pub(super) fn inputs(
        &mut self,
        inputs: impl IntoIterator<Item = impl Into<Input>>,
        progress: &mut impl FnMut(Event<'_>),
    ) -> Result<()> {
        for input in inputs {
            match self.input(&input.into(), progress) {
                Err(Error::Interrupted) => {
                    self.summary.is_interrupted = true;
                    return Ok(());
                }
                done => done?,
            }
        }
        Ok(())
    }

    /// Imports all sources of an input; what is wrong with some of them is noted.
    fn input(&mut self, input: &Input, progress: &mut impl FnMut(Event<'_>)) -> Result<()> {
        let before = self.summary.tally.consumed;
        match input.sources() {
            Ok(sources) => {
                for source in sources {
                    let done = source.and_then(|source| self.source(source, before, progress));
                    let done = match done {
                        Err(Error::LikeKnown(name)) if input.path().is_some() => {
                            self.source_once_more(input, &name, before, progress)
                        }
                        done => done,
                    };
                    self.note_failure(done)?;
                }
            }
            Err(error) => self.note_failure(Err(error))?,
        }
        self.summary.tally.consumed = before + input.bytes().unwrap_or_default();
        Ok(())
    }

    /// Reads a stream anew that was taken for a known source and is none.
    fn source_once_more(
        &mut self,
        input: &Input,
        name: &Path,
        before: u64,
        progress: &mut impl FnMut(Event<'_>),
    ) -> Result<()> {
        for source in input.sources()? {
            let source = source?;
            if source.name == name {
                let again = std::mem::replace(&mut self.options.again, true);
                let done = self.source(source, before, progress);
                self.options.again = again;
                return done;
            }
        }
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
        progress: &mut impl FnMut(Event<'_>),
    ) -> Result<()> {
        self.end_step_between_sources()?;
        let Source { name, size, content, consumed } = source;
        let earlier = self.summary.imported.len();
        let done = match content {
            Content::Mapped(file) => self.mapped(&name, &file, before, progress),
            Content::Stream(stream) => self.stream(&name, size, Held::new(stream), |tally| {
                tally.consumed = before + consumed.bytes();
                progress(Event::Written(tally));
            }),
        };
        self.summary.imported[earlier..].iter().for_each(|source| progress(Event::Ended(source)));
        done
    }

    fn mapped(
        &mut self,
        name: &Path,
        file: &MappedFile,
        before: u64,
        progress: &mut impl FnMut(Event<'_>),
    ) -> Result<()> {
        let head = &file[..HEAD_BYTES.min(file.len())];
        let bytes = Some(file.len() as u64);
        let mut known = self.known_with_head(head, bytes)?;
        let (mut feed, recognized) = loop {
            let mut feed = HashedBatches::of_file(file, self.options.read);
            match recognize(&mut feed, known) {
                Ok(Recognized { start: Start::Unfinished(source), .. })
                    if !self.is_last(&source) =>
                {
                    self.take_back_known(&source)?;
                    known = self.known_with_head(head, bytes)?;
                }
                Ok(recognized) => break (feed, recognized),
                Err(ReadAgain(others)) => known = others,
            }
        };
        let new = new_source(name, head, bytes);
        let Some(mut begun) = self.begin_source(name, &new, recognized.start)? else {
            self.summary.tally.bytes += file.len() as u64;
            return Ok(());
        };
        let check = |range: &Range<u64>| match file.is_whole() {
            true => Ok(()),
            false => Err(Error::FileChanged { name: name.to_owned(), byte: range.start }),
        };
        let batches = recognized.next.into_iter().chain(feed.by_ref());
        let done = self.games(&mut begun, batches, check, |tally, range| {
            tally.consumed = before + range.end;
            progress(Event::Written(tally));
            file.release(in_memory(range));
        });
        self.end_source(&begun, done, None)
    }

    fn stream(
        &mut self,
        name: &Path,
        size: Option<u64>,
        held: Held,
        mut written: impl FnMut(&mut Tally),
    ) -> Result<()> {
        let head = held.head.get_ref().clone();
        let known = self.known_with_head(&head, size)?;
        let mut failure = None;
        let mut feed = HashedBatches::of_stream(held, self.options.read, &mut failure);
        let recognized = match recognize(&mut feed, known) {
            Ok(Recognized { start: Start::Unfinished(source), .. }) if !self.is_last(&source) => {
                return Err(Error::NotTheLast { name: name.to_owned(), known: source.path });
            }
            Ok(recognized) => recognized,
            Err(ReadAgain(_)) => return Err(Error::LikeKnown(name.to_owned())),
        };
        let new = new_source(name, &head, size);
        let Some(mut begun) = self.begin_source(name, &new, recognized.start)? else {
            let bytes = feed.bytes();
            drop(feed);
            // What could not be read the last time cannot be read now.
            return failure.map_or(Ok(()), |error| Err(Error::stream(name, bytes, error)));
        };
        let batches = recognized.next.into_iter().chain(feed.by_ref());
        let done = self.games(&mut begun, batches, |_| Ok(()), |tally, _| written(tally));
        drop(feed);
        let failure = failure.map(|error| Error::stream(name, begun.read_bytes(), error));
        self.end_source(&begun, done, failure)
    }
}

fn new_source<'n>(name: &'n Path, head: &[u8], bytes: Option<u64>) -> NewSource<'n> {
    NewSource { path: name, bytes, head_hash: blake3::hash(head).into(), continues: None }
}

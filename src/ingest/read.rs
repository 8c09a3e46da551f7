//! Reads inputs, their sources and their batches into a sink, in order, and decides what ends a source or the run.

use std::borrow::Borrow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::batch::Batch;
use super::in_memory;
use super::languages::Preferred;
use super::replayed::{Replayed, choose_readings, replay};
use super::sink::{Batched, Begin, Findings, Sink, SourceBytes, SourceInfo, Worker};
use super::summary::{Summary, SummarySnapshot, Tally};
use crate::error::{Error, Result};
use crate::input::{Content, ForeignDatabase, Input, MappedFile, Source, Stream};
use crate::ordered::ordered_by_weight;
use crate::replay::Readings;

/// How sources are read.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The readings of moves to try.
    pub(crate) readings: Readings,
    /// The maximum number of batches in progress.
    pub(crate) batches: usize,
    /// Set from outside to end the run before its next batch.
    pub(crate) stop: Option<Arc<AtomicBool>>,
}

/// Reads all games of some inputs into a sink. [`Summary::failures`] names sources that cannot be read or have no game.
/// The other sources are read, and the games before damage, too.
///
/// # Errors
/// The errors of the sink.
pub(crate) fn ingest<S: Sink>(
    inputs: impl IntoIterator<Item = impl Borrow<Input>>,
    options: Options,
    sink: &mut S,
) -> Result<Summary> {
    let mut reader = Reader {
        options,
        sink,
        summary: Summary::default(),
    };

    for input in inputs {
        match reader.input(input.borrow()) {
            Err(Error::Interrupted) => {
                reader.summary.is_interrupted = true;
                break;
            }
            done => done?,
        }
    }

    Ok(reader.summary)
}

struct Reader<'s, S> {
    options: Options,
    sink: &'s mut S,
    summary: Summary,
}

/// A source in progress.
struct OpenSource<S: Sink> {
    source: S::Source,
    findings: Findings,
    games: u64,
    /// The number of games in the same text before these, which belong to other sources.
    games_before: u64,
    /// See [`SourceInfo::is_of_records`].
    is_of_records: bool,
    /// The summary before the source.
    before: SummarySnapshot,
}

/// The outcome of reading a source.
struct SourceRead<S: Sink> {
    /// `None` if the sink skips the source.
    open: Option<OpenSource<S>>,
    /// The number of bytes that were read.
    bytes: u64,
    done: Result<()>,
}

type OutputOf<S> = <<S as Sink>::Worker as Worker>::Output;

impl<S: Sink> Reader<'_, S> {
    /// Reads all sources of an input, and records the failures.
    fn input(&mut self, input: &Input) -> Result<()> {
        let before = self.summary.tally.input_bytes;

        match input.sources() {
            Ok(sources) => {
                for source in sources {
                    let done = self.source_of_input(input, source, before);
                    self.note_failure(done)?;
                }
            }
            Err(error) => self.note_failure(Err(error))?,
        }

        // Sources need not be read to the end of the input, but the input counts as a whole.
        self.summary.tally.input_bytes = before + input.bytes().unwrap_or_default();
        Ok(())
    }

    /// Reads a source of an input. If the sink has to see the source from its beginning, the source is reopened.
    fn source_of_input(
        &mut self,
        input: &Input,
        source: Result<Source>,
        before: u64,
    ) -> Result<()> {
        let is_reread = false;
        let done = source.and_then(|source| self.source(source, before, is_reread));

        match done {
            // Only an input with a path can be opened again.
            Err(Error::LikeKnown(name)) if input.path().is_some() => {
                self.source_once_more(input, &name, before)
            }
            done => done,
        }
    }

    /// Reopens a source that the sink has to see from its beginning.
    fn source_once_more(&mut self, input: &Input, name: &Path, before: u64) -> Result<()> {
        for source in input.sources()? {
            let source = source?;
            if source.name == name {
                return self.source(source, before, true);
            }
        }

        Ok(())
    }

    /// Records the failure of a source; other errors end the run.
    fn note_failure(&mut self, done: Result<()>) -> Result<()> {
        match done {
            Err(error) if error.is_of_input() => {
                self.summary.failures.push(error);
                Ok(())
            }
            done => done,
        }
    }

    /// Reads a source; `before` is the number of input bytes consumed before it.
    fn source(&mut self, source: Source, before: u64, is_reread: bool) -> Result<()> {
        if self.is_to_stop() {
            return Err(Error::Interrupted);
        }

        self.sink.checkpoint(None, false)?;

        let Source {
            name,
            size,
            content,
            consumed,
            is_of_records,
            database,
        } = source;

        let bytes = match &content {
            Content::Mapped(file) => Some(file.len() as u64),
            Content::Stream(_) => size,
        };
        let info = SourceInfo {
            name: &name,
            bytes,
            is_of_records,
            is_reread,
        };

        match content {
            Content::Mapped(file) => self.mapped_file(&file, info, database, before),
            Content::Stream(stream) => {
                let after_batch = |_| before + consumed.bytes();
                self.stream(stream, info, database, after_batch)
            }
        }
    }

    /// Reads a file that is mapped into memory, and releases the memory of each batch.
    fn mapped_file(
        &mut self,
        file: &MappedFile,
        info: SourceInfo<'_>,
        database: Option<ForeignDatabase>,
        before: u64,
    ) -> Result<()> {
        // In a file that has become shorter, the missing pages read as zeros.
        let check = |byte| {
            if file.is_whole() {
                Ok(())
            } else {
                Err(Error::FileChanged {
                    name: info.name.to_owned(),
                    byte,
                })
            }
        };
        let after_batch = |range: Range<u64>| {
            let end = range.end;
            file.release(in_memory(range));
            before + end
        };
        let read = self.read(info, SourceBytes::File(file), database, check, after_batch)?;

        // A skipped file counts as read.
        if read.open.is_none() {
            self.summary.tally.bytes += file.len() as u64;
        }
        self.end(info.name, read, None)
    }

    /// Reads a stream. A read error ends the source after the games before the error.
    fn stream(
        &mut self,
        stream: Stream,
        info: SourceInfo<'_>,
        database: Option<ForeignDatabase>,
        after_batch: impl FnMut(Range<u64>) -> u64,
    ) -> Result<()> {
        let mut read_error = None;
        let bytes = SourceBytes::Stream(stream, &mut read_error);
        let read = self.read(info, bytes, database, |_| Ok(()), after_batch)?;

        let failure = read_error.map(|error| Error::stream(info.name, read.bytes, error));
        self.end(info.name, read, failure)
    }

    /// Reads the part of a source that the sink wants.
    ///
    /// `check` is called with the start offset of each replayed batch, and fails if the sink must not receive the
    /// batch. `after_batch` is called after the sink has taken the batch, and returns the number of input bytes
    /// consumed.
    fn read(
        &mut self,
        info: SourceInfo<'_>,
        bytes: SourceBytes<'_>,
        database: Option<ForeignDatabase>,
        check: impl Fn(u64) -> Result<()>,
        after_batch: impl FnMut(Range<u64>) -> u64,
    ) -> Result<SourceRead<S>> {
        let before = self.summary.snapshot();

        let started = match self.sink.begin(&info, bytes)? {
            Begin::Read(started) => started,
            Begin::PassOver(bytes) => {
                return Ok(SourceRead {
                    open: None,
                    bytes,
                    done: Ok(()),
                });
            }
        };

        self.summary.tally.bytes += started.from;
        if let Some(database) = database {
            self.summary.tally.marked_deleted += database.deleted;
            self.summary.tally.foreign_texts += database.texts;
        }

        let mut open = OpenSource {
            source: started.source,
            findings: started.findings,
            games: started.games,
            games_before: started.games_before,
            is_of_records: info.is_of_records,
            before,
        };
        let mut bytes = started.from;
        let name = info.name.to_string_lossy();
        let done = self.batches(
            &name,
            &mut open,
            started.batches,
            check,
            after_batch,
            &mut bytes,
        );

        Ok(SourceRead {
            open: Some(open),
            bytes,
            done,
        })
    }

    /// Replays batches on all threads and takes them in order; `bytes` follows the end of the last batch taken.
    fn batches<'f>(
        &mut self,
        name: &str,
        open: &mut OpenSource<S>,
        batches: impl Iterator<Item = (Batch<'f>, S::Mark)> + Send,
        check: impl Fn(u64) -> Result<()>,
        mut after_batch: impl FnMut(Range<u64>) -> u64,
        bytes: &mut u64,
    ) -> Result<()> {
        let readings = self.options.readings.clone();
        let worker = self.sink.worker();

        let weight = |(batch, _): &(Batch<'f>, S::Mark)| batch.weight();
        let replay_batch = |(batch, mark)| {
            let replayed = replay(batch, &readings, &Preferred::default(), &worker);
            (replayed, mark)
        };

        ordered_by_weight(
            batches,
            self.options.batches,
            weight,
            replay_batch,
            |(replayed, mark)| {
                self.checkpoint(open)?;

                let file = &mut open.findings.readings;
                let settled = choose_readings(replayed, &readings, file, &worker);
                let range = settled.batch.origin();

                // The file may have been truncated since its bytes were replayed.
                check(range.start)?;
                self.pass_to_sink(name, open, settled, mark)?;

                *bytes = range.end;
                self.summary.tally.input_bytes = after_batch(range);
                self.sink.progress(&self.summary.tally);
                Ok(())
            },
        )
    }

    /// Lets the sink make its work durable before the next batch.
    ///
    /// Stops here if the run is to stop, but never after the last batch, whose last game may have been cut.
    fn checkpoint(&mut self, open: &OpenSource<S>) -> Result<()> {
        let stops = self.is_to_stop();

        // A source without a game may turn out not to be PGN.
        if open.games > 0 {
            self.sink
                .checkpoint(Some((&open.source, &open.findings)), stops)?;
        }

        if stops {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Passes a batch to the sink, and counts its games and problems.
    fn pass_to_sink(
        &mut self,
        name: &str,
        open: &mut OpenSource<S>,
        replayed: Replayed<'_, OutputOf<S>>,
        mark: S::Mark,
    ) -> Result<()> {
        let Replayed {
            batch,
            games,
            problems,
            output,
            ..
        } = replayed;
        let mut batched = Batched {
            bytes: batch.origin(),
            mark,
            games,
            problems,
            output,
        };

        // The sink may cut the batch, so its games and bytes are counted only now.
        self.sink.choose(&mut batched)?;
        let read = batched.games.len() as u64;
        let length = batched.bytes.end - batched.bytes.start;

        for game in &batched.games {
            open.findings.encodings.add(game.encoding);
        }

        // Games from records have numbers instead of lines.
        let number_before = open.games_before + open.games;
        let games_before = open.is_of_records.then_some(number_before);
        for problem in &batched.problems {
            self.summary.note(name, problem, games_before);
        }

        // The sink counts the games that it does not add; all others have been added.
        let tally = &mut self.summary.tally;
        let not_added_before = not_added(tally);
        self.sink.take(&mut open.source, batched, tally)?;
        let added = read - (not_added(tally) - not_added_before);

        tally.bytes += length;
        tally.games += added;
        tally.large_games += u64::from(batch.ends_large_game());
        open.games += read;
        Ok(())
    }

    /// Ends a source that has been read to its end, or as far as possible.
    fn end(&mut self, name: &Path, read: SourceRead<S>, failure: Option<Error>) -> Result<()> {
        let failure = match read.done {
            Ok(()) => failure,
            Err(error) if error.is_of_input() => Some(error),
            Err(Error::Interrupted) => {
                self.discard_if_empty(read.open)?;
                return Err(Error::Interrupted);
            }
            Err(error) => return Err(error),
        };

        let Some(open) = read.open else {
            return failure.map_or(Ok(()), Err);
        };

        if open.games > 0 {
            self.sink.end(open.source, &open.findings)?;
            return failure.map_or(Ok(()), Err);
        }

        // Discarding resets the tally, so it is compared first.
        let is_too_large = open.before.is_behind_large_game(&self.summary.tally);
        self.discard_if_empty(Some(open))?;
        Err(failure.unwrap_or_else(|| Error::no_games(name, is_too_large)))
    }

    /// Discards a source that has no game so far.
    fn discard_if_empty(&mut self, open: Option<OpenSource<S>>) -> Result<()> {
        if let Some(open) = open
            && open.games == 0
        {
            self.sink.discard(open.source)?;
            self.summary.go_back(&open.before);
        }

        Ok(())
    }

    fn is_to_stop(&self) -> bool {
        match &self.options.stop {
            Some(stop) => stop.load(Ordering::Relaxed),
            None => false,
        }
    }
}

/// The number of games that a sink has read but not added.
fn not_added(tally: &Tally) -> u64 {
    tally.passed_over + tally.updated + tally.unchanged
}

//! Where replayed games go: what a sink does, and what it can rely on.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::batch::{Batch, GameOrigin};
use super::batches::{Batches, ReadOptions, of_file, of_stream};
use super::encodings::EncodingCounts;
use super::languages::FileReadings;
use super::summary::Tally;
use crate::error::Result;
use crate::input::{Encoding, MappedFile, Stream};
use crate::replay::{ReadGame, ReadingId, Readings, SourceProblem};

/// Takes the replayed games of sources, batch by batch.
///
/// The work is divided in two. The [`Worker`] turns games into whatever the sink stores, on all threads and in any
/// order. The sink takes the results on one thread, in the order of the input, so that what it makes of them does not
/// depend on the number of threads.
///
/// For each source, the calls are: [`Sink::begin`]; for each batch [`Sink::checkpoint`] and [`Sink::take`]; then
/// [`Sink::end`], or [`Sink::take_back`] when the source has no game. A source that cannot be read to its end is ended
/// as far as it was read. An error of the sink itself ends everything at once, without further calls.
pub(crate) trait Sink {
    /// A source that is being read.
    type Source;
    /// What the sink knows of a batch before it is replayed; `()` for most.
    type Mark: Send;
    /// What runs on all threads.
    type Worker: Worker;

    /// The worker for the batches of the next source.
    fn worker(&self) -> Self::Worker;

    /// Begins a source, and says what is to be read of it; nothing where the sink needs none of it.
    ///
    /// # Errors
    /// [`Error::LikeKnown`](crate::error::Error::LikeKnown) when the sink has to see a stream again from its
    /// beginning; where it can be opened again, it is begun again, with [`SourceInfo::is_reread`] set.
    fn begin<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>>;

    /// Lets the sink make durable what it has taken: between two sources, and before each batch of a source that has a
    /// game, with that source. `is_last` says that nothing more comes of it, since the run is to stop.
    ///
    /// # Errors
    /// Whatever goes wrong with the sink.
    fn checkpoint(
        &mut self,
        _open: Option<(&Self::Source, &Findings)>,
        _is_last: bool,
    ) -> Result<()> {
        Ok(())
    }

    /// Takes the next batch. `tally` counts all that was taken before; what ingest counts of this batch is added
    /// afterwards.
    ///
    /// # Errors
    /// Whatever goes wrong with the sink.
    fn take(
        &mut self,
        source: &mut Self::Source,
        batch: Batched<Self>,
        tally: &mut Tally,
    ) -> Result<()>;

    /// Ends a source that has a game.
    ///
    /// # Errors
    /// Whatever goes wrong with the sink.
    fn end(&mut self, source: Self::Source, findings: &Findings) -> Result<()>;

    /// Drops all of a source in which there was no game.
    ///
    /// # Errors
    /// Whatever goes wrong with the sink.
    fn take_back(&mut self, source: Self::Source) -> Result<()>;

    /// Called after each batch with what has been done so far.
    fn progress(&mut self, tally: &Tally);
}

/// Turns the games of a batch into the output of a sink. Games and texts come in their order. A batch may be worked on
/// twice, when the games before it show that it was read in the wrong language; only the last output is taken.
pub(crate) trait Worker: Sync {
    /// What becomes of a batch.
    type Output: Send;

    /// The output of a batch with so many bytes of text, before its first game.
    fn begin(&self, bytes: usize) -> Self::Output;

    /// Adds a game.
    fn game(&self, game: &ReadGame<'_>, text: GameOrigin, output: &mut Self::Output);

    /// Adds a text between games, which has these bytes of the source.
    fn text(&self, text: String, bytes: Range<u64>, output: &mut Self::Output);

    /// Finishes the output of a batch.
    fn end(&self, _output: &mut Self::Output) {}
}

/// A source that is about to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceInfo<'s> {
    pub(crate) name: &'s Path,
    /// Its bytes, if their number is known.
    pub(crate) bytes: Option<u64>,
    /// Whether the sink has seen it before and refused it with
    /// [`Error::LikeKnown`](crate::error::Error::LikeKnown).
    pub(crate) is_reread: bool,
}

/// The bytes of a source.
pub(crate) enum SourceBytes<'f> {
    /// A file in memory, which can be cut as often as the sink likes.
    File(&'f MappedFile),
    /// What can be read only once; an error of reading goes into the second part.
    Stream(Stream, &'f mut Option<io::Error>),
}

impl<'f> SourceBytes<'f> {
    /// All batches.
    pub(crate) fn batches(self, options: ReadOptions) -> Batches<'f> {
        match self {
            SourceBytes::File(file) => of_file(file, options),
            SourceBytes::Stream(stream, failure) => of_stream(stream, options, failure),
        }
    }
}

/// How a sink begins a source.
pub(crate) enum Begin<'f, S: Sink + ?Sized> {
    /// These batches of it are replayed.
    Read(Begun<'f, S>),
    /// None of it is; so many bytes were read to find that out.
    PassOver(u64),
}

/// A source that a sink has begun.
pub(crate) struct Begun<'f, S: Sink + ?Sized> {
    pub(crate) source: S::Source,
    pub(crate) batches: Box<dyn Iterator<Item = (Batch<'f>, S::Mark)> + Send + 'f>,
    /// What an earlier run has found out of it.
    pub(crate) findings: Findings,
    /// The games that an earlier run has taken of it.
    pub(crate) games: u64,
    /// How many bytes stand before the first batch.
    pub(crate) from: u64,
}

/// What the games of a source so far say of those to come, and of the source.
pub(crate) struct Findings {
    /// What they were read with.
    pub(crate) readings: FileReadings,
    /// What they are encoded in.
    pub(crate) encodings: EncodingCounts,
}

impl Findings {
    /// Those of a source of which no game has been read.
    pub(crate) fn new(readings: &Readings) -> Findings {
        Findings { readings: FileReadings::new(readings), encodings: EncodingCounts::default() }
    }
}

/// A batch whose games have their final readings.
pub(crate) struct Batched<S: Sink + ?Sized> {
    /// Its bytes in the source.
    pub(crate) bytes: Range<u64>,
    pub(crate) mark: S::Mark,
    /// How each of its games was read.
    pub(crate) games: Vec<GameReading>,
    /// What is wrong with them, and between them.
    pub(crate) problems: Vec<SourceProblem>,
    pub(crate) output: <S::Worker as Worker>::Output,
}

/// How a game was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameReading {
    /// The name of the notation, if it is not that of PGN.
    pub(crate) notation: Option<&'static str>,
    /// What its moves were read with, if not with English letters as in PGN.
    pub(crate) reading: Option<ReadingId>,
    /// The encoding of its text in the source, nothing for ASCII.
    pub(crate) encoding: Option<Encoding>,
}

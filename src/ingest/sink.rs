//! The interface of sinks, which receive replayed games.

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
use crate::replay::{ReadGame, ReadingId, Readings};
use crate::source_problem::SourceProblem;

/// Receives the replayed games of sources, batch by batch.
///
/// The work has two parts. The [`Worker`] turns games into the sink's format, on all threads and in any order. The sink
/// takes the results on one thread, in the order of the input, so that its output does not depend on the number of
/// threads.
///
/// For each source, the calls are: [`Sink::begin`]; for each batch [`Sink::checkpoint`] and [`Sink::take`]; then
/// [`Sink::end`], or [`Sink::discard`] if the source has no game. A source that cannot be read to its end is ended
/// early. An error of the sink itself ends the run at once, without further calls.
pub(crate) trait Sink {
    /// The state of a source being read.
    type Source;
    /// The sink's data on a batch before it is replayed; `()` for most.
    type Mark: Send;
    /// The part that runs on all threads.
    type Worker: Worker;

    /// The worker for the batches of the next source.
    fn worker(&self) -> Self::Worker;

    /// Begins a source, and returns which part of it to read, if any.
    ///
    /// # Errors
    /// [`Error::LikeKnown`](crate::error::Error::LikeKnown) if the sink has to see a stream again from its beginning;
    /// if it can be reopened, it is started again, with [`SourceInfo::is_reread`] set.
    fn begin<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>>;

    /// Lets the sink make its work durable: between two sources, and, with the source, before each batch of a source
    /// that has a game. `is_last` is set if nothing more of the source follows, because the run is to stop.
    ///
    /// # Errors
    /// Any failure of the sink.
    fn checkpoint(
        &mut self,
        _open: Option<(&Self::Source, &Findings)>,
        _is_last: bool,
    ) -> Result<()> {
        Ok(())
    }

    /// Chooses the games of a batch that are taken, before their problems are counted; by default all games. A sink
    /// that needs only the first games cuts the batch.
    ///
    /// # Errors
    /// Any failure of the sink.
    fn choose(&mut self, _batch: &mut Batched<Self>) -> Result<()> {
        Ok(())
    }

    /// Takes the next batch.
    ///
    /// `tally` counts all batches before this batch, whose counts are added afterwards. Only the games that the sink
    /// passes over are counted by the sink.
    ///
    /// # Errors
    /// Any failure of the sink.
    fn take(
        &mut self,
        source: &mut Self::Source,
        batch: Batched<Self>,
        tally: &mut Tally,
    ) -> Result<()>;

    /// Ends a source that has a game.
    ///
    /// # Errors
    /// Any failure of the sink.
    fn end(&mut self, source: Self::Source, findings: &Findings) -> Result<()>;

    /// Discards a source that has no game.
    ///
    /// # Errors
    /// Any failure of the sink.
    fn discard(&mut self, source: Self::Source) -> Result<()>;

    /// Called after each batch with the totals so far.
    fn progress(&mut self, tally: &Tally);
}

/// Converts the games of a batch to the output of a sink. Games and texts are added in order. A batch may be processed
/// twice, if earlier games show that it was read in the wrong language; only the last output is taken.
pub(crate) trait Worker: Sync {
    /// The output for a batch.
    type Output: Send;

    /// The output of a batch with `bytes` bytes of text, before its first game.
    fn begin(&self, bytes: usize) -> Self::Output;

    /// Returns `false` if a game is not wanted, whatever its moves are, so that it need not be replayed.
    fn may_want(&self, _text: &str) -> bool {
        true
    }

    /// Adds a game, and may move parts out of it. Returns `false` if the game is not wanted after all; its problems are
    /// then not counted.
    fn game(
        &self,
        game: &mut ReadGame<'_>,
        origin: GameOrigin<'_>,
        output: &mut Self::Output,
    ) -> bool;

    /// Adds a text between games, with its byte range in the source.
    fn text(&self, text: String, bytes: Range<u64>, output: &mut Self::Output);

    /// Finishes the output of a batch.
    fn end(&self, _output: &mut Self::Output) {}
}

/// A source about to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceInfo<'s> {
    pub(crate) name: &'s Path,
    /// The size in bytes, if known.
    pub(crate) bytes: Option<u64>,
    /// `true` if the bytes are made from records: games then have numbers instead of lines.
    pub(crate) is_of_records: bool,
    /// `true` if an earlier [`Sink::begin`] of the source has failed with
    /// [`Error::LikeKnown`](crate::error::Error::LikeKnown).
    pub(crate) is_reread: bool,
}

/// The bytes of a source.
pub(crate) enum SourceBytes<'f> {
    /// A file in memory, which can be split repeatedly.
    File(&'f MappedFile),
    /// A stream, which can be read only once; the second field receives read errors.
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

/// The sink's decision on a source.
pub(crate) enum Begin<'f, S: Sink + ?Sized> {
    /// Replay these batches of the source.
    Read(StartedSource<'f, S>),
    /// Skip the whole source. The field is the number of bytes that were read for this decision.
    PassOver(u64),
}

/// A source that a sink has started.
pub(crate) struct StartedSource<'f, S: Sink + ?Sized> {
    pub(crate) source: S::Source,
    pub(crate) batches: Box<dyn Iterator<Item = (Batch<'f>, S::Mark)> + Send + 'f>,
    /// The findings of an earlier run.
    pub(crate) findings: Findings,
    /// The number of games of the source that an earlier run has taken.
    pub(crate) games: u64,
    /// The number of games in the same text before these, which belong to other sources.
    pub(crate) games_before: u64,
    /// The number of bytes before the first batch.
    pub(crate) from: u64,
}

/// The readings and encodings of the games of a source so far. They describe the source, and decide about further
/// games.
pub(crate) struct Findings {
    /// The readings of the games.
    pub(crate) readings: FileReadings,
    /// The encodings of the games.
    pub(crate) encodings: EncodingCounts,
}

impl Findings {
    /// The findings of a source before its first game.
    pub(crate) fn new(readings: &Readings) -> Findings {
        Findings {
            readings: FileReadings::new(readings),
            encodings: EncodingCounts::default(),
        }
    }
}

/// A batch whose games have their final readings.
pub(crate) struct Batched<S: Sink + ?Sized> {
    /// The byte range in the source.
    pub(crate) bytes: Range<u64>,
    pub(crate) mark: S::Mark,
    /// The reading of each game.
    pub(crate) games: Vec<GameReading>,
    /// The problems of the games and texts.
    pub(crate) problems: Vec<SourceProblem>,
    pub(crate) output: <S::Worker as Worker>::Output,
}

/// The reading of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameReading {
    /// The name of the notation; `None` for the notation of PGN.
    pub(crate) notation: Option<&'static str>,
    /// The reading of the moves; `None` for English PGN.
    pub(crate) reading: Option<ReadingId>,
    /// The encoding of the text in the source; `None` for ASCII.
    pub(crate) encoding: Option<Encoding>,
}

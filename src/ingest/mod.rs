//! The one pipeline from sources to replayed games, which a [`Sink`] receives.
//!
//! [`ingest`] opens the sources of inputs one after the other and splits each into batches, whose encodings, offsets
//! and lines are determined before the replay. Batches are replayed on all threads, where the sink's [`Worker`]
//! converts each game to the rows or texts that the sink writes. The results are passed on in the order of the input,
//! on one thread: ambiguous games get the language of the games before them, problems are counted, and the sink takes
//! the batch.
//!
//! A sink does not depend on how sources are read. It must
//!
//! - provide a [`Worker`] that depends on the games alone, since a batch may be processed twice;
//! - take batches in [`Sink::take`], and discard the batches of a source in [`Sink::discard`], which is called if the
//!   source turns out not to be PGN. Batches with texts between games may precede this call, so a sink that cannot undo
//!   its output holds these texts until the first game;
//! - fail with an error that does not concern an input if it cannot continue: that ends the run.
//!
//! Guarantees:
//!
//! - the batches of a source are in order and without gaps, each game is in one batch, and one source follows the
//!   other;
//! - a sink gets equal batches for equal inputs, whatever the number of threads, and for a stream as for a file;
//! - memory is bounded: at most [`Options::batches`] batches are in progress;
//! - the bytes of a batch were the bytes of the file when it was replayed: batches of a file that has been truncated
//!   since are not taken;
//! - a source that breaks off ends with the games before the damage, and the other sources are read.
//!
//! A sink that resumes an earlier run begins a source at a later batch ([`StartedSource`]), and saves [`Findings`] at
//! each [`Sink::checkpoint`].

mod batch;
mod batches;
#[cfg(feature = "dataset")]
mod boundary;
mod cut;
mod encodings;
mod head;
mod languages;
mod look;
mod places;
mod problem_log;
mod read;
mod replayed;
mod sink;
mod stream;
mod summary;

use std::ops::Range;

pub(crate) use batch::{Batch, GameOrigin};
pub use batches::ReadOptions;
pub(crate) use batches::{Batches, BegunStream, of_file};
#[cfg(feature = "dataset")]
pub(crate) use batches::{of_part, of_stream};
#[cfg(feature = "dataset")]
pub(crate) use boundary::begins_game;
pub(crate) use cut::BATCH_SPANS;
pub(crate) use encodings::EncodingCounts;
pub(crate) use head::PeekedStream;
pub(crate) use languages::FileReadings;
pub use look::has_game;
pub use problem_log::{ProblemLine, ProblemLog};
pub(crate) use read::{Options, ingest};
pub(crate) use sink::{
    Batched, Begin, Findings, GameReading, Sink, SourceBytes, SourceInfo, StartedSource, Worker,
};
pub use summary::{Summary, Tally};

/// The range of a file in memory.
pub(crate) fn in_memory(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

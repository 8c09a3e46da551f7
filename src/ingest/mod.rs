//! Sources to replayed games: the one pipeline, at whose end stands a [`Sink`].
//!
//! [`ingest`] opens the sources of inputs one after the other and cuts each into batches, whose encodings, places and
//! lines are decided before anything is replayed. Batches are replayed on all threads; there the sink's [`Worker`] turns
//! each game into what the sink stores. The results go on in the order of the input, on one thread: ambiguous games get
//! the language of the games before them, problems are counted, and the sink takes the batch.
//!
//! A sink need not know how sources are read. It must
//!
//! - give a [`Worker`] that depends on the games alone, since a batch may be worked on twice;
//! - take batches in [`Sink::take`], and drop what it took of a source in [`Sink::take_back`], which is called for a
//!   source that turns out not to be PGN. What such a source has between games comes before, so a sink that cannot go back
//!   holds it until the first game comes;
//! - fail with an error that is not one of an input when it cannot go on: that ends the run.
//!
//! It is promised that
//!
//! - batches of a source come in order and without gaps, each game once, and sources one after the other;
//! - what it is given is the same for the same inputs, whatever the number of threads, and for a stream as for a file;
//! - memory is bounded: so many batches are under way as [`Options::batches`] says;
//! - the bytes of a batch were those of the file when it was replayed: one that has become shorter since is not taken;
//! - a source that breaks off is ended with the games before the damage, and the others are read.
//!
//! A sink that wants to go on where an earlier run stopped begins a source at a later batch ([`Begun`]), and keeps
//! [`Findings`] at each [`Sink::checkpoint`].

mod batch;
mod batches;
mod cut;
mod encodings;
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
pub(crate) use batches::{Batches, of_file, of_stream};
pub(crate) use cut::BATCH_SPANS;
pub(crate) use encodings::EncodingCounts;
pub(crate) use languages::FileReadings;
pub use look::has_game;
pub use problem_log::{ProblemLine, ProblemLog};
pub(crate) use read::{Options, ingest};
pub(crate) use sink::{Batched, Begin, Begun, Findings, Sink, SourceBytes, SourceInfo, Worker};
pub use summary::{Summary, Tally};

/// A place in a file that is in memory.
pub(crate) fn in_memory(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

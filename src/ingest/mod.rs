//! Sources cut into batches of games.

mod batch;
mod batches;
mod cut;
mod encodings;
mod hashed;
mod languages;
mod places;
mod problem_log;
mod stream;

use std::ops::Range;

pub(crate) use batch::{Batch, Part};
pub use batches::ReadOptions;
pub(crate) use batches::{of_file, of_stream};
pub(crate) use cut::BATCH_SPANS;
pub(crate) use encodings::Counted;
pub(crate) use hashed::{HashedBatch, HashedBatches};
pub(crate) use languages::{AmbiguousGame, FileReadings, Preferred};
pub use problem_log::{ProblemLine, ProblemLog};

/// A place in a file that is in memory.
pub(crate) fn in_memory(range: Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

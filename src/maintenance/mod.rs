//! What keeps a database whole: reindexing, compaction, merging and checking.

mod check;
mod merge;
mod reindex;

pub use check::{Depth, Digested, Fault, Faults, Report, check, digest};
pub use merge::{Merged, merge};
pub use reindex::{Reindexed, optimize};
pub(crate) use reindex::{catch_up, compact};

//! The position index: from a position to the games that reach it.
//!
//! Like a full-text index for words, it has a posting list of games for each position, in sorted blocks that are rows
//! of ordinary tables. `docs/position-index.md` specifies the bytes.

mod batch;
mod bits;
mod copy;
mod counts;
mod decode;
mod encode;
mod inspect;
mod posting;
mod run;
mod spill;
mod store;

pub(crate) use batch::BatchPostings;
pub(crate) use copy::copy_segment;
pub use counts::{Counts, Ratings};
pub(crate) use inspect::{Expected, ExpectedOfGame, IndexedGame, Inspection};
pub(crate) use run::{Run, RunLimits};
pub(crate) use store::{
    Popular, PopularGames, Reached, Segment, StoredSegment, forget_changes, orphan_blocks,
    remove_all,
};

//! From a position to the games that reach it.
//!
//! Like a full-text index with positions for words: for each position the list of its games, in
//! sorted blocks that are rows of ordinary tables. The bytes are described in `docs/position-index.md`.

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
    Popular, PopularGames, Reached, Segment, Stored, forget_changes, orphan_blocks,
};

//! Names of openings by position.
//!
//! A game is named by the last named position of its mainline, by whatever moves the position was reached. [`Openings`]
//! finds names by the keys of positions; [`read_openings`] parses a user's table of names. The table of the library is
//! `openings.tsv`, whose origin and dedication are in `README.md` beside it.

mod fault;
mod read;
mod table;

pub use fault::ParseOpeningsError;
pub use read::read_openings;
pub use table::{MAX_NAMED_PLY, Opening, OpeningId, Openings};

//! Names of openings by position.
//!
//! A game has the name of the last position of its mainline that has one, by whatever moves it was reached. [`Openings`]
//! finds names by the keys of positions; [`read_openings`] takes a user's table of names. The table of the library is
//! `openings.tsv`, whose origin and dedication are in `README.md` beside it.

mod fault;
mod read;
mod table;

pub use fault::ParseOpeningsError;
pub use read::read_openings;
pub use table::{MAX_NAMED_PLY, Opening, OpeningId, Openings};

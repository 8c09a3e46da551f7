//! Games to bytes.

mod annotations;
mod book;
mod game;
mod json;
mod moves;
mod pgn;
mod plain;
mod verbatim;

pub use book::{Book, BookSize};
pub use game::PgnGame;
pub use json::write_json;
pub use moves::Unwritable;
pub use pgn::write_pgn;

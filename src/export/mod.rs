//! Games to bytes.

mod book;
mod epd;
mod game;
mod json;
mod moves;
mod pgn;
mod plain;

pub use book::{Book, BookSize};
pub use epd::{EpdPositions, MoveOpcode, write_epd};
pub use game::PgnGame;
pub use json::write_json;
pub use moves::Unwritable;
pub use pgn::write_pgn;

//! Games to bytes.

mod book;
mod bytes;
mod epd;
mod game;
mod json;
mod moves;
mod pgn;
mod plain;
mod verbatim;

pub use book::{Book, BookSize};
pub use bytes::{ByteStyle, Replaced};
pub use epd::{EpdPositions, MoveOpcode, write_epd};
pub use game::PgnGame;
pub use json::write_json;
pub use moves::Unwritable;
pub use pgn::write_pgn;

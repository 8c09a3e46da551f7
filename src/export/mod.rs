//! Games to bytes.

mod book;
mod json;
mod pgn;

pub use book::{Book, BookSize};
pub use json::write_json;
pub use pgn::write_pgn;

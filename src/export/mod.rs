//! Games to bytes.

mod json;
mod pgn;

pub use json::write_json;
pub use pgn::write_pgn;

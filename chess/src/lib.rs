//! Chess games as they are found.

pub mod board;
pub mod bug;
pub mod game;
pub mod notation;
pub mod openings;
pub mod pgn;
pub mod replay;

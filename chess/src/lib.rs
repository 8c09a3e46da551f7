#![doc = include_str!("../README.md")]

pub mod board;
#[doc(hidden)]
pub mod bug;
pub mod game;
pub mod notation;
pub mod openings;
pub mod pgn;
pub mod replay;

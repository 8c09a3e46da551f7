//! Stamma: bulk PGN databases with a position index, in one SQLite file.

pub mod board;
pub mod check;
pub mod cleaning;
#[cfg(feature = "program")]
pub mod cli;
pub mod columns;
pub mod convert;
pub mod error;
pub mod export;
pub mod game;
pub mod import;
pub mod index;
pub mod input;
pub mod merge;
pub mod notation;
mod ordered;
pub mod pgn;
pub mod query;
pub mod replay;
pub mod sql;
pub mod storage;
mod threads;

//! Stamma: bulk PGN databases with a position index, in one SQLite file.

pub mod board;
pub mod columns;
pub mod convert;
pub mod error;
pub mod export;
pub mod game;
pub mod import;
pub mod index;
mod ingest;
pub mod input;
pub mod maintenance;
mod memory;
pub mod notation;
pub mod openings;
mod ordered;
pub mod pgn;
pub mod query;
pub mod replay;
pub mod sql;
pub mod storage;
mod threads;

//! Invariants of any bytes, shared with the targets in `fuzz/`.

pub(crate) mod block;
pub(crate) mod changed_database;
#[cfg(feature = "chessbase")]
pub(crate) mod chessbase;
#[cfg(feature = "chessbase")]
pub(crate) mod chessbase_archive;
pub(crate) mod fen;
pub(crate) mod notation;
pub(crate) mod reader;
pub(crate) mod replay;
pub(crate) mod round_trip;
pub(crate) mod scid;

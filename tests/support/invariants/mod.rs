//! What holds for any bytes. The targets in `fuzz/` take these files, too.

pub(crate) mod block;
pub(crate) mod fen;
pub(crate) mod notation;
pub(crate) mod reader;
pub(crate) mod replay;
pub(crate) mod round_trip;

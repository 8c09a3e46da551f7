//! The sources of a part, as its manifest lists them.

use serde::{Deserialize, Serialize};

/// A source of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SourceEntry {
    /// The path.
    pub(super) path: String,
    /// The number of unpacked bytes that were read.
    pub(super) bytes: u64,
    /// The BLAKE3 hash of the first 4096 bytes, in hexadecimal.
    pub(super) head_hash: String,
    /// The base of the ids of games, as described at `IdBase`.
    pub(super) base: u64,
    /// The number of games that were written.
    pub(super) games: u64,
    /// The number of problems that were written.
    pub(super) problems: u64,
}

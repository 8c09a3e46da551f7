//! The sources of a part, as its manifest lists them.

use serde::{Deserialize, Serialize};

/// A source of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SourceEntry {
    /// Its path.
    pub(super) path: String,
    /// The bytes of it that were read, unpacked.
    pub(super) bytes: u64,
    /// BLAKE3 of its first 4096 bytes.
    pub(super) head_hash: String,
    /// The number from which its games are numbered.
    pub(super) base: u64,
    /// The games that were written.
    pub(super) games: u64,
    /// The problems that were written.
    pub(super) problems: u64,
}

//! From the paths that a user names to bytes in memory.

mod encoding;
mod map;
mod paths;

pub use encoding::{Decoded, Offsets, decode};
pub use map::MappedFile;
pub use paths::find_files;

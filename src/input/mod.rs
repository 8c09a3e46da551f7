//! From the paths that a user names to bytes in memory, and from bytes to text.

mod detect;
mod encoding;
mod map;
mod paths;
mod utf16;

pub use detect::Evidence;
pub use encoding::{Decoded, Encoding, Missing, Offsets, decode};
pub use map::MappedFile;
pub use paths::find_files;
pub use utf16::{MARK_BYTES, Utf16Reader, has_utf8_mark, read_utf16, utf16_bytes, utf16_of};

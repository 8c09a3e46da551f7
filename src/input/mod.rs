//! Inputs: files, folders, archives and streams, and the encodings of their text.

mod ahead;
#[cfg(feature = "compressed")]
mod archive;
#[cfg(feature = "chessbase")]
mod chessbase;
#[cfg(feature = "compressed")]
mod compressed;
mod compressed_name;
mod content;
mod database_files;
mod detect;
mod dos;
mod encoding;
mod format;
mod game_texts;
mod guard;
mod kind;
mod map;
#[cfg(feature = "compressed")]
mod names;
#[cfg(feature = "dataset")]
mod parquet_file;
mod part_file;
#[cfg(feature = "program")]
mod paths;
mod scid;
#[cfg(feature = "compressed")]
mod seven_zip;
mod source;
#[cfg(any(feature = "compressed", feature = "dataset"))]
mod spool;
mod unpack;
mod utf16;
#[cfg(feature = "compressed")]
mod zstd;

pub(crate) use ahead::Stream;
pub(crate) use compressed_name::without_compression;
pub use content::UnpackLimits;
pub(crate) use content::{Consumed, Content, Counted, ForeignDatabase, Source};
pub use database_files::{database_file, database_program};
pub(crate) use detect::Evidence;
pub(crate) use dos::{guessed_name, odd_sign};
pub use encoding::{Decoded, Encoding, Missing, decode};
pub(crate) use map::MappedFile;
#[cfg(feature = "program")]
pub use names::is_extension_of_games;
#[cfg(feature = "program")]
pub use paths::{find_files, find_inputs, find_matches};
pub use source::Input;
pub(crate) use utf16::{MARK_BYTES, has_utf8_mark, read_utf16, utf16_bytes, utf16_of};

//! Reads Parquet files with a game per row: those of a data set, and of others with the columns of the Lichess sets.
//!
//! Rows become PGN text, so that everything else reads them like any source. `layout` finds the columns, `cell` writes
//! values as tags have them, `column` reads values in batches, and `rows` makes games of them. `random_access` gives the
//! library the bytes, and `damage` keeps its panics from going further.

mod cell;
mod column;
mod damage;
mod layout;
#[cfg(test)]
#[path = "../../../tests/support/parquet_games.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod parquet_games;
mod random_access;
mod rows;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::serialized_reader::SerializedFileReader;

use super::content::{Consumed, Counted};
use super::spool::in_a_file;
use super::unpack::{Packed, Unpacker, Walk};
use crate::error::Error;
pub use damage::is_panic_expected;
use damage::{guarded, sentence};
use random_access::RandomAccess;
use rows::GameText;

/// The bytes at the end of a file whose schema is encrypted; others have `PAR1`.
const ENCRYPTED: &[u8; 4] = b"PARE";

impl Unpacker {
    /// Passes on the games of a Parquet file, which is copied to a file of its own if it is not one.
    pub(super) fn parquet(&self, mut packed: Packed<'_>) -> Walk {
        let file = match packed.file.take() {
            Some(file) => file,
            None => match in_a_file(&mut packed.bytes, self.limits.disk_bytes) {
                Ok(Some(file)) => Counted(file, Consumed::default()),
                Ok(None) => {
                    let bytes = self.limits.disk_bytes;
                    return self.fail(Error::TooMuchToUnpack { name: packed.name, bytes });
                }
                Err(error) => return self.fail(Error::stream(&packed.name, 0, error)),
            },
        };
        match open(file) {
            Ok(text) => self.hand_on(Packed { bytes: Box::new(text), size: None, ..packed }),
            Err(OpenError::Io(error)) => self.fail(Error::stream(&packed.name, 0, error)),
            Err(OpenError::Unreadable(reason)) => {
                self.refuse(Error::UnreadableParquet { name: packed.name, reason })
            }
        }
    }
}

/// The reason why a file cannot be read at all.
enum OpenError {
    /// The system refuses.
    Io(io::Error),
    /// The file is not as it should be.
    Unreadable(String),
}

fn open(mut file: Counted<File>) -> Result<GameText, OpenError> {
    if ends_with(&mut file, ENCRYPTED).map_err(OpenError::Io)? {
        return Err(OpenError::Unreadable("it is encrypted".to_owned()));
    }
    let reader = guarded(|| SerializedFileReader::new(RandomAccess(file)));
    let reader = reader.map_err(|error| {
        OpenError::Unreadable(format!("it is damaged or cut short ({})", sentence(&error)))
    })?;
    GameText::new(reader).map_err(OpenError::Unreadable)
}

fn ends_with(file: &mut Counted<File>, magic: &[u8; 4]) -> io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = [0; 4];
    if length >= 4 {
        file.seek(SeekFrom::End(-4))?;
        file.read_exact(&mut end)?;
    }
    Ok(&end == magic)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// The text of a file, if it can be read to its end.
    fn text(bytes: &[u8]) -> Option<Vec<u8>> {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("space");
        let mut games = open(Counted(file, Consumed::default())).ok()?;
        let mut text = Vec::new();
        games.read_to_end(&mut text).ok()?;
        Some(text)
    }

    #[test]
    fn no_part_of_a_file_is_taken_for_all_of_it() {
        let bytes = parquet_games::delta_lz4();
        assert!(text(&bytes).is_some_and(|text| text.ends_with(b"1. g4 e5 0-1\n\n")));
        for end in (0..bytes.len()).step_by(7) {
            assert_eq!(text(&bytes[..end]), None, "{end} of {}", bytes.len());
        }
    }

    #[test]
    fn damage_ends_the_reading_or_changes_text() {
        let mut read = 0;
        for bytes in
            [parquet_games::delta_lz4(), parquet_games::plain_gzip(), parquet_games::snappy()]
        {
            for at in 4..bytes.len() - 8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                read += usize::from(text(&damaged).is_some());
            }
        }
        assert!(read > 0, "names and statistics are not games");
    }
}

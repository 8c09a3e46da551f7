//! Reads databases of Scid 4 and 5, three files each, as PGN text.
//!
//! `files` tells which files belong together, `record` reads the index, `names` the names of players, events, sites and
//! rounds, `board` decodes moves, and `game_text` writes a game. The index and the games are read in batches, from all
//! threads; the names are in memory.

mod board;
mod files;
mod game_text;
mod names;
mod record;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use super::content::{Consumed, Counted, ForeignDatabase};
use super::game_texts::{Batches, GameTexts, ListedGames, most_stored_bytes};
use super::part_file::{PartFile, ReadRange};
use super::unpack::{Unpacker, Walk};
use crate::error::{Error, Result};
use files::Version;
pub(super) use files::{Files, meant_index};
use game_text::write_game;
use names::{NAMES_MAGIC, Names, ReadNames};
use record::{INDEX_MAGIC, Record, VERSION_4};

/// The number of records that are read at once when a database is opened.
const RECORDS_AT_ONCE: usize = 4096;

impl Unpacker {
    /// Passes on the games of a database.
    pub(super) fn scid(&self, files: &Files, skips_deleted: bool) -> Walk {
        let (memory, consumed) = (self.limits.window_bytes, self.consumed.clone());
        let database = match Database::open(files, memory, consumed, skips_deleted) {
            Ok(database) => database,
            Err(error) => return self.fail(error),
        };
        let Opened {
            database,
            batches,
            deleted,
            end,
        } = database;

        self.game_texts(ListedGames {
            name: &files.index,
            games: &database,
            batches,
            database: ForeignDatabase { deleted, texts: 0 },
            end,
        })
    }
}

/// An open database.
#[derive(Debug)]
struct Database {
    version: Version,
    index: PartFile,
    games: PartFile,
    names: Names,
    consumed: Consumed,
    skips_deleted: bool,
}

/// A database whose index and names have been read.
#[derive(Debug)]
struct Opened {
    database: Database,
    batches: Batches,
    /// The number of games that are marked as deleted.
    deleted: u64,
    /// An error if the files are not whole.
    end: io::Result<()>,
}

impl Database {
    /// Opens a database whose names take at most some bytes of memory.
    fn open(files: &Files, memory: u64, consumed: Consumed, skips_deleted: bool) -> Result<Opened> {
        let unreadable = |reason: String| Error::UnreadableScid {
            name: files.index.clone(),
            reason,
        };
        let index =
            PartFile::new(open_part(&files.index, files)?).map_err(Error::file(&files.index))?;
        let games =
            PartFile::new(open_part(&files.games, files)?).map_err(Error::file(&files.games))?;
        let names_file = open_part(&files.names, files)?;

        let in_index = Error::file(&files.index);
        let (promised, records) = count_records(&index, files.version)
            .map_err(in_index)?
            .map_err(unreadable)?;
        let ReadNames { names, is_whole } =
            read_names(names_file, files, memory, consumed.clone())?.map_err(unreadable)?;

        let game_bytes = games.bytes();
        let database = Database {
            version: files.version,
            index,
            games,
            names,
            consumed,
            skips_deleted,
        };
        let (batches, deleted, stored_bytes) = database
            .batches(records)
            .map_err(Error::file(&files.index))?;
        if stored_bytes > most_stored_bytes(game_bytes) {
            let reason = format!(
                "its index promises {stored_bytes} bytes of games, but {} has {game_bytes}",
                files.games.display()
            );
            return Err(unreadable(reason));
        }

        let end = if promised != Some(records) && promised.is_some() {
            let promised = promised.unwrap_or_default();
            Err(damage(format!(
                "its index has {records} games instead of {promised}"
            )))
        } else if promised.is_none() {
            Err(damage("its index ends within a game".to_owned()))
        } else if !is_whole {
            Err(damage(format!(
                "the names in {} end too early",
                files.names.display()
            )))
        } else {
            Ok(())
        };
        Ok(Opened {
            database,
            batches,
            deleted,
            end,
        })
    }

    /// The batches of all games, the number of those marked as deleted, and the bytes of all of them.
    fn batches(&self, records: u64) -> io::Result<(Batches, u64, u64)> {
        let mut batches = Batches::default();
        let (mut deleted, mut stored_bytes) = (0, 0);
        let mut start = 0;
        while start < records {
            let end = records.min(start + RECORDS_AT_ONCE as u64);
            for record in self.records(start..end)? {
                let bytes = u64::from(record.bytes);
                deleted += u64::from(record.is_deleted());
                stored_bytes += bytes;
                batches.add_game(bytes + self.version.record_bytes() as u64);
            }
            start = end;
        }
        Ok((batches, deleted, stored_bytes))
    }

    fn records(&self, games: Range<u64>) -> io::Result<Vec<Record>> {
        let record_bytes = self.version.record_bytes();
        let mut bytes = vec![0; (games.end - games.start) as usize * record_bytes];
        let offset = self.version.header_bytes() + games.start * record_bytes as u64;
        self.index.read_at(&mut bytes, offset)?;
        let mut read = ReadRange::default();
        read.add(offset, bytes.len());
        self.index.release(&read)?;

        let records = bytes
            .chunks_exact(record_bytes)
            .map(|bytes| self.version.record(bytes));
        Ok(records.collect())
    }
}

impl GameTexts for Database {
    fn write(&self, games: Range<u64>, text: &mut Vec<u8>) -> io::Result<()> {
        let mut game = Vec::new();
        let mut read_bytes = 0;
        let mut read = ReadRange::default();
        for record in self.records(games)? {
            read_bytes += self.version.record_bytes();
            if self.skips_deleted && record.is_deleted() {
                continue;
            }
            game.resize(record.bytes as usize, 0);
            let found = self.games.read_at(&mut game, record.offset);
            read.add(record.offset, game.len());
            let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
            let bytes = match found {
                Ok(()) => Some(game.as_slice()),
                Err(error) if is_missing(&error) => None,
                Err(error) => return Err(error),
            };
            read_bytes += bytes.map_or(0, <[u8]>::len);
            write_game(&record, &self.names, bytes, text);
        }
        self.games.release(&read)?;
        self.consumed.add(read_bytes);
        Ok(())
    }
}

fn damage(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Opens one of the files.
fn open_part(path: &Path, files: &Files) -> Result<File> {
    File::open(path).map_err(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return Error::file(path)(error);
        }
        let reason = format!(
            "{} is missing; the database is this file with {} and {} beside it, under one name",
            path.display(),
            other_part(files, path, 0),
            other_part(files, path, 1),
        );
        Error::UnreadableScid {
            name: files.index.clone(),
            reason,
        }
    })
}

/// The names of the files of a database beside one of them.
fn other_part(files: &Files, path: &Path, number: usize) -> String {
    let parts = [&files.index, &files.games, &files.names];
    let mut others = parts.into_iter().filter(|part| *part != path);
    let other = others.nth(number).and_then(|part| part.file_name());
    other
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// The number of games that the index promises, if it does not end within a game, and the number that it has; or why it
/// is not read.
fn count_records(
    index: &PartFile,
    version: Version,
) -> io::Result<std::result::Result<(Option<u64>, u64), String>> {
    let bytes = index.bytes();
    let record_bytes = version.record_bytes() as u64;
    let Some(of_records) = bytes.checked_sub(version.header_bytes()) else {
        return Ok(Err("its index is cut short".to_owned()));
    };
    let records = of_records / record_bytes;
    let is_whole = of_records % record_bytes == 0;
    if version == Version::Five {
        return Ok(Ok((is_whole.then_some(records), records)));
    }

    let mut header = [0; 17];
    index.read_at(&mut header, 0)?;
    if !header.starts_with(INDEX_MAGIC) {
        return Ok(Err(
            "its index does not begin as those of Scid 4 do".to_owned()
        ));
    }
    let number = u16::from_be_bytes([header[8], header[9]]);
    if number != VERSION_4 {
        let reason = format!(
            "it has version {number} instead of {VERSION_4}; open it in Scid, which can copy its games into a new database or export them as PGN"
        );
        return Ok(Err(reason));
    }
    let promised = u32::from_be_bytes([0, header[14], header[15], header[16]]);
    Ok(Ok((is_whole.then_some(u64::from(promised)), records)))
}

/// The names, or why they are not read.
fn read_names(
    file: File,
    files: &Files,
    memory: u64,
    consumed: Consumed,
) -> Result<std::result::Result<ReadNames, String>> {
    let in_names = |error| Error::stream(&files.names, 0, error);
    let bytes = file.metadata().map_err(in_names)?.len();
    let mut input = BufReader::new(Counted(file, consumed));
    if files.version == Version::Four {
        let mut magic = [0; NAMES_MAGIC.len()];
        let read = input.read_exact(&mut magic);
        if read.is_err() || &magic != NAMES_MAGIC {
            let names = files.names.display();
            return Ok(Err(format!(
                "{names} does not begin as the names of Scid 4 do"
            )));
        }
    }
    Names::read(files.version, input, bytes, memory)
        .map(Ok)
        .map_err(in_names)
}

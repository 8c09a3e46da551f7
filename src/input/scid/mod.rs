//! Reads databases of Scid 4 and 5, three files each, as PGN text.
//!
//! `files` finds the files of a database, `record` reads the index, `names` reads the names of players, events, sites
//! and rounds, `board` decodes moves, and `game_text` writes a game. The index and the games are read in batches, from
//! all threads; the names are in memory.

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
use super::game_texts::{Batches, GameTexts, ListedGames, max_stored_bytes};
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
/// The first bytes of the header of version 4, up to the number of games.
const COUNTS_BYTES: usize = 17;
/// The offsets in the header: of the version, in two bytes, and of the number of games, in three bytes.
const VERSION_AT: usize = 8;
const GAMES_AT: usize = 14;

impl Unpacker {
    /// Passes on the games of a database.
    pub(super) fn scid(&self, files: &Files, skips_deleted: bool) -> Walk {
        let memory = self.limits.window_bytes;
        let opened = match Database::open(files, memory, self.consumed.clone(), skips_deleted) {
            Ok(opened) => opened,
            Err(error) => return self.fail(error),
        };
        let Opened {
            database,
            batches,
            deleted,
            end,
        } = opened;

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
    /// An error if the index or the names are incomplete.
    end: io::Result<()>,
}

impl Database {
    /// Opens a database. `memory` is the maximum size of its names in memory, in bytes.
    fn open(files: &Files, memory: u64, consumed: Consumed, skips_deleted: bool) -> Result<Opened> {
        let unreadable = |reason: String| Error::UnreadableScid {
            name: files.index.clone(),
            reason,
        };

        let index_file = open_part(&files.index, files)?;
        let index = PartFile::new(index_file).map_err(Error::file(&files.index))?;
        let games_file = open_part(&files.games, files)?;
        let games = PartFile::new(games_file).map_err(Error::file(&files.games))?;
        let names_file = open_part(&files.names, files)?;

        let counted = count_records(&index, files.version).map_err(Error::file(&files.index))?;
        let records = counted.map_err(unreadable)?;
        let read = read_names(names_file, files, memory, consumed.clone())?;
        let ReadNames { names, is_whole } = read.map_err(unreadable)?;

        let game_bytes = games.bytes();
        let database = Database {
            version: files.version,
            index,
            games,
            names,
            consumed,
            skips_deleted,
        };
        let listed = database
            .list_games(records.stored)
            .map_err(Error::file(&files.index))?;
        // Many records may refer to one game, so a small file could have games without end.
        let promised_bytes = listed.stored_bytes;
        if promised_bytes > max_stored_bytes(game_bytes) {
            let games_name = files.games.display();
            return Err(unreadable(format!(
                "its index promises {promised_bytes} bytes of games, but {games_name} has {game_bytes}"
            )));
        }

        let end = check_end(&records, is_whole, &files.names);
        Ok(Opened {
            database,
            batches: listed.batches,
            deleted: listed.deleted,
            end,
        })
    }

    /// Reads the index, and cuts its games into batches.
    fn list_games(&self, records: u64) -> io::Result<IndexedGames> {
        let mut games = IndexedGames::default();
        let mut start = 0;
        while start < records {
            let end = records.min(start + RECORDS_AT_ONCE as u64);
            for record in self.records(start..end)? {
                let game_bytes = u64::from(record.bytes);
                let record_bytes = self.version.record_bytes() as u64;
                games.deleted += u64::from(record.is_deleted());
                games.stored_bytes += game_bytes;
                games.batches.add_game(game_bytes + record_bytes);
            }
            start = end;
        }
        Ok(games)
    }

    /// Reads records of the index by their numbers, which count from 0.
    fn records(&self, games: Range<u64>) -> io::Result<Vec<Record>> {
        let record_bytes = self.version.record_bytes();
        let count = (games.end - games.start) as usize;
        let mut bytes = vec![0; count * record_bytes];
        let offset = self.version.header_bytes() + games.start * record_bytes as u64;
        self.index.read_at(&mut bytes, offset)?;

        let mut read = ReadRange::default();
        read.add(offset, bytes.len());
        self.index.release(&read)?;

        let mut records = Vec::with_capacity(count);
        for record in bytes.chunks_exact(record_bytes) {
            records.push(self.version.record(record));
        }
        Ok(records)
    }
}

/// The games of an index.
#[derive(Default)]
struct IndexedGames {
    batches: Batches,
    /// The number of games that are marked as deleted.
    deleted: u64,
    /// The bytes of all games in the file of games.
    stored_bytes: u64,
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
            read.add(record.offset, game.len());
            let bytes = match self.games.read_at(&mut game, record.offset) {
                Ok(()) => Some(game.as_slice()),
                // The game is written from the index alone, and reported as unreadable.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
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

/// Checks that the index and the names are whole. Otherwise, the error follows the games that can be read.
fn check_end(records: &RecordCounts, has_all_names: bool, names: &Path) -> io::Result<()> {
    let RecordCounts {
        promised,
        stored,
        is_whole,
    } = *records;

    let reason = if !is_whole {
        "its index ends within a game".to_owned()
    } else if promised != stored {
        format!("its index has {stored} games instead of {promised}")
    } else if !has_all_names {
        format!("the names in {} end too early", names.display())
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::InvalidData, reason))
}

/// Opens a file of a database.
fn open_part(path: &Path, files: &Files) -> Result<File> {
    let error = match File::open(path) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    if error.kind() != io::ErrorKind::NotFound {
        return Err(Error::file(path)(error));
    }

    let [first, second] = other_parts(files, path);
    let reason = format!(
        "{} is missing; the database is this file with {first} and {second} beside it, under one name",
        path.display(),
    );
    Err(Error::UnreadableScid {
        name: files.index.clone(),
        reason,
    })
}

/// The names of the two other files of a database.
fn other_parts(files: &Files, path: &Path) -> [String; 2] {
    let (first, second) = if path == files.index {
        (&files.games, &files.names)
    } else if path == files.games {
        (&files.index, &files.names)
    } else {
        (&files.index, &files.games)
    };
    [first, second].map(|part| {
        let name = part.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    })
}

/// The numbers of games in an index.
struct RecordCounts {
    /// The number of games in the header. Version 5 has no header, so there it is the number of whole records.
    promised: u64,
    /// The number of whole records.
    stored: u64,
    /// `false` if the index ends within a record.
    is_whole: bool,
}

/// Counts the records of an index; the inner error is the reason why the index cannot be read.
fn count_records(
    index: &PartFile,
    version: Version,
) -> io::Result<std::result::Result<RecordCounts, String>> {
    let record_bytes = version.record_bytes() as u64;
    let Some(bytes) = index.bytes().checked_sub(version.header_bytes()) else {
        return Ok(Err("its index is cut short".to_owned()));
    };
    let stored = bytes / record_bytes;
    let is_whole = bytes % record_bytes == 0;
    if version == Version::Five {
        return Ok(Ok(RecordCounts {
            promised: stored,
            stored,
            is_whole,
        }));
    }

    let mut header = [0; COUNTS_BYTES];
    index.read_at(&mut header, 0)?;
    if !header.starts_with(INDEX_MAGIC) {
        let reason = "its index does not begin like an index of Scid 4";
        return Ok(Err(reason.to_owned()));
    }
    let number = u16::from_be_bytes([header[VERSION_AT], header[VERSION_AT + 1]]);
    if number != VERSION_4 {
        let reason = format!(
            "it has version {number} instead of {VERSION_4}; open it in Scid, which can copy its games into a new database or export them as PGN"
        );
        return Ok(Err(reason));
    }

    let promised = [
        0,
        header[GAMES_AT],
        header[GAMES_AT + 1],
        header[GAMES_AT + 2],
    ];
    Ok(Ok(RecordCounts {
        promised: u32::from_be_bytes(promised).into(),
        stored,
        is_whole,
    }))
}

/// Reads the names; the inner error is the reason why the names cannot be read.
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

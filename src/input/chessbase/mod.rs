//! Reads ChessBase databases of the classic format, nine files each, as PGN text.
//!
//! The crates `cbvault-format` and `cbvault-chess` parse records and decode moves. Files are read here, by random
//! access, from all threads. `files` finds the files of a database, `archive` unpacks them, `names` reads names, `tree`
//! stores the moves of a game, `annotations` and `text` write comments, and `game_text` writes a game.

mod annotations;
mod archive;
mod files;
mod game_text;
mod names;
mod text;
mod tree;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use cbvault_format::cbh::{GameHeader, RECORD_SIZE};
use cbvault_format::game::{Date, RecordKind};
use encoding_rs::{Encoding, WINDOWS_1252};

use super::content::{Consumed, ForeignDatabase};
use super::game_texts::{Batches, GameTexts, ListedGames, max_stored_bytes};
use super::part_file::{PartFile, ReadRange};
use super::unpack::{Unpacker, Walk};
use crate::bug::caught;
use crate::error::{Error, Result};
pub(super) use archive::is_archive;
use files::Parts;
pub(super) use files::{Files, meant_index};
use game_text::{GameBytes, GameNames, StoredAnnotations, UNREADABLE_GAME, write_game};
use names::{Names, field};
use text::{Guess, append};
use tree::Tree;

/// The number of records that are read at once.
const RECORDS_AT_ONCE: u32 = 4096;
/// The maximum sizes of records. Records of known databases have some kilobytes. The PGN and the tree of moves of a
/// record are many times larger than the record: a record of 16 MB could need half a gigabyte.
const MAX_MOVES_BYTES: u64 = 1 << 19;
const MAX_ANNOTATION_BYTES: u64 = 1 << 21;
/// The maximum number of records in excess of the bytes in the file of moves. It allows a truncated file of moves: up
/// to this many games are then reported as unreadable.
const MAX_EMPTY_RECORDS: u64 = 1 << 22;
/// The number of players whose names determine the encoding of all names.
const SAMPLED_PLAYERS: u64 = 1000;
/// The sizes of the heads of records. A head has the size of its record.
const MOVES_HEAD_BYTES: usize = 4;
const ANNOTATIONS_HEAD_BYTES: usize = 14;

/// The fields of a player: last name and first name.
const LAST_NAME_BYTES: usize = 30;
const FIRST_NAME_BYTES: usize = 20;
const PLAYER_BYTES: usize = LAST_NAME_BYTES + FIRST_NAME_BYTES;
/// The fields of a tournament that are read: title, place and date.
const TITLE_BYTES: usize = 40;
const PLACE_BYTES: usize = 30;
const TOURNAMENT_DATE_AT: usize = TITLE_BYTES + PLACE_BYTES;
const TOURNAMENT_BYTES: usize = TOURNAMENT_DATE_AT + 4;
/// The names of annotators, sources and teams.
const ANNOTATOR_BYTES: usize = 45;
const SOURCE_BYTES: usize = 25;
const TEAM_BYTES: usize = 50;

/// The header of the file of additions to records.
const ADDITIONS_HEADER_BYTES: u64 = 32;
/// The size of the numbers of both teams, with which an addition begins.
const TEAMS_BYTES: u64 = 8;
/// The minimum size of an addition that has the places of a game in files above four gigabytes.
const PLACES_BYTES: u64 = 38;
/// The eight bytes of each place within an addition.
const WIDE_ANNOTATIONS: Range<usize> = 12..20;
const WIDE_MOVES: Range<usize> = 30..38;
/// The maximum size of an addition.
const MAX_ADDITION_BYTES: u64 = 4096;

impl Unpacker {
    /// Passes on the games of a database.
    pub(super) fn chessbase(&self, files: &Files, skips_deleted: bool) -> Walk {
        let parts = Parts {
            files: files.clone(),
            unpacked: None,
            stored_share: (1, 1),
        };
        self.chessbase_parts(&parts, skips_deleted)
    }

    /// Passes on the games of a database whose files can be opened.
    fn chessbase_parts(&self, parts: &Parts, skips_deleted: bool) -> Walk {
        let opened = match Database::open(parts, self.consumed.clone(), skips_deleted) {
            Ok(opened) => opened,
            Err(error) => return self.fail(error),
        };

        let Opened {
            database,
            batches,
            deleted,
            texts,
            end,
        } = opened;

        self.game_texts(ListedGames {
            name: &parts.files.index,
            games: &database,
            batches,
            database: ForeignDatabase { deleted, texts },
            end,
        })
    }
}

/// The open files of a database.
#[derive(Debug)]
struct Database {
    index: PartFile,
    records: u32,
    moves: PartFile,
    annotations: PartFile,
    players: Names,
    tournaments: Names,
    annotators: Names,
    sources: Names,
    teams: Option<Names>,
    additions: Option<Additions>,
    /// The encoding of names that are not in UTF-8.
    encoding: &'static Encoding,
    consumed: Consumed,
    /// The size of the input, and the total size of the unpacked files. The sizes differ for an archive.
    stored_share: (u64, u64),
    skips_deleted: bool,
}

/// A database whose records have been counted.
#[derive(Debug)]
struct Opened {
    database: Database,
    batches: Batches,
    /// The number of games that are marked as deleted.
    deleted: u64,
    /// The number of records that are texts.
    texts: u64,
    /// An error if the index ends within a record.
    end: io::Result<()>,
}

/// Additions to the records of games. Newer versions of ChessBase write them to a separate file.
#[derive(Debug)]
struct Additions {
    file: PartFile,
    record_bytes: u64,
    records: u64,
}

/// The offsets of a game's moves and annotations in their files; `None` for a game without annotations.
struct Places {
    moves: u64,
    annotations: Option<u64>,
}

impl Database {
    /// Opens the files of a database, and counts its records.
    ///
    /// # Errors
    /// If a file is missing, cannot be read or makes no sense.
    fn open(parts: &Parts, consumed: Consumed, skips_deleted: bool) -> Result<Opened> {
        let files = &parts.files;

        let index = open_index(parts)?;
        let moves = open_part_file(parts, "cbg")?;
        let annotations = open_part_file(parts, "cba")?;
        let records = count_records(files, &index, &moves)?;

        let teams = optional_names(parts, "cbe", TEAM_BYTES)?;
        let additions = match open_optional(parts, "cbj")? {
            Some(file) => Additions::open(file).map_err(Error::file(&files.part("cbj")))?,
            None => None,
        };
        let players = required_names(parts, "cbp", PLAYER_BYTES)?;
        let encoding = encoding_of_names(&players).map_err(Error::file(&files.part("cbp")))?;
        let tournaments = required_names(parts, "cbt", TOURNAMENT_BYTES)?;
        let annotators = required_names(parts, "cbc", ANNOTATOR_BYTES)?;
        let sources = required_names(parts, "cbs", SOURCE_BYTES)?;

        let index_bytes = index.bytes();
        let file_bytes = moves.bytes() + annotations.bytes();
        let database = Database {
            records,
            moves,
            annotations,
            players,
            tournaments,
            annotators,
            sources,
            teams,
            additions,
            encoding,
            index,
            consumed,
            stored_share: parts.stored_share,
            skips_deleted,
        };

        let counts = database.count().map_err(Error::file(&files.index))?;
        let Counts {
            batches,
            deleted,
            texts,
            stored_bytes,
        } = counts;
        // Many records may refer to one game, so a small file could have games without end.
        if stored_bytes > max_stored_bytes(file_bytes) {
            let reason = format!(
                "its index promises {stored_bytes} bytes of games, but the files have {file_bytes}"
            );
            return Err(unreadable(files, reason));
        }

        let end = check_end_of_index(index_bytes);
        Ok(Opened {
            database,
            batches,
            deleted,
            texts,
            end,
        })
    }

    /// Reads records of the index by their numbers, which count from 0.
    fn records(&self, numbers: Range<u32>) -> io::Result<Vec<Record>> {
        let count = (numbers.end - numbers.start) as usize;
        let mut bytes = vec![0; count * RECORD_SIZE];
        // The header of the file has the size of a record.
        let offset = (u64::from(numbers.start) + 1) * RECORD_SIZE as u64;
        self.index.read_at(&mut bytes, offset)?;

        let mut read = ReadRange::default();
        read.add(offset, bytes.len());
        self.index.release(&read)?;

        let stored = bytes.as_chunks::<RECORD_SIZE>().0.iter();
        let mut records = Vec::with_capacity(count);
        for (number, record) in numbers.zip(stored) {
            // The library counts records from 1.
            records.push(Record::new(number + 1, record));
        }
        Ok(records)
    }

    /// Reads the index, counts its records, and divides them into batches.
    fn count(&self) -> io::Result<Counts> {
        let mut counts = Counts::default();
        let mut start = 0;
        while start < self.records {
            let end = self.records.min(start.saturating_add(RECORDS_AT_ONCE));

            for record in self.records(start..end)? {
                let mut game_bytes = 0;
                match record {
                    Record::Game(header) => {
                        counts.deleted += u64::from(header.is_deleted());
                        game_bytes = self.stored_bytes(&header)?;
                        counts.stored_bytes = counts.stored_bytes.saturating_add(game_bytes);
                    }
                    Record::Text => counts.texts += 1,
                    Record::Damaged | Record::Unused => {}
                }

                // Batches are ranges of record numbers, so records that are not games count, too.
                let record_bytes = RECORD_SIZE as u64;
                counts.batches.add_game(game_bytes + record_bytes);
            }

            start = end;
        }

        Ok(counts)
    }

    /// The size of a game in the files of moves and annotations.
    fn stored_bytes(&self, record: &GameHeader) -> io::Result<u64> {
        let places = self.places(record)?;
        let moves = record_bytes(&self.moves, places.moves, moves_bytes, MAX_MOVES_BYTES)?;
        let annotations = match places.annotations {
            Some(place) => record_bytes(
                &self.annotations,
                place,
                annotation_bytes,
                MAX_ANNOTATION_BYTES,
            )?,
            None => None,
        };

        Ok(moves.unwrap_or(0) + annotations.unwrap_or(0))
    }

    /// The offsets of a game in the files of moves and annotations.
    fn places(&self, record: &GameHeader) -> io::Result<Places> {
        let moves = u64::from(record.moves_offset());
        let annotations = u64::from(record.annotations_offset());
        let mut places = (moves, annotations);

        // Shorter additions have no places.
        let additions = self
            .additions
            .as_ref()
            .filter(|additions| additions.record_bytes >= PLACES_BYTES);
        if let Some(additions) = additions
            && let Some(bytes) = additions.read::<{ PLACES_BYTES as usize }>(record.id())?
        {
            let wide_annotations = big_endian(&bytes[WIDE_ANNOTATIONS]);
            let wide_moves = big_endian(&bytes[WIDE_MOVES]);

            // The lower halves of both places are equal, except in an addition that was never updated.
            let has_equal_half = |wide: u64, short: u64| wide as u32 == short as u32;
            let is_updated =
                has_equal_half(wide_moves, moves) && has_equal_half(wide_annotations, annotations);
            if is_updated {
                places = (wide_moves, wide_annotations);
            }
        }

        let (moves, annotations) = places;
        Ok(Places {
            moves,
            annotations: (annotations > 0).then_some(annotations),
        })
    }

    /// Reads the names that a game refers to; `data` is room for records of names.
    fn names_of(&self, record: &GameHeader, data: &mut Vec<u8>) -> io::Result<GameNames> {
        let annotator = record.annotator();
        let source = record.source();

        let mut names = GameNames::default();
        self.read_tournament(record.tournament(), data, &mut names)?;
        names.white = self.player(record.white(), data)?;
        names.black = self.player(record.black(), data)?;
        names.annotator = first_field(&self.annotators, annotator, ANNOTATOR_BYTES, data)?;
        names.source = first_field(&self.sources, source, SOURCE_BYTES, data)?;
        self.read_teams(record.id(), data, &mut names)?;
        Ok(names)
    }

    /// Reads the title, place and date of a game's tournament into `names`.
    fn read_tournament(
        &self,
        number: u32,
        data: &mut Vec<u8>,
        names: &mut GameNames,
    ) -> io::Result<()> {
        let is_there = self.tournaments.read(u64::from(number), data)?;
        if !is_there {
            return Ok(());
        }

        let title = field(data, 0, TITLE_BYTES);
        let place = field(data, TITLE_BYTES, PLACE_BYTES);
        names.event = Some(title.to_vec());
        names.site = Some(place.to_vec());

        let date = data
            .get(TOURNAMENT_DATE_AT..TOURNAMENT_BYTES)
            .and_then(|four| four.try_into().ok());
        names.event_date = date.map(|four| Date(i32::from_le_bytes(four)));
        Ok(())
    }

    /// Reads the names of both teams of a game into `names`.
    fn read_teams(&self, game: u32, data: &mut Vec<u8>, names: &mut GameNames) -> io::Result<()> {
        let (Some(teams), Some(additions)) = (&self.teams, &self.additions) else {
            return Ok(());
        };
        let Some(numbers) = additions.read::<{ TEAMS_BYTES as usize }>(game)? else {
            return Ok(());
        };

        let white = big_endian(&numbers[..4]) as u32;
        let black = big_endian(&numbers[4..]) as u32;
        names.white_team = first_field(teams, white, TEAM_BYTES, data)?;
        names.black_team = first_field(teams, black, TEAM_BYTES, data)?;
        Ok(())
    }

    /// The name of a player, as `Last, First`; `None` if there is no such player.
    fn player(&self, number: u32, data: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        let is_there = self.players.read(u64::from(number), data)?;
        if !is_there {
            return Ok(None);
        }

        let last = field(data, 0, LAST_NAME_BYTES);
        let first = field(data, LAST_NAME_BYTES, FIRST_NAME_BYTES);
        let separator: &[u8] = if last.is_empty() || first.is_empty() {
            b""
        } else {
            b", "
        };
        Ok(Some([last, separator, first].concat()))
    }

    /// Appends a game as PGN; returns the number of bytes of its records.
    fn write_game(
        &self,
        record: &GameHeader,
        read: &mut ReadRanges,
        text: &mut Vec<u8>,
    ) -> io::Result<usize> {
        let names = self.names_of(record, &mut Vec::new())?;
        let places = self.places(record)?;
        let moves = read_record(&self.moves, places.moves, moves_bytes, MAX_MOVES_BYTES)?;
        let mut read_bytes = moves.as_ref().map_or(0, Vec::len);
        read.moves.add(places.moves, read_bytes);

        let annotations = match places.annotations {
            None => None,
            Some(place) => {
                let bytes = read_record(
                    &self.annotations,
                    place,
                    annotation_bytes,
                    MAX_ANNOTATION_BYTES,
                )?;
                let length = bytes.as_ref().map_or(0, Vec::len);
                read.annotations.add(place, length);
                read_bytes += length;
                Some(bytes)
            }
        };

        let bytes = GameBytes {
            moves: moves.as_deref(),
            annotations: match &annotations {
                None => StoredAnnotations::None,
                Some(None) => StoredAnnotations::Unreadable,
                Some(Some(bytes)) => StoredAnnotations::Bytes(bytes),
            },
        };

        // The libraries are young, so their panics are caught. A panic makes only this game unreadable.
        let before = text.len();
        let encoding = self.encoding;
        let mut tree = Tree::new();
        let written = caught(|| write_game(record, &names, encoding, &bytes, &mut tree, text));
        if let Err(bug) = written {
            text.truncate(before);
            write_unreadable(Some(&bug.to_string()), text);
        }
        Ok(read_bytes)
    }
}

/// Appends a game that cannot be read at all, and the reason.
fn write_unreadable(reason: Option<&str>, text: &mut Vec<u8>) {
    text.extend_from_slice(b"[Event \"?\"]\n\n");
    text.extend_from_slice(UNREADABLE_GAME);
    if let Some(reason) = reason {
        text.extend_from_slice(b" {");
        append(reason.as_bytes(), WINDOWS_1252, text);
        text.push(b'}');
    }
    text.extend_from_slice(b" *\n\n");
}

/// The ranges of the files of moves and annotations that have been read.
#[derive(Default)]
struct ReadRanges {
    moves: ReadRange,
    annotations: ReadRange,
}

impl GameTexts for Database {
    fn write(&self, games: Range<u64>, text: &mut Vec<u8>) -> io::Result<()> {
        // There are no more than 2^32 records.
        let numbers = games.start as u32..games.end as u32;
        let mut read_bytes = 0;
        let mut read = ReadRanges::default();

        for record in self.records(numbers)? {
            read_bytes += RECORD_SIZE;
            match record {
                Record::Game(header) if self.skips_deleted && header.is_deleted() => {}
                Record::Game(header) => read_bytes += self.write_game(&header, &mut read, text)?,
                Record::Damaged => write_unreadable(None, text),
                Record::Text | Record::Unused => {}
            }
        }

        self.moves.release(&read.moves)?;
        self.annotations.release(&read.annotations)?;

        // Progress counts the bytes of the input. An archive is smaller than its unpacked files.
        let (stored, unpacked) = self.stored_share;
        let stored_bytes = read_bytes as u128 * u128::from(stored) / u128::from(unpacked.max(1));
        self.consumed.add(stored_bytes as usize);
        Ok(())
    }
}

/// A record of the index.
enum Record {
    Game(GameHeader),
    Text,
    /// A record that is neither a game nor a text, and not empty.
    Damaged,
    /// A record of zeros, as at the end of the file.
    Unused,
}

impl Record {
    fn new(number: u32, bytes: &[u8; RECORD_SIZE]) -> Record {
        let header = GameHeader::from_bytes(number, bytes);
        match header.kind() {
            RecordKind::Game => Record::Game(header),
            RecordKind::Text => Record::Text,
            RecordKind::Analysis | RecordKind::Unknown(_) => {
                let is_empty = bytes.iter().all(|&byte| byte == 0);
                if is_empty {
                    Record::Unused
                } else {
                    Record::Damaged
                }
            }
        }
    }
}

/// The numbers of games and texts in a database, and the size of its games.
#[derive(Debug, Default)]
struct Counts {
    batches: Batches,
    deleted: u64,
    texts: u64,
    stored_bytes: u64,
}

impl Additions {
    /// The additions in a file; `None` if it does not begin as such files do.
    fn open(file: File) -> io::Result<Option<Additions>> {
        let file = PartFile::new(file)?;
        let length = file.bytes();
        if length < ADDITIONS_HEADER_BYTES {
            return Ok(None);
        }

        let mut header = [0; 12];
        file.read_at(&mut header, 0)?;
        let [_, _, _, _, a, b, c, d, e, f, g, h] = header;
        let record_bytes = u64::from(u32::from_le_bytes([a, b, c, d]));
        let promised = u64::from(u32::from_le_bytes([e, f, g, h]));
        if !(TEAMS_BYTES..=MAX_ADDITION_BYTES).contains(&record_bytes) {
            return Ok(None);
        }

        let records = promised.min((length - ADDITIONS_HEADER_BYTES) / record_bytes);
        Ok(Some(Additions {
            file,
            record_bytes,
            records,
        }))
    }

    /// The first `BYTES` bytes of a record, by its number from 1; `None` if there is no such record.
    fn read<const BYTES: usize>(&self, number: u32) -> io::Result<Option<[u8; BYTES]>> {
        let before = u64::from(number)
            .checked_sub(1)
            .filter(|before| *before < self.records);
        let Some(before) = before else {
            return Ok(None);
        };

        let mut bytes = [0; BYTES];
        let place = ADDITIONS_HEADER_BYTES + before * self.record_bytes;
        self.file.read_at(&mut bytes, place)?;
        Ok(Some(bytes))
    }
}

/// Returns `true` for a file whose header names the size of a ChessBase index's records.
fn begins_as_index(index: &PartFile) -> io::Result<bool> {
    if index.bytes() < RECORD_SIZE as u64 {
        return Ok(false);
    }

    let mut header = [0; RECORD_SIZE];
    index.read_at(&mut header, 0)?;
    let record_bytes = u16::from_be_bytes([header[3], header[4]]);
    Ok(record_bytes == RECORD_SIZE as u16)
}

/// Checks that an index ends with a whole record.
fn check_end_of_index(index_bytes: u64) -> io::Result<()> {
    let is_whole = index_bytes.is_multiple_of(RECORD_SIZE as u64);
    if is_whole {
        return Ok(());
    }

    Err(io::Error::new(
        io::ErrorKind::InvalidData,
        "its index ends within a game",
    ))
}

/// The number of records in an index, its header excluded.
fn count_records(files: &Files, index: &PartFile, moves: &PartFile) -> Result<u32> {
    // The header has the size of a record.
    let records = (index.bytes() / RECORD_SIZE as u64).saturating_sub(1);
    let move_bytes = moves.bytes();
    // Each game and each text has its own bytes in the file of moves.
    if records > move_bytes.saturating_add(MAX_EMPTY_RECORDS) {
        let reason =
            format!("its .cbh has {records} records, but its .cbg only {move_bytes} bytes");
        return Err(unreadable(files, reason));
    }

    u32::try_from(records).map_err(|_| {
        let reason = "its .cbh has more than 2^32 records";
        unreadable(files, reason.to_owned())
    })
}

/// The first field of a record of names; `None` if there is no such record.
fn first_field(
    names: &Names,
    number: u32,
    bytes: usize,
    data: &mut Vec<u8>,
) -> io::Result<Option<Vec<u8>>> {
    let is_there = names.read(u64::from(number), data)?;
    Ok(is_there.then(|| field(data, 0, bytes).to_vec()))
}

/// A big-endian number.
fn big_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The size of a record of moves by its beginning.
fn moves_bytes(head: &[u8; MOVES_HEAD_BYTES]) -> u64 {
    u64::from(u32::from_be_bytes([0, head[1], head[2], head[3]]))
}

/// The size of a record of annotations by its beginning.
fn annotation_bytes(head: &[u8; ANNOTATIONS_HEAD_BYTES]) -> u64 {
    u64::from(u32::from_be_bytes([head[10], head[11], head[12], head[13]]))
}

/// The size in bytes of the record at a place, read from the record's head. `None` if no record is there, or its size
/// exceeds `max_bytes`.
fn record_bytes<const HEAD: usize>(
    file: &PartFile,
    place: u64,
    size: fn(&[u8; HEAD]) -> u64,
    max_bytes: u64,
) -> io::Result<Option<u64>> {
    let mut head = [0; HEAD];
    match file.read_at(&mut head, place) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }

    let bytes = size(&head);
    let is_plausible = (HEAD as u64..=max_bytes).contains(&bytes);
    Ok(is_plausible.then_some(bytes))
}

/// The bytes of a record at a place; `None` if there is no whole record, or a record of more than `max_bytes`.
fn read_record<const HEAD: usize>(
    file: &PartFile,
    place: u64,
    size: fn(&[u8; HEAD]) -> u64,
    max_bytes: u64,
) -> io::Result<Option<Vec<u8>>> {
    let Some(bytes) = record_bytes(file, place, size, max_bytes)? else {
        return Ok(None);
    };

    let is_whole = match place.checked_add(bytes) {
        Some(end) => end <= file.bytes(),
        None => false,
    };
    if !is_whole {
        return Ok(None);
    }

    let mut record = vec![0; bytes as usize];
    file.read_at(&mut record, place)?;
    Ok(Some(record))
}

/// The encoding of names that are not in UTF-8. It is guessed from the first names, so that it does not change when the
/// database grows.
fn encoding_of_names(players: &Names) -> io::Result<&'static Encoding> {
    let mut guess = Guess::new();
    let mut data = Vec::new();
    let sampled = SAMPLED_PLAYERS.min(players.count());
    for number in 0..sampled {
        if players.read(number, &mut data)? {
            guess.add(field(&data, 0, LAST_NAME_BYTES));
            guess.add(field(&data, LAST_NAME_BYTES, FIRST_NAME_BYTES));
        }
    }
    Ok(guess.encoding())
}

/// The error for a database that cannot be read.
fn unreadable(files: &Files, reason: String) -> Error {
    Error::UnreadableChessBase {
        name: files.index.clone(),
        reason,
    }
}

/// Opens the index of a database.
fn open_index(parts: &Parts) -> Result<PartFile> {
    let files = &parts.files;
    let index = open_part_file(parts, "cbh")?;
    let is_index = begins_as_index(&index).map_err(Error::file(&files.index))?;
    if !is_index {
        let reason = "its .cbh does not begin like a file of ChessBase";
        return Err(unreadable(files, reason.to_owned()));
    }

    Ok(index)
}

/// Opens a file of names that every database has.
fn required_names(parts: &Parts, extension: &str, min_bytes: usize) -> Result<Names> {
    let file = open_part(parts, extension)?;
    let path = parts.files.part(extension);
    let opened = Names::open(file, min_bytes).map_err(Error::file(&path))?;

    let Some(names) = opened else {
        let reason = format!("{} has no names", path.display());
        return Err(unreadable(&parts.files, reason));
    };
    Ok(names)
}

/// Opens a file of names that only newer databases have.
fn optional_names(parts: &Parts, extension: &str, min_bytes: usize) -> Result<Option<Names>> {
    let Some(file) = open_optional(parts, extension)? else {
        return Ok(None);
    };

    let path = parts.files.part(extension);
    Names::open(file, min_bytes).map_err(Error::file(&path))
}

/// Opens a file that only newer databases have.
fn open_optional(parts: &Parts, extension: &str) -> Result<Option<File>> {
    match parts.open(extension) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let path = parts.files.part(extension);
            Err(Error::file(&path)(error))
        }
    }
}

/// Opens a file that every database has, to be read at places.
fn open_part_file(parts: &Parts, extension: &str) -> Result<PartFile> {
    let file = open_part(parts, extension)?;
    let path = parts.files.part(extension);
    PartFile::new(file).map_err(Error::file(&path))
}

/// Opens a file that every database has.
fn open_part(parts: &Parts, extension: &str) -> Result<File> {
    let error = match parts.open(extension) {
        Ok(file) => return Ok(file),
        Err(error) => error,
    };
    let path = parts.files.part(extension);
    if error.kind() != io::ErrorKind::NotFound {
        return Err(Error::file(&path)(error));
    }

    let missing = path.file_name().map(Path::new).unwrap_or(&path).display();
    let reason = if parts.unpacked.is_some() {
        format!("the archive has no {missing}")
    } else {
        format!(
            "{missing} is missing; the database is this file with .cbg, .cba, .cbp, .cbt, .cbc and .cbs beside it, under one name"
        )
    };
    Err(unreadable(&parts.files, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_records_have_their_size() {
        // The first byte of a game is for flags.
        assert_eq!(moves_bytes(&[0x80, 0, 1, 2]), 0x102);

        let mut head = [0xff; ANNOTATIONS_HEAD_BYTES];
        head[10..].copy_from_slice(&[0, 1, 2, 3]);
        assert_eq!(annotation_bytes(&head), 0x1_0203);
        assert_eq!(big_endian(&[1, 2, 3, 4, 5]), 0x01_0203_0405);
    }
}

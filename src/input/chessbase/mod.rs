//! Reads ChessBase databases of the classic format, nine files each, as PGN text.
//!
//! The crates `cbvault-format` and `cbvault-chess` know the bytes of records and decode moves; all files are read here, at
//! places, from all threads. `files` tells which files belong together, `archive` unpacks them, `names` reads names, `tree`
//! keeps the moves of a game, `annotations` and `text` write what players said of them, and `game_text` writes a game.

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
use super::game_texts::{Batches, GameTexts, ListedGames, most_stored_bytes};
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
/// The largest records that are read. Those of known databases have some kilobytes; as PGN, and as a tree of moves, they
/// take many times their size.
const MAX_MOVES_BYTES: u64 = 1 << 19;
const MAX_ANNOTATION_BYTES: u64 = 1 << 21;
/// The number of records beyond the bytes of moves that are read: as unreadable games, if the file of moves is damaged.
const MAX_EMPTY_RECORDS: u64 = 1 << 22;
/// The number of players whose names tell the encoding of all names.
const SAMPLED_PLAYERS: u64 = 1000;
/// The sizes of a record's beginning, which says how long the record is.
const MOVES_HEAD_BYTES: usize = 4;
const ANNOTATIONS_HEAD_BYTES: usize = 14;
/// The header of the file of additions to records, and what it has of teams.
const ADDITIONS_HEADER_BYTES: u64 = 32;
const TEAMS_BYTES: u64 = 8;
/// The bytes that an addition has when it tells places in files above four gigabytes.
const PLACES_BYTES: u64 = 38;

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

/// An open database.
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
    /// The size of the input, and that of the files in it, which differ for an archive.
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
    /// An error if the index is not whole.
    end: io::Result<()>,
}

/// What newer versions have added to records.
#[derive(Debug)]
struct Additions {
    file: PartFile,
    record_bytes: u64,
    records: u64,
}

/// Where the moves and the annotations of a game are, and whether it has any annotations.
struct Places {
    moves: u64,
    annotations: Option<u64>,
}

impl Database {
    fn open(parts: &Parts, consumed: Consumed, skips_deleted: bool) -> Result<Opened> {
        let files = &parts.files;
        let unreadable = |reason: String| Error::UnreadableChessBase {
            name: files.index.clone(),
            reason,
        };
        let open = |extension| {
            let file = open_part(parts, extension)?;
            PartFile::new(file).map_err(Error::file(&files.part(extension)))
        };
        let index = open("cbh")?;
        let in_index = || Error::file(&files.index);

        let mut header = [0; RECORD_SIZE];
        let is_whole = index.bytes() >= RECORD_SIZE as u64;
        if is_whole {
            index.read_at(&mut header, 0).map_err(in_index())?;
        }
        if !is_whole || u16::from_be_bytes([header[3], header[4]]) != RECORD_SIZE as u16 {
            return Err(unreadable(
                "its .cbh does not begin as those of ChessBase do".to_owned(),
            ));
        }
        let moves = open("cbg")?;
        let annotations = open("cba")?;
        let records = index.bytes() / RECORD_SIZE as u64 - 1;
        // Each game, and each text, has bytes of its own there.
        if records > moves.bytes().saturating_add(MAX_EMPTY_RECORDS) {
            let bytes = moves.bytes();
            return Err(unreadable(format!(
                "its .cbh has {records} records, but its .cbg only {bytes} bytes"
            )));
        }
        let Ok(records) = u32::try_from(records) else {
            return Err(unreadable("its .cbh has more than 2^32 records".to_owned()));
        };

        let names = |extension: &str, least_bytes| {
            let path = files.part(extension);
            let names = Names::open(open_part(parts, extension)?, least_bytes);
            let names = names.map_err(Error::file(&path))?;
            let damaged = || unreadable(format!("{} has no names", path.display()));
            names.ok_or_else(damaged)
        };
        let teams = match open_optional(parts, "cbe")? {
            Some(file) => Names::open(file, 50).map_err(Error::file(&files.part("cbe")))?,
            None => None,
        };
        let additions = match open_optional(parts, "cbj")? {
            Some(file) => Additions::open(file).map_err(Error::file(&files.part("cbj")))?,
            None => None,
        };
        let players = names("cbp", 50)?;
        let encoding = encoding_of_names(&players).map_err(Error::file(&files.part("cbp")))?;
        let index_bytes = index.bytes();
        let file_bytes = moves.bytes() + annotations.bytes();
        let database = Database {
            records,
            moves,
            annotations,
            players,
            tournaments: names("cbt", 74)?,
            annotators: names("cbc", 45)?,
            sources: names("cbs", 25)?,
            teams,
            additions,
            encoding,
            index,
            consumed,
            stored_share: parts.stored_share,
            skips_deleted,
        };

        let counted = database.count().map_err(in_index())?;
        let Counts {
            batches,
            deleted,
            texts,
            stored_bytes,
        } = counted;
        if stored_bytes > most_stored_bytes(file_bytes) {
            return Err(unreadable(format!(
                "its index promises {stored_bytes} bytes of games, but the files have {file_bytes}"
            )));
        }

        let end = match index_bytes % RECORD_SIZE as u64 {
            0 => Ok(()),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "its index ends within a game",
            )),
        };
        Ok(Opened {
            database,
            batches,
            deleted,
            texts,
            end,
        })
    }

    fn records(&self, numbers: Range<u32>) -> io::Result<Vec<Record>> {
        let mut bytes = vec![0; (numbers.end - numbers.start) as usize * RECORD_SIZE];
        // The header of the file has the size of a record.
        let offset = (u64::from(numbers.start) + 1) * RECORD_SIZE as u64;
        self.index.read_at(&mut bytes, offset)?;
        let mut read = ReadRange::default();
        read.add(offset, bytes.len());
        self.index.release(&read)?;

        let records = bytes.as_chunks::<RECORD_SIZE>().0.iter();
        let numbered = numbers.zip(records);
        Ok(numbered
            .map(|(number, bytes)| Record::new(number + 1, bytes))
            .collect())
    }

    fn count(&self) -> io::Result<Counts> {
        let mut counts = Counts::default();
        let mut start = 0;
        while start < self.records {
            let end = self.records.min(start.saturating_add(RECORDS_AT_ONCE));
            for record in self.records(start..end)? {
                let mut bytes = 0;
                match record {
                    Record::Game(header) => {
                        counts.deleted += u64::from(header.is_deleted());
                        bytes = self.stored_bytes(&header)?;
                        counts.stored_bytes = counts.stored_bytes.saturating_add(bytes);
                    }
                    Record::Text => counts.texts += 1,
                    Record::Damaged | Record::Unused => {}
                }
                counts.batches.add_game(bytes + RECORD_SIZE as u64);
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

    fn places(&self, record: &GameHeader) -> io::Result<Places> {
        let (mut moves, mut annotations) = (
            u64::from(record.moves_offset()),
            u64::from(record.annotations_offset()),
        );
        let additions = self
            .additions
            .as_ref()
            .filter(|file| file.record_bytes >= PLACES_BYTES);
        if let Some(additions) = additions
            && let Some(bytes) = additions.read::<{ PLACES_BYTES as usize }>(record.id())?
        {
            let number = |at: usize| {
                let eight = bytes[at..at + 8].iter();
                eight.fold(0_u64, |number, &byte| number << 8 | u64::from(byte))
            };
            // Below, both say the same; a record that was never updated says nothing.
            let (wide_annotations, wide_moves) = (number(12), number(30));
            let agrees = |wide: u64, short: u64| wide as u32 == short as u32;
            if agrees(wide_moves, moves) && agrees(wide_annotations, annotations) {
                (moves, annotations) = (wide_moves, wide_annotations);
            }
        }
        Ok(Places {
            moves,
            annotations: (annotations > 0).then_some(annotations),
        })
    }

    fn names_of(&self, record: &GameHeader, data: &mut Vec<u8>) -> io::Result<GameNames> {
        let mut names = GameNames::default();
        if self
            .tournaments
            .read(u64::from(record.tournament()), data)?
        {
            names.event = Some(field(data, 0, 40).to_vec());
            names.site = Some(field(data, 40, 30).to_vec());
            let date = data.get(70..74).and_then(|four| four.try_into().ok());
            names.event_date = date.map(|four| Date(i32::from_le_bytes(four)));
        }
        names.white = self.player(record.white(), data)?;
        names.black = self.player(record.black(), data)?;
        if self.annotators.read(u64::from(record.annotator()), data)? {
            names.annotator = Some(field(data, 0, 45).to_vec());
        }
        if self.sources.read(u64::from(record.source()), data)? {
            names.source = Some(field(data, 0, 25).to_vec());
        }

        if let (Some(teams), Some(additions)) = (&self.teams, &self.additions)
            && let Some(numbers) = additions.read::<{ TEAMS_BYTES as usize }>(record.id())?
        {
            let [a, b, c, d, e, f, g, h] = numbers;
            let of_white = u32::from_be_bytes([a, b, c, d]);
            let of_black = u32::from_be_bytes([e, f, g, h]);
            names.white_team = team(teams, of_white, data)?;
            names.black_team = team(teams, of_black, data)?;
        }
        Ok(names)
    }

    /// `Last, First`
    fn player(&self, number: u32, data: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
        if !self.players.read(u64::from(number), data)? {
            return Ok(None);
        }
        let (last, first) = (field(data, 0, 30), field(data, 30, 20));
        let between: &[u8] = if last.is_empty() || first.is_empty() {
            b""
        } else {
            b", "
        };
        Ok(Some([last, between, first].concat()))
    }

    /// Appends a game; returns the number of bytes that were read of it.
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
                let (file, most) = (&self.annotations, MAX_ANNOTATION_BYTES);
                let bytes = read_record(file, place, annotation_bytes, most)?;
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

        let before = text.len();
        let encoding = self.encoding;
        let written =
            caught(|| write_game(record, &names, encoding, &bytes, &mut Tree::new(), text));
        if let Err(bug) = written {
            // A bug costs this game.
            text.truncate(before);
            write_unreadable(Some(&bug.to_string()), text);
        }
        Ok(read_bytes)
    }
}

/// Appends a game of which nothing can be read, and the reason for it.
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

/// What has been read of the files of moves and annotations.
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
    /// Neither a game nor a text, and not empty.
    Damaged,
    /// Without any content, as at the end of the file.
    Unused,
}

impl Record {
    fn new(number: u32, bytes: &[u8; RECORD_SIZE]) -> Record {
        let header = GameHeader::from_bytes(number, bytes);
        match header.kind() {
            RecordKind::Game => Record::Game(header),
            RecordKind::Text => Record::Text,
            RecordKind::Analysis | RecordKind::Unknown(_)
                if bytes.iter().all(|&byte| byte == 0) =>
            {
                Record::Unused
            }
            RecordKind::Analysis | RecordKind::Unknown(_) => Record::Damaged,
        }
    }
}

/// What a database holds.
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
        let records = u64::from(u32::from_le_bytes([e, f, g, h]));
        if !(TEAMS_BYTES..=4096).contains(&record_bytes) {
            return Ok(None);
        }
        let records = records.min((length - ADDITIONS_HEADER_BYTES) / record_bytes);
        Ok(Some(Additions {
            file,
            record_bytes,
            records,
        }))
    }

    /// The beginning of a record, which are counted from 1; `None` if it is not there.
    fn read<const BYTES: usize>(&self, number: u32) -> io::Result<Option<[u8; BYTES]>> {
        let Some(before) = u64::from(number)
            .checked_sub(1)
            .filter(|before| *before < self.records)
        else {
            return Ok(None);
        };
        let mut bytes = [0; BYTES];
        let place = ADDITIONS_HEADER_BYTES + before * self.record_bytes;
        self.file.read_at(&mut bytes, place)?;
        Ok(Some(bytes))
    }
}

fn team(teams: &Names, number: u32, data: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    let is_there = teams.read(u64::from(number), data)?;
    Ok(is_there.then(|| field(data, 0, 50).to_vec()))
}

/// The size of a record of moves by its beginning.
fn moves_bytes(head: &[u8; MOVES_HEAD_BYTES]) -> u64 {
    u64::from(u32::from_be_bytes([0, head[1], head[2], head[3]]))
}

/// The size of a record of annotations by its beginning.
fn annotation_bytes(head: &[u8; ANNOTATIONS_HEAD_BYTES]) -> u64 {
    u64::from(u32::from_be_bytes([head[10], head[11], head[12], head[13]]))
}

/// The size of a record at a place, by its beginning; `None` if there is none, or more than `most` bytes.
fn record_bytes<const HEAD: usize>(
    file: &PartFile,
    place: u64,
    size: fn(&[u8; HEAD]) -> u64,
    most: u64,
) -> io::Result<Option<u64>> {
    let mut head = [0; HEAD];
    match file.read_at(&mut head, place) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    Ok(Some(size(&head)).filter(|bytes| (HEAD as u64..=most).contains(bytes)))
}

/// The bytes of a record at a place; `None` if they are not there, or more than `most`.
fn read_record<const HEAD: usize>(
    file: &PartFile,
    place: u64,
    size: fn(&[u8; HEAD]) -> u64,
    most: u64,
) -> io::Result<Option<Vec<u8>>> {
    let Some(bytes) = record_bytes(file, place, size, most)? else {
        return Ok(None);
    };
    let is_there = place
        .checked_add(bytes)
        .is_some_and(|end| end <= file.bytes());
    if !is_there {
        return Ok(None);
    }
    let mut record = vec![0; bytes as usize];
    file.read_at(&mut record, place)?;
    Ok(Some(record))
}

/// The encoding of names that are not in UTF-8. The first names tell it, so that it stays when the database grows.
fn encoding_of_names(players: &Names) -> io::Result<&'static Encoding> {
    let mut guess = Guess::new();
    let mut data = Vec::new();
    for number in 0..SAMPLED_PLAYERS.min(players.count()) {
        if players.read(number, &mut data)? {
            guess.add(field(&data, 0, 30));
            guess.add(field(&data, 30, 20));
        }
    }
    Ok(guess.encoding())
}

/// Opens a file that only newer databases have.
fn open_optional(parts: &Parts, extension: &str) -> Result<Option<File>> {
    match parts.open(extension) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file(&parts.files.part(extension))(error)),
    }
}

/// Opens one of the files that every database has.
fn open_part(parts: &Parts, extension: &str) -> Result<File> {
    let files = &parts.files;
    let path = files.part(extension);
    parts.open(extension).map_err(|error| {
        if error.kind() != io::ErrorKind::NotFound {
            return Error::file(&path)(error);
        }
        let missing = path.file_name().map(Path::new).unwrap_or(&path).display();
        let reason = match parts.unpacked {
            Some(_) => format!("the archive has no {missing}"),
            None => format!(
                "{missing} is missing; the database is this file with .cbg, .cba, .cbp, .cbt, .cbc and .cbs beside it, under one name"
            ),
        };
        Error::UnreadableChessBase { name: files.index.clone(), reason }
    })
}

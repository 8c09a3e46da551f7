//! Reads ChessBase databases of the classic format, nine files each, as PGN text.
//!
//! The crates `cbvault-format` and `cbvault-chess` know the bytes of records and decode moves; all files are read here, at
//! places, from all threads. `files` tells which files belong together, `archive` unpacks them, `names` reads names, `tree` keeps the moves of a
//! game, `annotations` and `text` write what players said of them, and `game_text` writes a game.

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
use encoding_rs::WINDOWS_1252;

use super::ahead::{ReadAheadEnd, stream};
use super::content::{Consumed, Content, ForeignDatabase, Source};
use super::game_texts::{Batches, GameTexts, write_all};
use super::scid::read_at;
use super::unpack::{Stop, Unpacker, Walk};
use crate::bug::caught;
use crate::error::{Error, Result};
pub(super) use archive::is_archive;
use files::Parts;
pub(super) use files::{Files, meant_index};
use game_text::{GameBytes, GameNames, UNREADABLE_GAME, write_game};
use names::{Names, field};
use text::append;
use tree::Tree;

/// The number of records that are read at once.
const RECORDS_AT_ONCE: u32 = 4096;
/// How many times the files of moves and annotations their records may take together, and the bytes beside that: a few
/// bytes for each game could otherwise repeat a large game without end.
const MAX_REPETITION: u64 = 4;
const MAX_REPEATED_BYTES: u64 = 1 << 28;
/// The largest record of annotations that is read; those of known databases have some kilobytes.
const MAX_ANNOTATION_BYTES: u64 = 16 << 20;
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
        let parts = Parts { files: files.clone(), unpacked: None, stored_share: (1, 1) };
        self.chessbase_parts(&parts, skips_deleted)
    }

    /// Passes on the games of a database whose files can be opened.
    fn chessbase_parts(&self, parts: &Parts, skips_deleted: bool) -> Walk {
        let opened = match Database::open(parts, self.consumed.clone(), skips_deleted) {
            Ok(opened) => opened,
            Err(error) => return self.fail(error),
        };
        let Opened { database, batches, deleted, texts, end } = opened;

        let (writer, stream) = stream();
        self.send(Ok(Source {
            name: parts.files.index.clone(),
            size: None,
            content: Content::Stream(stream),
            consumed: self.consumed.clone(),
            database: Some(ForeignDatabase { deleted, texts }),
        }))?;
        match write_all(&database, batches, writer, end) {
            ReadAheadEnd::Broken => Err(Stop::Broken),
            ReadAheadEnd::Whole | ReadAheadEnd::Unwanted => Ok(()),
        }
    }
}

/// An open database.
#[derive(Debug)]
struct Database {
    index: File,
    records: u32,
    moves: File,
    annotations: File,
    players: Names,
    tournaments: Names,
    annotators: Names,
    sources: Names,
    teams: Option<Names>,
    additions: Option<Additions>,
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
    file: File,
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
        let unreadable =
            |reason: String| Error::UnreadableChessBase { name: files.index.clone(), reason };
        let index = open_part(parts, "cbh")?;
        let in_index = || Error::file(&files.index);

        let index_bytes = index.metadata().map_err(in_index())?.len();
        let mut header = [0; RECORD_SIZE];
        let is_whole = index_bytes >= RECORD_SIZE as u64;
        if is_whole {
            read_at(&index, &mut header, 0).map_err(in_index())?;
        }
        if !is_whole || u16::from_be_bytes([header[3], header[4]]) != RECORD_SIZE as u16 {
            return Err(unreadable("its .cbh does not begin as those of ChessBase do".to_owned()));
        }
        let records = index_bytes / RECORD_SIZE as u64 - 1;
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
        let teams = match parts.open("cbe") {
            Ok(file) => Names::open(file, 50).map_err(Error::file(&files.part("cbe")))?,
            Err(_) => None,
        };
        let database = Database {
            records,
            moves: open_part(parts, "cbg")?,
            annotations: open_part(parts, "cba")?,
            players: names("cbp", 50)?,
            tournaments: names("cbt", 74)?,
            annotators: names("cbc", 45)?,
            sources: names("cbs", 25)?,
            teams,
            additions: Additions::open(parts).map_err(Error::file(&files.part("cbj")))?,
            index,
            consumed,
            stored_share: parts.stored_share,
            skips_deleted,
        };

        let counted = database.count().map_err(in_index())?;
        let Counts { batches, deleted, texts, stored_bytes } = counted;
        let file_bytes = |file: &File| file.metadata().map(|metadata| metadata.len());
        let moves_bytes = file_bytes(&database.moves).map_err(in_index())?;
        let annotation_bytes = file_bytes(&database.annotations).map_err(in_index())?;
        let most = (moves_bytes + annotation_bytes)
            .saturating_mul(MAX_REPETITION)
            .saturating_add(MAX_REPEATED_BYTES);
        if stored_bytes > most {
            return Err(unreadable(format!(
                "its index promises {stored_bytes} bytes of games, but the files have {}",
                moves_bytes + annotation_bytes
            )));
        }

        let end = match index_bytes % RECORD_SIZE as u64 {
            0 => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, "its index ends within a game")),
        };
        Ok(Opened { database, batches, deleted, texts, end })
    }

    fn records(&self, numbers: Range<u32>) -> io::Result<Vec<GameHeader>> {
        let mut bytes = vec![0; (numbers.end - numbers.start) as usize * RECORD_SIZE];
        // The header of the file has the size of a record.
        read_at(&self.index, &mut bytes, (u64::from(numbers.start) + 1) * RECORD_SIZE as u64)?;
        let records = bytes.as_chunks::<RECORD_SIZE>().0.iter();
        let numbered = numbers.zip(records);
        Ok(numbered.map(|(number, bytes)| GameHeader::from_bytes(number + 1, bytes)).collect())
    }

    fn count(&self) -> io::Result<Counts> {
        let mut counts = Counts::default();
        let mut start = 0;
        while start < self.records {
            let end = self.records.min(start.saturating_add(RECORDS_AT_ONCE));
            for record in self.records(start..end)? {
                let mut bytes = 0;
                match record.kind() {
                    RecordKind::Game => {
                        counts.deleted += u64::from(record.is_deleted());
                        bytes = self.stored_bytes(&record)?;
                        counts.stored_bytes = counts.stored_bytes.saturating_add(bytes);
                    }
                    RecordKind::Text => counts.texts += 1,
                    RecordKind::Analysis | RecordKind::Unknown(_) => {}
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
        let moves = record_bytes(&self.moves, places.moves, moves_bytes)?;
        let annotations = match places.annotations {
            Some(place) => record_bytes(&self.annotations, place, annotation_bytes)?,
            None => None,
        };
        Ok(moves.unwrap_or(0) + annotations.unwrap_or(0))
    }

    fn places(&self, record: &GameHeader) -> io::Result<Places> {
        let (mut moves, mut annotations) =
            (u64::from(record.moves_offset()), u64::from(record.annotations_offset()));
        let additions = self.additions.as_ref().filter(|file| file.record_bytes >= PLACES_BYTES);
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
        Ok(Places { moves, annotations: (annotations > 0).then_some(annotations) })
    }

    fn names_of(&self, record: &GameHeader, data: &mut Vec<u8>) -> io::Result<GameNames> {
        let mut names = GameNames::default();
        if self.tournaments.read(u64::from(record.tournament()), data)? {
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
        let between: &[u8] = if last.is_empty() || first.is_empty() { b"" } else { b", " };
        Ok(Some([last, between, first].concat()))
    }

    /// Appends a game; returns the number of bytes that were read of it.
    fn write_game(&self, record: &GameHeader, text: &mut Vec<u8>) -> io::Result<usize> {
        let names = self.names_of(record, &mut Vec::new())?;
        let places = self.places(record)?;
        let moves = read_record(&self.moves, places.moves, moves_bytes)?;
        let annotations = match places.annotations {
            Some(place) => Some(read_record(&self.annotations, place, annotation_bytes)?),
            None => None,
        };
        let size = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        let read = size(&moves) + annotations.as_ref().map_or(0, size);

        let bytes = GameBytes {
            moves: moves.as_deref(),
            annotations: annotations.as_ref().map(Option::as_deref),
        };
        let before = text.len();
        let written = caught(|| write_game(record, &names, &bytes, &mut Tree::new(), text));
        if let Err(bug) = written {
            // A bug costs this game.
            text.truncate(before);
            text.extend_from_slice(b"[Event \"?\"]\n\n");
            text.extend_from_slice(UNREADABLE_GAME);
            text.extend_from_slice(b" {");
            append(bug.to_string().as_bytes(), WINDOWS_1252, text);
            text.extend_from_slice(b"} *\n\n");
        }
        Ok(read)
    }
}

impl GameTexts for Database {
    fn write(&self, games: Range<u64>, text: &mut Vec<u8>) -> io::Result<()> {
        // There are no more than 2^32 records.
        let numbers = games.start as u32..games.end as u32;
        let mut read_bytes = 0;
        for record in self.records(numbers)? {
            read_bytes += RECORD_SIZE;
            let is_skipped = self.skips_deleted && record.is_deleted();
            if record.kind() == RecordKind::Game && !is_skipped {
                read_bytes += self.write_game(&record, text)?;
            }
        }
        let (stored, unpacked) = self.stored_share;
        let stored_bytes = read_bytes as u128 * u128::from(stored) / u128::from(unpacked.max(1));
        self.consumed.add(stored_bytes as usize);
        Ok(())
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
    /// Opens the file of additions, if there is one that can be read.
    fn open(parts: &Parts) -> io::Result<Option<Additions>> {
        let Ok(file) = parts.open("cbj") else { return Ok(None) };
        let length = file.metadata()?.len();
        if length < ADDITIONS_HEADER_BYTES {
            return Ok(None);
        }
        let mut header = [0; 12];
        read_at(&file, &mut header, 0)?;
        let [_, _, _, _, a, b, c, d, e, f, g, h] = header;
        let record_bytes = u64::from(u32::from_le_bytes([a, b, c, d]));
        let records = u64::from(u32::from_le_bytes([e, f, g, h]));
        if !(TEAMS_BYTES..=4096).contains(&record_bytes) {
            return Ok(None);
        }
        let records = records.min((length - ADDITIONS_HEADER_BYTES) / record_bytes);
        Ok(Some(Additions { file, record_bytes, records }))
    }

    /// The beginning of a record, which are counted from 1; `None` if it is not there.
    fn read<const BYTES: usize>(&self, number: u32) -> io::Result<Option<[u8; BYTES]>> {
        let Some(before) = u64::from(number).checked_sub(1).filter(|before| *before < self.records)
        else {
            return Ok(None);
        };
        let mut bytes = [0; BYTES];
        let place = ADDITIONS_HEADER_BYTES + before * self.record_bytes;
        read_at(&self.file, &mut bytes, place)?;
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

/// The size of a record at a place, by its beginning; `None` if there is none.
fn record_bytes<const HEAD: usize>(
    file: &File,
    place: u64,
    size: fn(&[u8; HEAD]) -> u64,
) -> io::Result<Option<u64>> {
    let mut head = [0; HEAD];
    match read_at(file, &mut head, place) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    Ok(Some(size(&head)).filter(|bytes| (HEAD as u64..=MAX_ANNOTATION_BYTES).contains(bytes)))
}

/// The bytes of a record at a place; `None` if they are not there.
fn read_record<const HEAD: usize>(
    file: &File,
    place: u64,
    size: fn(&[u8; HEAD]) -> u64,
) -> io::Result<Option<Vec<u8>>> {
    let Some(bytes) = record_bytes(file, place, size)? else { return Ok(None) };
    let is_there = place
        .checked_add(bytes)
        .is_some_and(|end| file.metadata().is_ok_and(|metadata| end <= metadata.len()));
    if !is_there {
        return Ok(None);
    }
    let mut record = vec![0; bytes as usize];
    read_at(file, &mut record, place)?;
    Ok(Some(record))
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

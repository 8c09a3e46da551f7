//! Reads ChessBase archives: the files of a database, compressed into one file with the extension `.cbv`.
//!
//! An archive begins with a table of its files, of which each has a record of 173 bytes. The files of a database are
//! read by random access, so they are unpacked to unnamed files first. A file is stored as a sequence of blocks of at
//! most 64 KiB. Each block has a kind of compression. The library `cbvault-format` decodes the blocks one by one, in
//! bounded memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use cbvault_format::archive::huffman::Table;
use cbvault_format::archive::{BLOCK_HEAD, BlockHead, Mode, huffman, lz};
use encoding_rs::WINDOWS_1252;

use super::files::{Files, Parts, part_named};
use crate::bug::caught;
use crate::error::Error;
use crate::input::archive::{little_endian, member_name};
use crate::input::part_file::PartFile;
use crate::input::unpack::{Stop, Unpacker, Walk};

/// The extension of archives.
const EXTENSION: &str = "cbv";
const NEW_INDEX: &str = "2cbh";
const HEADER_BYTES: u64 = 8;
const RECORD_BYTES: usize = 173;
/// The name with which a record begins; it ends at a zero.
const NAME_BYTES: usize = 128;
/// The offsets in a record of a file's place and size, as numbers of 32 bits and again as numbers of 64 bits.
const OFFSET_32_AT: usize = 128;
const BYTES_32_AT: usize = 132;
const OFFSET_64_AT: usize = 149;
const BYTES_64_AT: usize = 157;
/// The number of decoded bytes that are kept before a block, because the block may refer to them. A reference has 12
/// bits, plus 3. A single block may decode to 86 MB.
const WINDOW_BYTES: usize = 1 << 13;

/// Returns `true` for the path of an archive.
pub(in crate::input) fn is_archive(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

impl Unpacker {
    /// Passes on the games of all databases in an archive.
    pub(in crate::input) fn chessbase_archive(&self, path: &Path, skips_deleted: bool) -> Walk {
        let opened = File::open(path).and_then(PartFile::new);
        let file = match opened {
            Ok(file) => file,
            Err(error) => return self.fail(Error::file(path)(error)),
        };

        let members = match members(&file) {
            Ok(Some(members)) => members,
            Ok(None) => return self.fail(unreadable(path, "the list of its files makes no sense")),
            Err(error) => return self.fail(Error::file(path)(error)),
        };

        let databases = databases(&members);
        if databases.is_empty() {
            let has_new = members.iter().any(|member| member.has_extension(NEW_INDEX));
            let reason = if has_new {
                "its database has the new format of ChessBase (.2cbh); copy the games in ChessBase into one of the type CBH"
            } else {
                "it has no ChessBase database (.cbh)"
            };
            return self.fail(unreadable(path, reason));
        }

        let mut unpacking = Unpacking {
            path,
            file,
            disk_bytes_left: self.limits.disk_bytes,
            table: Box::new(Table::new()),
        };

        let mut walk = Ok(());
        for database in databases {
            let passed_on = match unpacking.database(self, &database) {
                Ok(parts) => self.chessbase_parts(&parts, skips_deleted),
                Err(stop) => Err(stop),
            };

            // A damaged database does not affect the others.
            match passed_on {
                Err(Stop::Unwanted) => return passed_on,
                Err(Stop::Broken) => walk = passed_on,
                Ok(()) => {}
            }
        }
        walk
    }
}

/// The error for an archive that cannot be read.
fn unreadable(path: &Path, reason: &'static str) -> Error {
    Error::UnreadableArchive {
        name: path.to_owned(),
        reason,
    }
}

/// A file in an archive.
#[derive(Clone, Debug)]
struct Member {
    /// The name without its extension.
    stem: String,
    extension: String,
    /// The offset of the file's blocks in the archive.
    offset: u64,
    stored_bytes: u64,
}

impl Member {
    /// The file that a record of the table describes.
    fn new(record: &[u8; RECORD_BYTES]) -> Member {
        let name_end = record[..NAME_BYTES]
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(NAME_BYTES);
        let name_bytes = &record[..name_end];
        let decoded = match std::str::from_utf8(name_bytes) {
            Ok(name) => name.into(),
            Err(_) => WINDOWS_1252.decode_without_bom_handling(name_bytes).0,
        };

        let name = decoded.replace('\\', "/");
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) => (stem.to_owned(), extension.to_owned()),
            None => (name, String::new()),
        };

        // Offset and size are stored in 32 bits and in 64 bits. Only files above four gigabytes need 64 bits.
        let u32_at = |at: usize| little_endian(&record[at..at + 4]);
        let u64_at = |at: usize| little_endian(&record[at..at + 8]);
        Member {
            stem,
            extension,
            offset: wide_if_consistent(u32_at(OFFSET_32_AT), u64_at(OFFSET_64_AT)),
            stored_bytes: wide_if_consistent(u32_at(BYTES_32_AT), u64_at(BYTES_64_AT)),
        }
    }

    fn has_extension(&self, extension: &str) -> bool {
        self.extension.eq_ignore_ascii_case(extension)
    }

    /// The name of the file in messages, like `archive.cbv/games.cbh`.
    fn path_in(&self, archive: &Path) -> PathBuf {
        member_name(archive, &format!("{}.{}", self.stem, self.extension))
    }
}

/// Returns the number of 64 bits if its lower half equals the number of 32 bits; otherwise the number of 32 bits.
fn wide_if_consistent(narrow: u64, wide: u64) -> u64 {
    let lower_half = wide & u64::from(u32::MAX);
    if lower_half == narrow { wide } else { narrow }
}

/// Reads the table of files; `None` if the file does not begin with one.
fn members(file: &PartFile) -> io::Result<Option<Vec<Member>>> {
    let table_ends_at = |count: u16| HEADER_BYTES + u64::from(count) * RECORD_BYTES as u64;
    if file.bytes() < table_ends_at(1) {
        return Ok(None);
    }

    let mut header = [0; HEADER_BYTES as usize];
    file.read_at(&mut header, 0)?;
    let [0x08, 0x00, low, high, 0xad, 0x00, 0x03, 0x00] = header else {
        return Ok(None);
    };
    let count = u16::from_le_bytes([low, high]);
    if count == 0 || file.bytes() < table_ends_at(count) {
        return Ok(None);
    }

    let mut members = Vec::with_capacity(count.into());
    let mut record = [0; RECORD_BYTES];
    for index in 0..count {
        file.read_at(&mut record, table_ends_at(index))?;
        members.push(Member::new(&record));
    }
    Ok(Some(members))
}

/// The files of a database: the first file with its name for each extension.
#[derive(Debug, Default)]
struct DatabaseMembers<'m> {
    parts: Vec<(&'static str, &'m Member)>,
}

/// The databases that have an index, in the order of the archive.
fn databases(members: &[Member]) -> Vec<DatabaseMembers<'_>> {
    let mut databases: Vec<DatabaseMembers<'_>> = Vec::new();
    let mut by_stem: HashMap<String, usize> = HashMap::new();
    for member in members {
        let Some(part) = part_named(&member.extension) else {
            continue;
        };

        let at = *by_stem
            .entry(member.stem.to_lowercase())
            .or_insert_with(|| {
                databases.push(DatabaseMembers::default());
                databases.len() - 1
            });

        let parts = &mut databases[at].parts;
        if parts.iter().all(|(known, _)| *known != part) {
            parts.push((part, member));
        }
    }
    databases.retain(|database| database.index().is_some());
    databases
}

impl<'m> DatabaseMembers<'m> {
    fn index(&self) -> Option<&'m Member> {
        let index = self.parts.iter().find(|(part, _)| *part == "cbh");
        index.map(|(_, member)| *member)
    }
}

/// An archive that is being unpacked.
struct Unpacking<'a> {
    path: &'a Path,
    /// The file of the archive.
    file: PartFile,
    /// The space on the disk that may still be taken.
    disk_bytes_left: u64,
    table: Box<Table>,
}

impl Unpacking<'_> {
    /// Unpacks the files of a database. If a file is damaged, the bytes before the damage are kept, and the damage is
    /// reported.
    fn database(
        &mut self,
        unpacker: &Unpacker,
        database: &DatabaseMembers<'_>,
    ) -> std::result::Result<Parts, Stop> {
        let mut unpacked: Vec<(String, File)> = Vec::new();
        let disk_bytes_before = self.disk_bytes_left;
        let mut stored_bytes = 0_u64;

        for (part, member) in &database.parts {
            let written = unpack(
                &self.file,
                member,
                &mut self.table,
                &mut self.disk_bytes_left,
            );
            let (file, damage) = match written {
                Ok(file_and_damage) => file_and_damage,
                Err(UnpackError::TooLarge) => {
                    let bytes = unpacker.limits.disk_bytes;
                    let name = self.path.to_owned();
                    return Err(unpacker.report(Error::TooMuchToUnpack { name, bytes }));
                }
                Err(UnpackError::Io(error)) => {
                    let name = member.path_in(self.path);
                    return Err(unpacker.report(Error::file(&name)(error)));
                }
            };

            if let Some(reason) = damage {
                let name = member.path_in(self.path);
                let error = Error::damaged_archive(&name, io::Error::other(reason));
                unpacker.refuse(error)?;
            }
            stored_bytes = member.stored_bytes.saturating_add(stored_bytes);
            unpacked.push(((*part).to_owned(), file));
        }

        let files = database
            .index()
            .map(|index| index.path_in(self.path))
            .and_then(|path| Files::of(&path))
            .expect("databases without an index are left out");
        let unpacked_bytes = disk_bytes_before - self.disk_bytes_left;
        Ok(Parts {
            files,
            unpacked: Some(unpacked),
            stored_share: (stored_bytes, unpacked_bytes),
        })
    }
}

/// The reason why a file cannot be unpacked.
enum UnpackError {
    /// It exceeds the limit for disk space.
    TooLarge,
    Io(io::Error),
}

impl From<io::Error> for UnpackError {
    fn from(error: io::Error) -> UnpackError {
        UnpackError::Io(error)
    }
}

/// Unpacks a file to an unnamed file, up to the first damage; returns the file, and the damage in words.
fn unpack(
    archive: &PartFile,
    member: &Member,
    table: &mut Table,
    disk_bytes_left: &mut u64,
) -> std::result::Result<(File, Option<&'static str>), UnpackError> {
    let mut unpacked = BufWriter::new(tempfile::tempfile()?);
    let mut damage = None;
    // The last decoded bytes, to which blocks refer, and behind them the block.
    let mut window = Vec::new();
    let mut stage = Vec::new();
    let mut payload = Vec::new();

    let mut at = member.offset;
    let end = member
        .offset
        .saturating_add(member.stored_bytes)
        .min(archive.bytes());
    if end - end.min(at) < member.stored_bytes {
        damage = Some("it goes beyond the end of the archive");
    }

    while at < end {
        let Some(bytes) = read_block(archive, &mut payload, at, end)? else {
            damage = Some("a block goes beyond the end of its file");
            break;
        };
        at += bytes;

        let decoded_before = window.len();
        let decoded = caught(|| decode(&payload, &mut window, &mut stage, table));
        if !matches!(decoded, Ok(true)) {
            damage = Some("a block cannot be decoded");
            break;
        }

        // The block is written only if it fits into the limit for disk space.
        let block = &window[decoded_before..];
        *disk_bytes_left = disk_bytes_left
            .checked_sub(block.len() as u64)
            .ok_or(UnpackError::TooLarge)?;
        unpacked.write_all(block)?;
        window.drain(..window.len().saturating_sub(WINDOW_BYTES));
    }

    let file = unpacked
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    Ok((file, damage))
}

/// Reads the content of a block; returns its size with the head, or `None` if it does not end before `end`.
fn read_block(
    archive: &PartFile,
    payload: &mut Vec<u8>,
    at: u64,
    end: u64,
) -> io::Result<Option<u64>> {
    if end - at < BLOCK_HEAD as u64 {
        return Ok(None);
    }

    let mut head = [0; BLOCK_HEAD];
    archive.read_at(&mut head, at)?;
    let Some(head_read) = BlockHead::parse(&head) else {
        return Ok(None);
    };
    payload.resize(usize::from(head_read.payload_len), 0);

    let bytes = (BLOCK_HEAD + payload.len()) as u64;
    if end - at < bytes {
        return Ok(None);
    }
    archive.read_at(payload, at + BLOCK_HEAD as u64)?;
    Ok(Some(bytes))
}

/// Appends the decoded bytes of a block; returns `false` if the block is damaged. `stage` is room for the intermediate
/// form of a block that is coded twice.
fn decode(payload: &[u8], out: &mut Vec<u8>, stage: &mut Vec<u8>, table: &mut Table) -> bool {
    let Some((&mode, body)) = payload.split_first() else {
        return false;
    };

    // The library uses names and places only in its messages, which are not shown.
    match mode {
        Mode::STORED => {
            out.extend_from_slice(body);
            true
        }
        Mode::LZ => lz::decode("", body, out, 0).is_ok(),
        Mode::HUFFMAN => huffman::decode("", body, out, table, 0).is_ok(),
        Mode::HUFFMAN_LZ => {
            stage.clear();
            let is_whole = huffman::decode("", body, stage, table, 0).is_ok();
            is_whole && lz::decode("", stage, out, 0).is_ok()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_count_if_their_lower_half_is_repeated() {
        let above_4_gib: u64 = 5 << 32 | 7;
        let rows: [(u64, u64, u64); 4] = [
            (7, 7, 7),
            (7, above_4_gib, above_4_gib),
            (8, above_4_gib, 8),
            (7, 0, 7),
        ];
        for (narrow, wide, expected) in rows {
            assert_eq!(wide_if_consistent(narrow, wide), expected);
        }
    }

    #[test]
    fn records_have_a_name_up_to_its_zero() {
        let mut record = [0; RECORD_BYTES];
        record[..13].copy_from_slice(b"dir\\games.cbh");
        record[BYTES_32_AT] = 9;

        let member = Member::new(&record);
        assert_eq!(member.stem, "dir/games");
        assert!(member.has_extension("CBH"));
        assert_eq!((member.offset, member.stored_bytes), (0, 9));
    }
}

//! Reads ChessBase archives: the files of a database, compressed into one file with the extension `.cbv`.
//!
//! The files of a database are read at places, so they are unpacked to unnamed files first. A file is stored as a sequence
//! of blocks, each of at most 64 KiB with its own kind of compression. Blocks are decoded one by one, in bounded memory:
//! `cbvault-format` reads the list of files and decodes blocks.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use cbvault_format::archive::huffman::Table;
use cbvault_format::archive::{
    Archive, BLOCK_HEAD, BlockHead, Error as ArchiveError, Member, Mode, huffman, lz,
};
use cbvault_format::error::Error as FormatError;

use super::files::{Files, PARTS, Parts};
use crate::bug::caught;
use crate::error::{Error, Result};
use crate::input::archive::member_name;
use crate::input::scid::read_at;
use crate::input::unpack::{Stop, Unpacker, Walk};

/// The extension of archives.
const EXTENSION: &str = "cbv";
/// How many bytes before a block it may refer to: its references have 12 bits, plus 3.
const WINDOW_BYTES: usize = 1 << 13;

/// Returns `true` for the path of an archive.
pub(in crate::input) fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION))
}

impl Unpacker {
    /// Passes on the games of all databases in an archive.
    pub(in crate::input) fn chessbase_archive(&self, path: &Path, skips_deleted: bool) -> Walk {
        let archive = match open(path) {
            Ok(archive) => archive,
            Err(error) => return self.fail(error),
        };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return self.fail(Error::file(path)(error)),
        };
        let mut unpacking = Unpacking {
            archive: &archive,
            file,
            disk_bytes_left: self.limits.disk_bytes,
            table: Box::new(Table::new()),
        };

        let indexes: Vec<&Member> =
            archive.list().iter().filter(|member| has_extension(member, "cbh")).collect();
        if indexes.is_empty() {
            return self.fail(Error::NoPgnInArchive(path.to_owned()));
        }
        let mut walk = Ok(());
        for index in indexes {
            let database = match unpacking.database(self, index) {
                Ok(parts) => self.chessbase_parts(&parts, skips_deleted),
                Err(stop) => Err(stop),
            };
            // A damaged database does not affect the others.
            match database {
                Err(Stop::Unwanted) => return database,
                Err(Stop::Broken) => walk = database,
                Ok(()) => {}
            }
        }
        walk
    }
}

/// Reads the list of files.
fn open(path: &Path) -> Result<Archive> {
    let archive = caught(|| Archive::open(path));
    match archive {
        Ok(Ok(archive)) => Ok(archive),
        Ok(Err(ArchiveError::Format(FormatError::Io { source, .. }))) => {
            Err(Error::file(path)(source))
        }
        Ok(Err(_)) | Err(_) => {
            let reason = "the list of its files makes no sense";
            Err(Error::UnreadableArchive { name: path.to_owned(), reason })
        }
    }
}

fn has_extension(member: &Member, extension: &str) -> bool {
    let name = member.name().rsplit_once('.');
    name.is_some_and(|(_, known)| known.eq_ignore_ascii_case(extension))
}

/// The name of a file in an archive, without its extension.
fn stem(member: &Member) -> &str {
    member.name().rsplit_once('.').map_or(member.name(), |(stem, _)| stem)
}

/// An archive that is being unpacked.
struct Unpacking<'a> {
    archive: &'a Archive,
    /// The file of the archive.
    file: File,
    /// The space on the disk that may still be taken.
    disk_bytes_left: u64,
    table: Box<Table>,
}

impl Unpacking<'_> {
    /// Unpacks the files of the database with this index. What is before damage in a file is kept, and the damage reported.
    fn database(
        &mut self,
        unpacker: &Unpacker,
        index: &Member,
    ) -> std::result::Result<Parts, Stop> {
        let mut unpacked: Vec<(String, File)> = Vec::new();
        let disk_bytes_before = self.disk_bytes_left;
        let mut stored_bytes = 0;
        for member in self.archive.list() {
            let is_of_database = stem(member).eq_ignore_ascii_case(stem(index));
            let part = PARTS.iter().find(|part| has_extension(member, part));
            let Some(part) = part.filter(|_| is_of_database) else { continue };

            let disk_bytes = &mut self.disk_bytes_left;
            let written = unpack(&self.file, member, &mut self.table, disk_bytes);
            let name = || member_name(self.archive.path(), &member.name().replace('\\', "/"));
            match written {
                Ok((file, damage)) => {
                    if let Some(reason) = damage {
                        let damage = io::Error::other(reason);
                        unpacker.refuse(Error::damaged_archive(&name(), damage))?;
                    }
                    stored_bytes += member.packed();
                    unpacked.push(((*part).to_owned(), file));
                }
                Err(UnpackError::TooLarge) => {
                    let bytes = unpacker.limits.disk_bytes;
                    let name = self.archive.path().to_owned();
                    return Err(unpacker.broken(Error::TooMuchToUnpack { name, bytes }));
                }
                Err(UnpackError::Io(error)) => {
                    return Err(unpacker.broken(Error::file(&name())(error)));
                }
            }
        }

        let index = member_name(self.archive.path(), &index.name().replace('\\', "/"));
        let files = Files::of(&index).ok_or(Stop::Broken)?;
        let stored_share = (stored_bytes, disk_bytes_before - self.disk_bytes_left);
        Ok(Parts { files, unpacked: Some(unpacked), stored_share })
    }
}

/// Why a file cannot be unpacked.
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

/// Unpacks a file to an unnamed one, up to the first damage, which is described.
fn unpack(
    archive: &File,
    member: &Member,
    table: &mut Table,
    disk_bytes_left: &mut u64,
) -> std::result::Result<(File, Option<&'static str>), UnpackError> {
    let mut unpacked = BufWriter::new(tempfile::tempfile()?);
    let mut damage = None;
    // The end of what was decoded, and the block.
    let mut window = Vec::new();
    let mut stage = Vec::new();
    let mut payload = Vec::new();

    let mut at = member.offset();
    while at < member.end() {
        let bytes = read_block(archive, &mut payload, at, member.end())?;
        let Some(bytes) = bytes else {
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
        let block = &window[decoded_before..];
        let left = disk_bytes_left.checked_sub(block.len() as u64);
        *disk_bytes_left = left.ok_or(UnpackError::TooLarge)?;
        unpacked.write_all(block)?;
        window.drain(..window.len().saturating_sub(WINDOW_BYTES));
    }

    let file = unpacked.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok((file, damage))
}

/// Reads the content of a block; returns its size with the head, or `None` if it does not end before `end`.
fn read_block(archive: &File, payload: &mut Vec<u8>, at: u64, end: u64) -> io::Result<Option<u64>> {
    let mut head = [0; BLOCK_HEAD];
    if end - at < BLOCK_HEAD as u64 {
        return Ok(None);
    }
    read_at(archive, &mut head, at)?;
    let Some(head_read) = BlockHead::parse(&head) else { return Ok(None) };
    payload.resize(usize::from(head_read.payload_len), 0);

    let bytes = (BLOCK_HEAD + payload.len()) as u64;
    if end - at < bytes {
        return Ok(None);
    }
    read_at(archive, payload, at + BLOCK_HEAD as u64)?;
    Ok(Some(bytes))
}

/// Appends what a block decodes to; returns `false` if it is damaged. The intermediate form of one that is coded twice goes
/// through `stage`.
fn decode(payload: &[u8], out: &mut Vec<u8>, stage: &mut Vec<u8>, table: &mut Table) -> bool {
    let Some((&mode, body)) = payload.split_first() else { return false };
    // Names and places are for the library's messages, which are not shown.
    let decoded = match mode {
        Mode::STORED => {
            out.extend_from_slice(body);
            Ok(())
        }
        Mode::LZ => lz::decode("", body, out, 0),
        Mode::HUFFMAN => huffman::decode("", body, out, table, 0),
        Mode::HUFFMAN_LZ => {
            stage.clear();
            let first = huffman::decode("", body, stage, table, 0);
            first.and_then(|()| lz::decode("", stage, out, 0))
        }
        _ => return false,
    };
    decoded.is_ok()
}

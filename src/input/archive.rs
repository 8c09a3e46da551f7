//! Reads the members of archives, one after the other.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

use super::content::{Counted, RowKind};
use super::names::may_hold_pgn;
use super::unpack::{Packed, Stop, Unpacker, Walk};
use crate::error::Error;

/// The size of a read from an archive.
pub(super) const READ_BYTES: usize = 1 << 16;
/// The maximum size of what precedes a member of a tar archive: header, name, extensions.
const TAR_HEADER_BYTES: u64 = 1 << 20;
const TAR_BLOCK_BYTES: u64 = 512;
/// The signature of a zip archive's end record, and the maximum size of that record, including its comment.
const ZIP_END: &[u8] = b"PK\x05\x06";
const ZIP_END_BYTES: u64 = 22 + (1 << 16);
/// The signature after the member list of a large archive.
const ZIP64_LOCATOR: &[u8] = b"PK\x06\x07";
const ZIP64_LOCATOR_BYTES: usize = 20;
/// The size of the end record of a large archive, without extensions.
const ZIP64_RECORD_BYTES: u64 = 56;

/// An archive being read.
pub(super) struct Archive<'u> {
    pub(super) unpacker: &'u Unpacker,
    pub(super) name: PathBuf,
    depth: usize,
    window_bytes: u64,
    is_named: bool,
    rows: RowKind,
    /// Whether it has had any member with PGN.
    pub(super) has_pgn: bool,
}

impl Unpacker {
    /// Passes on all members of a tar archive.
    pub(super) fn tar(&self, packed: Packed<'_>) -> Walk {
        let mut archive = Archive::new(self, &packed);
        let bound = Bound::default();
        let mut tar = tar::Archive::new(Bounded {
            input: packed.bytes,
            bound: &bound,
        });
        match archive.tar_members(&mut tar, &bound) {
            // A compressed archive has its checksum after the end of the archive.
            Ok(()) => match io::copy(&mut tar.into_inner().input, &mut io::sink()) {
                Ok(_) => archive.end(),
                Err(error) => self.fail(Error::damaged_archive(&archive.name, error)),
            },
            Err(TarStop::Walk(stop)) => Err(stop),
            Err(TarStop::Io(error)) => self.fail(Error::damaged_archive(&archive.name, error)),
        }
    }

    /// Passes on all members of a zip archive, which is copied to a file if it is not one.
    pub(super) fn zip(&self, mut packed: Packed<'_>) -> Walk {
        let mut archive = Archive::new(self, &packed);
        let file = self.seekable(&mut packed)?;
        archive.zip_members(BufReader::with_capacity(READ_BYTES, file))
    }
}

/// The reason why reading a tar archive stops.
enum TarStop {
    /// As for a member.
    Walk(Stop),
    /// The archive itself cannot be read.
    Io(io::Error),
}

impl From<Stop> for TarStop {
    fn from(stop: Stop) -> TarStop {
        TarStop::Walk(stop)
    }
}

impl From<io::Error> for TarStop {
    fn from(error: io::Error) -> TarStop {
        TarStop::Io(error)
    }
}

impl<'u> Archive<'u> {
    pub(super) fn new(unpacker: &'u Unpacker, packed: &Packed<'_>) -> Archive<'u> {
        let Packed {
            name,
            depth,
            window_bytes,
            is_named,
            rows,
            ..
        } = packed;
        Archive {
            unpacker,
            name: name.clone(),
            depth: *depth,
            window_bytes: *window_bytes,
            is_named: *is_named,
            rows: *rows,
            has_pgn: false,
        }
    }

    pub(super) fn member(&mut self, name: &str, bytes: impl Read, size: Option<u64>) -> Walk {
        self.has_pgn = true;
        self.unpacker.walk(Packed {
            name: member_name(&self.name, name),
            bytes: Box::new(bytes),
            size,
            file: None,
            depth: self.depth + 1,
            window_bytes: self.window_bytes,
            is_named: false,
            rows: self.rows,
        })
    }

    /// Called when all members have been read.
    pub(super) fn end(&self) -> Walk {
        if self.has_pgn || !self.is_named {
            Ok(())
        } else {
            self.unpacker.fail(Error::NoPgnInArchive(self.name.clone()))
        }
    }

    fn tar_members(
        &mut self,
        tar: &mut tar::Archive<impl Read>,
        bound: &Bound,
    ) -> Result<(), TarStop> {
        for entry in tar.entries()? {
            let entry = entry?;
            bound.allow(stored_bytes(&entry)?);
            let kind = entry.header().entry_type();
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if (kind.is_file() || kind.is_contiguous()) && is_wanted(&name) {
                let size = entry.size();
                self.member(&name, entry, Some(size))?;
            }
        }
        Ok(())
    }

    fn zip_members(&mut self, mut file: BufReader<Counted<File>>) -> Walk {
        // The member list is read into memory as a whole.
        if zip_list_bytes(&mut file).is_some_and(|bytes| bytes > self.window_bytes / 8) {
            let reason = io::Error::other("the list of its members takes more memory than allowed");
            return self.salvage(file, reason);
        }
        let Ok(mut zip) = ZipArchive::new(&mut file) else {
            return self.salvage(file, io::ErrorKind::UnexpectedEof.into());
        };
        for index in 0..zip.len() {
            let name = zip
                .name_for_index(index)
                .and_then(Result::ok)
                .unwrap_or_default();
            let name = name.into_owned();
            if !is_wanted(&name) {
                continue;
            }
            let walk = match zip.by_index(index) {
                Ok(member) => self.zip_member(&name, member),
                Err(error) => self.refuse(&name, error),
            };
            // A damaged member does not affect the others.
            if walk == Err(Stop::Unwanted) {
                return walk;
            }
        }
        self.end()
    }

    fn zip_member(&mut self, name: &str, member: ZipFile<'_, impl Read>) -> Walk {
        if member.is_symlink() {
            return Ok(());
        }
        let size = member.size();
        self.member(name, member, Some(size))
    }

    fn refuse(&mut self, name: &str, error: ZipError) -> Walk {
        self.has_pgn = true;
        let name = member_name(&self.name, name);
        self.unpacker.fail(match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Error::Encrypted(name),
            error => Error::damaged_archive(&name, error.into()),
        })
    }

    /// Reads the members of an archive with an unreadable member list, as far as possible.
    fn salvage(&mut self, mut file: BufReader<Counted<File>>, reason: io::Error) -> Walk {
        let mut error = file.rewind().err();
        while error.is_none() {
            match read_zipfile_from_stream(&mut file) {
                Ok(Some(member)) => {
                    let name = member.name().unwrap_or_default().into_owned();
                    if is_wanted(&name) {
                        self.zip_member(&name, member)?;
                    }
                }
                Ok(None) => break,
                Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => break,
                Err(other) => error = Some(other.into()),
            }
        }
        let error = error.unwrap_or(reason);
        self.unpacker
            .fail(Error::damaged_archive(&self.name, error))
    }
}

/// How far a tar archive may be read for its next member.
struct Bound {
    read: Cell<u64>,
    most: Cell<u64>,
}

impl Default for Bound {
    fn default() -> Bound {
        Bound {
            read: Cell::new(0),
            most: Cell::new(TAR_HEADER_BYTES),
        }
    }
}

impl Bound {
    /// Allows reading a member of this many bytes, and the header after it.
    fn allow(&self, bytes: u64) {
        let padded = bytes.saturating_add(TAR_BLOCK_BYTES + TAR_HEADER_BYTES);
        self.most.set(self.read.get().saturating_add(padded));
    }
}

/// Fails if a header exceeds any sensible size, because names are read into memory as a whole.
struct Bounded<'b, R> {
    input: R,
    bound: &'b Bound,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Bound { read, most } = self.bound;
        let left = most.get().saturating_sub(read.get());
        if left == 0 && !out.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a name of a member is too long",
            ));
        }
        let wanted = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let count = self.input.read(&mut out[..wanted])?;
        read.set(read.get() + count as u64);
        Ok(count)
    }
}

/// The stored size of a member of a tar archive.
fn stored_bytes(entry: &tar::Entry<'_, impl Read>) -> io::Result<u64> {
    let header = entry.header();
    if header.entry_type().is_gnu_sparse() {
        header.entry_size()
    } else {
        Ok(entry.size())
    }
}

/// The size of the member list of a zip archive, including what follows it; `None` if it is not found.
fn zip_list_bytes(file: &mut (impl Read + Seek)) -> Option<u64> {
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let last = length.min(ZIP_END_BYTES + ZIP64_LOCATOR_BYTES as u64);
    file.seek(SeekFrom::Start(length - last)).ok()?;
    let mut end = Vec::new();
    file.take(last).read_to_end(&mut end).ok()?;

    let end_record = end
        .windows(ZIP_END.len())
        .rposition(|four| four == ZIP_END)?;
    let start = match end_record.checked_sub(ZIP64_LOCATOR_BYTES) {
        // The end record of a large archive has no room for the place of the list: another record has it.
        Some(locator) if end[locator..].starts_with(ZIP64_LOCATOR) => {
            let large_record = number_at(&end, locator + 8, 8)?;
            file.seek(SeekFrom::Start(large_record)).ok()?;
            let mut record = Vec::new();
            file.take(ZIP64_RECORD_BYTES)
                .read_to_end(&mut record)
                .ok()?;
            number_at(&record, 48, 8)?
        }
        _ => number_at(&end, end_record + 16, 4)?,
    };

    length.checked_sub(start)
}

/// The number that some bytes at a place are, the lowest byte first; `None` if the text is too short.
fn number_at(text: &[u8], at: usize, bytes: usize) -> Option<u64> {
    let mut number: u64 = 0;
    for &byte in text.get(at..at + bytes)?.iter().rev() {
        number = number << 8 | u64::from(byte);
    }
    Some(number)
}

/// `archive.zip/dir/games.pgn`
pub(super) fn member_name(archive: &Path, member: &str) -> PathBuf {
    let member = member.trim_start_matches("./").trim_start_matches('/');
    let mut name = OsString::from(archive);
    name.push("/");
    name.push(member);
    PathBuf::from(name)
}

pub(super) fn is_wanted(member: &str) -> bool {
    may_hold_pgn(member.rsplit(['/', '\\']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_name_of_their_archive() {
        let name = |member| {
            member_name(Path::new("old/a.zip"), member)
                .display()
                .to_string()
        };
        assert_eq!(name("dir/games.pgn"), "old/a.zip/dir/games.pgn");
        assert_eq!(name("./games.pgn"), "old/a.zip/games.pgn");
        assert_eq!(name("/etc/games.pgn"), "old/a.zip/etc/games.pgn");
    }

    #[test]
    fn members_that_are_wanted() {
        assert!(
            ["a.pgn", "dir/a.PGN", "dir\\a.pgn.gz", "a.zip"]
                .iter()
                .all(|name| is_wanted(name))
        );
        assert!(
            !["a.pgn/", "pgn/a.txt", "__MACOSX/._a.pgn"]
                .iter()
                .any(|name| is_wanted(name))
        );
    }
}

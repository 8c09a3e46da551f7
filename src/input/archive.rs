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
/// The stored list of members of a zip archive may take the memory for windows divided by this number: the library
/// keeps the list in memory, where a member takes more than its record in the file.
const ZIP_LIST_PART: u64 = 8;
/// The maximum size of the header, the name and the extensions before a member of a tar archive.
const MAX_TAR_HEADER_BYTES: u64 = 1 << 20;
const TAR_BLOCK_BYTES: u64 = 512;
/// The signature of a zip archive's end record, and the maximum size of this record, including its comment.
const ZIP_END: &[u8] = b"PK\x05\x06";
const MAX_ZIP_END_BYTES: u64 = 22 + (1 << 16);
/// The offset, within the end record, of the four bytes with the place of the member list.
const ZIP_END_LIST: usize = 16;
/// The signature after the member list of a large archive.
const ZIP64_LOCATOR: &[u8] = b"PK\x06\x07";
const ZIP64_LOCATOR_BYTES: usize = 20;
/// The offset, within the locator, of the eight bytes with the place of the end record of a large archive.
const ZIP64_LOCATOR_RECORD: usize = 8;
/// The size of the end record of a large archive, without extensions.
const ZIP64_RECORD_BYTES: u64 = 56;
/// The offset, within the end record of a large archive, of the eight bytes with the place of the member list.
const ZIP64_RECORD_LIST: usize = 48;

/// An archive being read.
pub(super) struct Archive<'u> {
    pub(super) unpacker: &'u Unpacker,
    pub(super) name: PathBuf,
    depth: usize,
    window_bytes: u64,
    is_named: bool,
    rows: RowKind,
    /// `true` if a member with PGN has been found so far.
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
            Ok(()) => {}
            Err(TarStop::Walk(stop)) => return Err(stop),
            Err(TarStop::Io(error)) => {
                return self.fail(Error::damaged_archive(&archive.name, error));
            }
        }

        // A compressed archive has its checksum after the end of the archive, so it is read to its end.
        let mut rest = tar.into_inner().input;
        match io::copy(&mut rest, &mut io::sink()) {
            Ok(_) => archive.end(),
            Err(error) => self.fail(Error::damaged_archive(&archive.name, error)),
        }
    }

    /// Passes on all members of a zip archive. An archive from a stream is first copied to a file, because its list of
    /// members is at its end.
    pub(super) fn zip(&self, mut packed: Packed<'_>) -> Walk {
        let mut archive = Archive::new(self, &packed);
        let file = self.seekable(&mut packed)?;
        let buffered = BufReader::with_capacity(READ_BYTES, file);
        archive.zip_members(buffered)
    }
}

/// The reason why reading a tar archive stops.
enum TarStop {
    /// A member cannot be read, or nobody receives it.
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
    /// An archive of which no member has been read. The caller reads the bytes of `packed`.
    pub(super) fn new(unpacker: &'u Unpacker, packed: &Packed<'_>) -> Archive<'u> {
        Archive {
            unpacker,
            name: packed.name.clone(),
            depth: packed.depth,
            window_bytes: packed.window_bytes,
            is_named: packed.is_named,
            rows: packed.rows,
            has_pgn: false,
        }
    }

    pub(super) fn member(&mut self, name: &str, bytes: impl Read, size: Option<u64>) -> Walk {
        self.has_pgn = true;

        let member = Packed {
            name: member_name(&self.name, name),
            bytes: Box::new(bytes),
            size,
            file: None,
            depth: self.depth + 1,
            window_bytes: self.window_bytes,
            is_named: false,
            rows: self.rows,
        };
        self.unpacker.walk(member)
    }

    /// Ends the archive after its last member. Reports an archive without PGN if the user has named it.
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
            let is_file = kind.is_file() || kind.is_contiguous();
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if is_file && is_wanted(&name) {
                let size = entry.size();
                self.member(&name, entry, Some(size))?;
            }
        }
        Ok(())
    }

    fn zip_members(&mut self, mut file: BufReader<Counted<File>>) -> Walk {
        // The library reads the whole list of members into memory, so its size is checked first.
        let max_list_bytes = self.window_bytes / ZIP_LIST_PART;
        let is_list_too_long = match zip_list_bytes(&mut file) {
            Some(bytes) => bytes > max_list_bytes,
            None => false,
        };
        if is_list_too_long {
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
                .unwrap_or_default()
                .into_owned();
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
        // The content of a symbolic link is a path.
        if member.is_symlink() {
            return Ok(());
        }

        let size = member.size();
        self.member(name, member, Some(size))
    }

    /// Reports why a member cannot be read.
    fn refuse(&mut self, name: &str, error: ZipError) -> Walk {
        // The archive has a member that may have PGN, so it is not reported as an archive without PGN.
        self.has_pgn = true;

        let name = member_name(&self.name, name);
        let reason = match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Error::Encrypted(name),
            error => Error::damaged_archive(&name, error.into()),
        };
        self.unpacker.fail(reason)
    }

    /// Reads the members of an archive with an unreadable member list, as far as possible.
    fn salvage(&mut self, mut file: BufReader<Counted<File>>, reason: io::Error) -> Walk {
        // Each member has a header before its bytes, so members can be read without the list.
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

/// The offset up to which a tar archive may be read for its next member.
struct Bound {
    read_bytes: Cell<u64>,
    max_bytes: Cell<u64>,
}

impl Default for Bound {
    fn default() -> Bound {
        Bound {
            read_bytes: Cell::new(0),
            max_bytes: Cell::new(MAX_TAR_HEADER_BYTES),
        }
    }
}

impl Bound {
    /// Allows reading a member of this many bytes, its padding to a block, and the header of the next member.
    fn allow(&self, bytes: u64) {
        let allowed = bytes.saturating_add(TAR_BLOCK_BYTES + MAX_TAR_HEADER_BYTES);
        let max_bytes = self.read_bytes.get().saturating_add(allowed);
        self.max_bytes.set(max_bytes);
    }
}

/// A reader that fails if a header is too large. The library reads whole names into memory, so a header needs a limit.
struct Bounded<'b, R> {
    input: R,
    bound: &'b Bound,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Bound {
            read_bytes,
            max_bytes,
        } = self.bound;
        let left = max_bytes.get().saturating_sub(read_bytes.get());
        if left == 0 && !out.is_empty() {
            let message = "a name of a member is too long";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }

        let max_count = usize::try_from(left).unwrap_or(usize::MAX);
        let length = out.len().min(max_count);
        let count = self.input.read(&mut out[..length])?;
        read_bytes.set(read_bytes.get() + count as u64);
        Ok(count)
    }
}

/// The stored size of a member of a tar archive.
fn stored_bytes(entry: &tar::Entry<'_, impl Read>) -> io::Result<u64> {
    let header = entry.header();
    // The size of a sparse file includes its holes, which are not stored.
    if header.entry_type().is_gnu_sparse() {
        header.entry_size()
    } else {
        Ok(entry.size())
    }
}

/// The number of bytes from the beginning of the member list of a zip archive to the end of the file; `None` if the
/// list is not found.
fn zip_list_bytes(file: &mut (impl Read + Seek)) -> Option<u64> {
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let end_length = length.min(MAX_ZIP_END_BYTES + ZIP64_LOCATOR_BYTES as u64);
    let end = bytes_at(file, length - end_length, end_length)?;

    let end_record = end
        .windows(ZIP_END.len())
        .rposition(|four| four == ZIP_END)?;
    let list_start = match end_record.checked_sub(ZIP64_LOCATOR_BYTES) {
        // In a large archive, the place of the list does not fit into the end record. Another record has it.
        Some(locator) if end[locator..].starts_with(ZIP64_LOCATOR) => {
            let record_start = number_at(&end, locator + ZIP64_LOCATOR_RECORD, 8)?;
            let record = bytes_at(file, record_start, ZIP64_RECORD_BYTES)?;
            number_at(&record, ZIP64_RECORD_LIST, 8)?
        }
        _ => number_at(&end, end_record + ZIP_END_LIST, 4)?,
    };

    length.checked_sub(list_start)
}

/// Up to `length` bytes of a file at an offset; `None` if they cannot be read.
fn bytes_at(file: &mut (impl Read + Seek), start: u64, length: u64) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(start)).ok()?;

    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The little-endian number of `width` bytes at an offset; `None` if `bytes` is shorter.
fn number_at(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    bytes.get(at..at + width).map(little_endian)
}

/// The number of up to eight little-endian bytes.
pub(super) fn little_endian(bytes: &[u8]) -> u64 {
    let mut number = 0;
    for &byte in bytes.iter().rev() {
        number = number << 8 | u64::from(byte);
    }
    number
}

/// `archive.zip/dir/games.pgn`
pub(super) fn member_name(archive: &Path, member: &str) -> PathBuf {
    let member = member.trim_start_matches("./").trim_start_matches('/');
    let mut name = OsString::from(archive);
    name.push("/");
    name.push(member);
    PathBuf::from(name)
}

/// Returns `true` if a member may have PGN, by its name.
pub(super) fn is_wanted(member: &str) -> bool {
    // Some programs write paths of Windows into archives.
    let file_name = member.rsplit(['/', '\\']).next();
    may_hold_pgn(file_name.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_name_of_their_archive() {
        let rows = [
            ("dir/games.pgn", "old/a.zip/dir/games.pgn"),
            ("./games.pgn", "old/a.zip/games.pgn"),
            ("/etc/games.pgn", "old/a.zip/etc/games.pgn"),
        ];
        for (member, expected) in rows {
            let name = member_name(Path::new("old/a.zip"), member);
            assert_eq!(name.display().to_string(), expected);
        }
    }

    #[test]
    fn members_that_are_wanted() {
        for name in ["a.pgn", "dir/a.PGN", "dir\\a.pgn.gz", "a.zip"] {
            assert!(is_wanted(name), "{name}");
        }
        for name in ["a.pgn/", "pgn/a.txt", "__MACOSX/._a.pgn"] {
            assert!(!is_wanted(name), "{name}");
        }
    }

    #[test]
    fn numbers_are_little_endian() {
        let bytes = [1, 2, 0, 0x80];
        assert_eq!(number_at(&bytes, 0, 4), Some(0x8000_0201));
        assert_eq!(number_at(&bytes, 1, 2), Some(2));
        assert_eq!(number_at(&bytes, 2, 4), None);
    }
}

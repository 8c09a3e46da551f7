//! Reads the members of 7z archives.
//!
//! The list of members is at the end of an archive. Members are packed in blocks. The members of a block are
//! consecutive parts of one stream, so a block is decoded once, from its beginning to its last member with PGN.
//! `list_size` determines the size of the list, so that the memory for the list can be limited.

mod list_size;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use sevenz_rust2::{
    Archive as MemberList, ArchiveEntry, Block, BlockDecoder, Coder, EncoderMethod,
    Error as SevenZipError, Password,
};

use self::list_size::unpacked_bytes;
use super::archive::{Archive, READ_BYTES, is_wanted, little_endian, member_name};
use super::content::Counted;
use super::unpack::{Packed, Stop, Unpacker, Walk};
use crate::bug::caught;
use crate::error::Error;

/// The size of the start of an archive. The start has the offset of the list of members, counted from the end of the
/// start, and the size of the list. Both have eight bytes.
const START_BYTES: u64 = 32;
const LIST_OFFSET_AT: usize = 12;
const LIST_SIZE_AT: usize = 20;
/// The approximate growth of the list of members in memory. A member may have a single byte in the list, and has about
/// 136 bytes in memory.
const LIST_GROWTH: u64 = 128;
/// The greatest code of a dictionary's size in LZMA2, of four gigabytes.
const MAX_LZMA2_CODE: u8 = 40;
/// The file type in the Unix mode, which is the upper half of the attributes, and the type of symbolic links.
const UNIX_TYPE: u32 = 0o170_000;
const UNIX_LINK: u32 = 0o120_000;

impl Unpacker {
    /// Passes on all members of a 7z archive. An archive from a stream is first copied to a file, because its list of
    /// members is at its end.
    pub(super) fn seven_zip(&self, mut packed: Packed<'_>) -> Walk {
        let seekable = self.seekable(&mut packed)?;
        let mut file = BufReader::with_capacity(READ_BYTES, seekable);
        let (list, checksums) = match read_list(&mut file, &packed) {
            Ok(read) => read,
            Err(error) => return self.fail(error),
        };

        // The dictionary of a block is in memory while its members are read, so members that are compressed again get
        // half of the limit.
        let dictionary_bytes = packed.window_bytes;
        packed.window_bytes /= 2;
        let archive = Archive::new(self, &packed);
        let mut seven_zip = SevenZip {
            archive,
            list,
            checksums,
            file,
            dictionary_bytes,
        };
        seven_zip.pass_on_members()
    }
}

/// The checksums of members, where the list has them.
type Checksums = Vec<Option<u32>>;

/// Reads the list of members. The checksums are removed from the list, so that the library does not verify them.
fn read_list(
    file: &mut BufReader<Counted<File>>,
    packed: &Packed<'_>,
) -> Result<(MemberList, Checksums), Error> {
    let name = &packed.name;
    let max_list_bytes = packed.window_bytes / LIST_GROWTH;
    let unreadable = |reason| Error::UnreadableArchive {
        name: name.clone(),
        reason,
    };

    match list_bytes(file, max_list_bytes) {
        Ok(ListBytes::Known(bytes)) if bytes > max_list_bytes => {
            return Err(Error::LongMemberList(name.clone()));
        }
        Ok(ListBytes::Known(_)) => {}
        Ok(ListBytes::Senseless) => return Err(unreadable(SENSELESS_LIST)),
        Ok(ListBytes::Missing) => {
            return Err(unreadable(
                "its end, with the list of its members, is missing; parts of a split archive have to be joined first",
            ));
        }
        Err(error) => return Err(Error::stream(name, 0, error)),
    }

    let window_kib = usize::try_from(packed.window_bytes / 1024).unwrap_or(usize::MAX);
    let password = Password::empty();
    let read = caught(|| MemberList::read_with_memory_limit(file, &password, window_kib));
    let mut list = match read {
        Ok(list) => list.map_err(|error| list_error(name, &error))?,
        Err(_) => return Err(unreadable(SENSELESS_LIST)),
    };

    // The library would not read any member behind a member with a wrong checksum.
    let mut checksums = Vec::with_capacity(list.files.len());
    for entry in &mut list.files {
        let checksum = if entry.has_crc {
            u32::try_from(entry.crc).ok()
        } else {
            None
        };
        checksums.push(checksum);
        entry.has_crc = false;
    }

    Ok((list, checksums))
}

/// The size of a list of members when it is unpacked.
enum ListBytes {
    Known(u64),
    /// The list makes no sense.
    Senseless,
    /// The place of the list is behind the end of the file.
    Missing,
}

/// Finds the size of the unpacked list of members. At most `max_bytes` of the packed list are read for it.
fn list_bytes(file: &mut BufReader<Counted<File>>, max_bytes: u64) -> io::Result<ListBytes> {
    let length = file.seek(SeekFrom::End(0))?;
    if length < START_BYTES {
        return Ok(ListBytes::Missing);
    }

    file.seek(SeekFrom::Start(0))?;
    let mut start = [0; START_BYTES as usize];
    file.read_exact(&mut start)?;

    let number_at = |at: usize| little_endian(&start[at..at + 8]);
    let offset = number_at(LIST_OFFSET_AT).saturating_add(START_BYTES);
    let size = number_at(LIST_SIZE_AT);
    if offset.saturating_add(size) > length {
        return Ok(ListBytes::Missing);
    }
    if size > max_bytes {
        return Ok(ListBytes::Known(size));
    }

    file.seek(SeekFrom::Start(offset))?;
    let mut list = vec![0; size as usize];
    file.read_exact(&mut list)?;
    let unpacked = unpacked_bytes(&list);
    Ok(unpacked.map_or(ListBytes::Senseless, ListBytes::Known))
}

/// A 7z archive being read.
struct SevenZip<'u> {
    archive: Archive<'u>,
    list: MemberList,
    checksums: Checksums,
    file: BufReader<Counted<File>>,
    /// The memory that the dictionaries of a block may take.
    dictionary_bytes: u64,
}

impl SevenZip<'_> {
    /// Passes on the members of all blocks, and ends the archive.
    fn pass_on_members(&mut self) -> Walk {
        let mut next = 0;
        while next < self.list.files.len() {
            let first = next;
            next = self.end_of_block(first);
            let block = self.list.stream_map.file_block_index[first];
            let walk = match block {
                Some(block) => self.pass_on_block(block, first, next),
                None => self.pass_on_empty_member(first),
            };

            // A damaged block does not affect the others.
            if walk == Err(Stop::Unwanted) {
                return walk;
            }
        }

        self.archive.end()
    }

    /// The number of the first member behind the block of a member; a member without content has no block.
    ///
    /// `first` is the number of a member, and the library notes a block or none for each member.
    fn end_of_block(&self, first: usize) -> usize {
        let blocks = &self.list.stream_map.file_block_index[first..];
        let block = blocks[0];
        if block.is_none() {
            return first + 1;
        }
        let members = blocks.iter().take_while(|&&other| other == block).count();
        first + members
    }

    /// Passes on a member without content.
    fn pass_on_empty_member(&mut self, index: usize) -> Walk {
        let entry = &self.list.files[index];
        if !is_wanted_file(entry) {
            return Ok(());
        }

        self.archive.member(&entry.name, io::empty(), Some(0))
    }

    /// Passes on the members of a block, which have the numbers from `first` up to `end`.
    fn pass_on_block(&mut self, block: usize, first: usize, end: usize) -> Walk {
        let SevenZip {
            archive,
            list,
            checksums,
            file,
            dictionary_bytes,
        } = self;
        let members = &list.files[first..end];
        let Some(last) = members.iter().rposition(is_wanted_file) else {
            return Ok(());
        };
        let entries = &members[..=last];

        if list.is_file_encrypted(first) {
            return fail_all(archive, entries, Error::Encrypted);
        }
        if needed_bytes(&list.blocks[block]) > *dictionary_bytes {
            return fail_all(archive, entries, Error::TooMuchMemory);
        }

        // With several threads, the library buffers text without a limit.
        let threads = 1;
        // The memory has been checked above, so the library has no limit. Its unit is KiB.
        let no_limit = usize::MAX / 1024;
        let password = Password::empty();
        let decoder =
            BlockDecoder::new_with_memory_limit(threads, no_limit, block, list, &password, file);

        let mut read = 0;
        let mut walk = Ok(());
        let mut has_failed = false;
        let outcome = caught(|| {
            decoder.for_each_entries(&mut |entry, bytes| {
                if is_wanted_file(entry) {
                    let mut member = Checked::new(bytes, checksums[first + read]);
                    walk = archive.member(&entry.name, &mut member, Some(entry.size));
                    has_failed |= walk == Err(Stop::Broken);
                }
                read += 1;
                let goes_on = walk != Err(Stop::Unwanted) && read <= last;
                Ok(goes_on)
            })
        });

        if walk == Err(Stop::Unwanted) {
            return walk;
        }
        let error = match outcome {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => error,
            Err(bug) => SevenZipError::Other(bug.to_string().into()),
        };

        let unread = entries.get(read..).unwrap_or_default();
        // If all members have been read, a damaged member has reported the damage already.
        if unread.is_empty() && !has_failed {
            return archive.unpacker.fail(error_of(&archive.name, &error));
        }
        fail_all(archive, unread, |name| error_of(&name, &error))
    }
}

/// Reports why members cannot be read.
fn fail_all(
    archive: &mut Archive<'_>,
    entries: &[ArchiveEntry],
    error: impl Fn(PathBuf) -> Error,
) -> Walk {
    for entry in entries.iter().filter(|entry| is_wanted_file(entry)) {
        archive.has_pgn = true;
        let name = member_name(&archive.name, &entry.name);
        let reported = archive.unpacker.fail(error(name));
        if reported == Err(Stop::Unwanted) {
            return reported;
        }
    }
    Ok(())
}

/// Returns `true` for a file that may have PGN, by its name.
fn is_wanted_file(entry: &ArchiveEntry) -> bool {
    if entry.is_directory || entry.is_anti_item {
        return false;
    }

    let unix_type = entry.windows_attributes >> 16 & UNIX_TYPE;
    let is_link = entry.has_windows_attributes && unix_type == UNIX_LINK;
    !is_link && is_wanted(&entry.name)
}

/// The memory that the dictionaries and models of a block need.
fn needed_bytes(block: &Block) -> u64 {
    let mut bytes = 0_u64;
    for (index, coder) in block.coders.iter().enumerate() {
        let reserved = coder_bytes(coder);
        let is_model = coder.encoder_method_id() == EncoderMethod::ID_PPMD;
        let used = if is_model {
            // A model of PPMd needs about 21 bytes for each decoded byte, so the whole model may be used.
            reserved
        } else {
            // A dictionary uses at most one byte of memory for each decoded byte.
            reserved.min(block.get_unpack_size_at_index(index))
        };
        bytes = bytes.saturating_add(used);
    }
    bytes
}

/// The size of a coder's dictionary or model.
fn coder_bytes(coder: &Coder) -> u64 {
    let properties = coder.properties();
    match coder.encoder_method_id() {
        // The first byte has the parameters of literals; the size follows.
        EncoderMethod::ID_LZMA | EncoderMethod::ID_PPMD => match properties {
            &[_, a, b, c, d, ..] => u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => 0,
        },
        EncoderMethod::ID_LZMA2 => match properties {
            &[code @ 0..=MAX_LZMA2_CODE, ..] => lzma2_dictionary_bytes(code),
            _ => 0,
        },
        _ => 0,
    }
}

/// The size that a code of LZMA2 means: a power of two (even codes), or one and a half times a power of two.
fn lzma2_dictionary_bytes(code: u8) -> u64 {
    let two_or_three = 2 | u64::from(code & 1);
    two_or_three << (code / 2 + 11)
}

/// A reader of a member, which fails at the end of the member if its checksum is wrong.
struct Checked<'b> {
    bytes: &'b mut dyn Read,
    hasher: Hasher,
    checksum: Option<u32>,
}

impl<'b> Checked<'b> {
    fn new(bytes: &'b mut dyn Read, checksum: Option<u32>) -> Checked<'b> {
        Checked {
            bytes,
            hasher: Hasher::new(),
            checksum,
        }
    }
}

impl Read for Checked<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(out).map_err(with_reason)?;
        self.hasher.update(&out[..read]);
        if read > 0 || out.is_empty() {
            return Ok(read);
        }

        match self.checksum.take() {
            Some(checksum) if checksum != self.hasher.clone().finalize() => {
                Err(io::Error::new(io::ErrorKind::InvalidData, WRONG_CHECKSUM))
            }
            _ => Ok(0),
        }
    }
}

const WRONG_CHECKSUM: &str = "its checksum is wrong";
const UNDECODABLE: &str = "its compressed data is damaged";
const SENSELESS_LIST: &str = "the list of its members makes no sense";

/// The error for an archive or a member that the library cannot read.
fn error_of(name: &Path, error: &SevenZipError) -> Error {
    let damaged = |reason: &'static str| Error::damaged_archive(name, io::Error::other(reason));
    match error {
        SevenZipError::MaxMemLimited { .. } => Error::TooMuchMemory(name.to_owned()),
        SevenZipError::PasswordRequired => Error::Encrypted(name.to_owned()),
        SevenZipError::UnsupportedCompressionMethod(method) if method == AES => {
            Error::Encrypted(name.to_owned())
        }
        SevenZipError::UnsupportedCompressionMethod(method) => Error::UnreadCompression {
            name: name.to_owned(),
            method: method.clone(),
        },
        // Errors of the system are passed on; other errors of reading are damage.
        SevenZipError::Io(error, _) => match error.raw_os_error() {
            Some(code) => {
                let system_error = io::Error::from_raw_os_error(code);
                Error::stream(name, 0, system_error)
            }
            None => damaged(reason(error)),
        },
        SevenZipError::ChecksumVerificationFailed | SevenZipError::NextHeaderCrcMismatch => {
            damaged(WRONG_CHECKSUM)
        }
        _ => damaged(UNDECODABLE),
    }
}

/// The error for a list of members that the library cannot read.
fn list_error(name: &Path, error: &SevenZipError) -> Error {
    let unreadable = |reason| Error::UnreadableArchive {
        name: name.to_owned(),
        reason,
    };
    match error {
        SevenZipError::MaxMemLimited { .. } => Error::LongMemberList(name.to_owned()),
        SevenZipError::ChecksumVerificationFailed | SevenZipError::NextHeaderCrcMismatch => {
            unreadable("the checksum of the list of its members is wrong")
        }
        SevenZipError::Io(error, _) if error.raw_os_error().is_none() => unreadable(SENSELESS_LIST),
        SevenZipError::PasswordRequired
        | SevenZipError::UnsupportedCompressionMethod(_)
        | SevenZipError::Io(..) => error_of(name, error),
        _ => unreadable(SENSELESS_LIST),
    }
}

/// The library's name of the encryption of 7z archives.
const AES: &str = EncoderMethod::AES256_SHA256.name();

/// Replaces the message of an error of reading by its [`reason`]. Errors of the system stay as they are.
fn with_reason(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(_) => error,
        None => io::Error::new(error.kind(), reason(&error)),
    }
}

/// The reason why a member cannot be read, without the library's terms.
fn reason(error: &io::Error) -> &'static str {
    let of_library = error.get_ref().and_then(|inner| inner.downcast_ref());
    if let Some(SevenZipError::ChecksumVerificationFailed) = of_library {
        return WRONG_CHECKSUM;
    }

    if error.kind() == io::ErrorKind::UnexpectedEof {
        "it ends too early"
    } else {
        UNDECODABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_sizes_are_powers_of_two_and_halves_more() {
        let rows: [(u8, u64); 5] = [
            (0, 4 << 10),
            (1, 6 << 10),
            (2, 8 << 10),
            (24, 16 << 20),
            (MAX_LZMA2_CODE, 4 << 30),
        ];
        for (code, bytes) in rows {
            assert_eq!(lzma2_dictionary_bytes(code), bytes, "{code}");
        }
    }
}

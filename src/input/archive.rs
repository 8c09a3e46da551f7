//! What is in archives, one member after the other.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

use super::names::may_hold_pgn;
use super::source::{Consumed, Counted};
use super::unpack::{Packed, Stop, Unpacker, Walk};
use crate::error::Error;

/// How much of a zip archive is read at once.
const READ_BYTES: usize = 1 << 16;

/// An archive that is being read.
struct Archive<'u> {
    unpacker: &'u Unpacker,
    name: PathBuf,
    depth: usize,
    is_named: bool,
    /// Whether there was anything with PGN in it.
    has_pgn: bool,
}

impl Unpacker {
    /// Hands on all members of a tar archive.
    pub(super) fn tar(&self, packed: Packed<'_>) -> Walk {
        let mut archive = Archive::new(self, &packed);
        let mut tar = tar::Archive::new(packed.bytes);
        match archive.tar_members(&mut tar) {
            // What is compressed has its checksum behind the end of the archive.
            Ok(()) => match io::copy(&mut tar.into_inner(), &mut io::sink()) {
                Ok(_) => archive.end(),
                Err(error) => self.fail(Error::damaged_archive(&archive.name, error)),
            },
            Err(TarStop::Walk(stop)) => Err(stop),
            Err(TarStop::Io(error)) => self.fail(Error::damaged_archive(&archive.name, error)),
        }
    }

    /// Hands on all members of a zip archive, which is brought into a file where it is none.
    pub(super) fn zip(&self, mut packed: Packed<'_>) -> Walk {
        let mut archive = Archive::new(self, &packed);
        let file = match packed.file.take() {
            Some(file) => Ok(file),
            None => in_a_file(&mut packed.bytes).map(|file| Counted(file, Consumed::default())),
        };
        match file {
            Ok(file) => archive.zip_members(BufReader::with_capacity(READ_BYTES, file)),
            Err(error) => self.fail(Error::stream(&archive.name, 0, error)),
        }
    }
}

/// Why no more of a tar archive is read.
enum TarStop {
    /// The same as for a member.
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
    fn new(unpacker: &'u Unpacker, packed: &Packed<'_>) -> Archive<'u> {
        let Packed { name, depth, is_named, .. } = packed;
        let (name, depth, is_named) = (name.clone(), *depth, *is_named);
        Archive { unpacker, name, depth, is_named, has_pgn: false }
    }

    fn member(&mut self, name: &str, bytes: impl Read, size: Option<u64>) -> Walk {
        self.has_pgn = true;
        self.unpacker.walk(Packed {
            name: member_name(&self.name, name),
            bytes: Box::new(bytes),
            size,
            file: None,
            depth: self.depth + 1,
            is_named: false,
        })
    }

    /// To be called when all members have been read.
    fn end(&self) -> Walk {
        match self.has_pgn || !self.is_named {
            true => Ok(()),
            false => self.unpacker.fail(Error::NoPgnInArchive(self.name.clone())),
        }
    }

    fn tar_members(&mut self, tar: &mut tar::Archive<impl Read>) -> Result<(), TarStop> {
        for entry in tar.entries()? {
            let entry = entry?;
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
        let Ok(mut zip) = ZipArchive::new(&mut file) else { return self.salvage(file) };
        for index in 0..zip.len() {
            let name = zip.name_for_index(index).and_then(Result::ok).unwrap_or_default();
            let name = name.into_owned();
            if !is_wanted(&name) {
                continue;
            }
            let walk = match zip.by_index(index) {
                Ok(member) => self.zip_member(&name, member),
                Err(error) => self.refuse(&name, error),
            };
            // Damage of one member is none of the others.
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

    /// Reads the members of an archive that has lost its list of them, as far as that goes.
    fn salvage(&mut self, mut file: BufReader<Counted<File>>) -> Walk {
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
        let error = error.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into());
        self.unpacker.fail(Error::damaged_archive(&self.name, error))
    }
}

/// `archive.zip/dir/games.pgn`
fn member_name(archive: &Path, member: &str) -> PathBuf {
    let member = member.trim_start_matches("./").trim_start_matches('/');
    let mut name = OsString::from(archive);
    name.push("/");
    name.push(member);
    PathBuf::from(name)
}

fn is_wanted(member: &str) -> bool {
    may_hold_pgn(member.rsplit(['/', '\\']).next().unwrap_or_default())
}

/// A file without a name with all that is read.
fn in_a_file(input: &mut impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(input, &mut file)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_name_of_their_archive() {
        let name = |member| member_name(Path::new("old/a.zip"), member).display().to_string();
        assert_eq!(name("dir/games.pgn"), "old/a.zip/dir/games.pgn");
        assert_eq!(name("./games.pgn"), "old/a.zip/games.pgn");
        assert_eq!(name("/etc/games.pgn"), "old/a.zip/etc/games.pgn");
    }

    #[test]
    fn members_that_are_wanted() {
        assert!(
            ["a.pgn", "dir/a.PGN", "dir\\a.pgn.gz", "a.zip"].iter().all(|name| is_wanted(name))
        );
        assert!(!["a.pgn/", "pgn/a.txt", "__MACOSX/._a.pgn"].iter().any(|name| is_wanted(name)));
    }
}

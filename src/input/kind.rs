//! What a file is: whether its name says that there is PGN in it, and how its first bytes say it is stored.

/// How many bytes at the beginning tell a [`Kind`].
pub(super) const BEGINNING_BYTES: usize = 512;

/// How a file stores what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// As it is.
    Plain,
    /// Smaller.
    Compressed(Compression),
    /// Several files, one after the other.
    Tar,
    /// Several files, each smaller.
    Zip,
    /// In a way that only other programs know.
    Foreign(Foreign),
}

/// How a file is made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
    Bzip2,
    Xz,
    /// In frames.
    Lz4,
}

/// An archive that only other programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Of 7-Zip.
    SevenZip,
    /// Of WinRAR.
    Rar,
}

impl Foreign {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Foreign::SevenZip => "7z",
            Foreign::Rar => "RAR",
        }
    }

    /// The command that extracts it.
    pub fn command(self) -> &'static str {
        match self {
            Foreign::SevenZip => "7z x",
            Foreign::Rar => "unrar x",
        }
    }
}

const MAGIC: [(&[u8], Kind); 9] = [
    (b"\x28\xb5\x2f\xfd", Kind::Compressed(Compression::Zstd)),
    (b"\x1f\x8b\x08", Kind::Compressed(Compression::Gzip)),
    (b"\xfd7zXZ\0", Kind::Compressed(Compression::Xz)),
    (b"\x04\x22\x4d\x18", Kind::Compressed(Compression::Lz4)),
    (b"PK\x03\x04", Kind::Zip),
    // Without any file in it.
    (b"PK\x05\x06", Kind::Zip),
    (b"PK\x07\x08", Kind::Zip),
    (b"7z\xbc\xaf\x27\x1c", Kind::Foreign(Foreign::SevenZip)),
    (b"Rar!\x1a\x07", Kind::Foreign(Foreign::Rar)),
];

impl Kind {
    /// The kind of what begins with these bytes, [`BEGINNING_BYTES`] of them or all there are.
    pub(super) fn of(beginning: &[u8]) -> Kind {
        if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| beginning.starts_with(magic)) {
            return *kind;
        }
        match beginning {
            // A frame to be skipped, with which parallel programs begin. That of LZ4 is the same and is rare.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Kind::Compressed(Compression::Zstd),
            // Behind the size of its blocks stands the first block, or the end.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Kind::Compressed(Compression::Bzip2)
            }
            _ if beginning.get(257..262) == Some(b"ustar") => Kind::Tar,
            _ => Kind::Plain,
        }
    }
}

const COMPRESSED: [&str; 5] = [".zst", ".gz", ".bz2", ".xz", ".lz4"];
const WITH_PGN: [&str; 11] =
    [".pgn", ".zip", ".tar", ".tgz", ".tzst", ".tbz", ".tbz2", ".txz", ".tlz4", ".7z", ".rar"];

/// `true` when a file's name says that there is or may be PGN in it.
pub(super) fn may_hold_pgn(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let is_ours = |ending: &str| name.strip_suffix(ending).is_some_and(|stem| !stem.is_empty());
    // With `._` macOS names what it knows of a file beside that file.
    !name.starts_with("._") && WITH_PGN.iter().any(|ending| is_ours(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! kinds {
        ($($name:ident: $bytes:expr => $kind:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(Kind::of($bytes), $kind);
            }
        )*};
    }

    kinds! {
        a_tag: b"[Event \"A\"]" => Kind::Plain;
        nothing: b"" => Kind::Plain;
        a_mark_of_utf16: b"\xff\xfe[\0E\0" => Kind::Plain;
        a_word_like_bzip2: b"BZh9 is no move" => Kind::Plain;
        zstd: b"\x28\xb5\x2f\xfd\x04" => Kind::Compressed(Compression::Zstd);
        zstd_after_what_is_skipped: b"\x50\x2a\x4d\x18\x04\0\0\0" => Kind::Compressed(Compression::Zstd);
        empty_bzip2: b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0" => Kind::Compressed(Compression::Bzip2);
        rar_of_either_version: b"Rar!\x1a\x07\x01\0" => Kind::Foreign(Foreign::Rar);
        empty_zip: b"PK\x05\x06\0\0" => Kind::Zip;
    }

    #[test]
    fn names() {
        for name in
            ["a.pgn", "A.PGN", "a.b.Pgn.Zst", "twic.zip", "a.tar", "a.tar.xz", "a.tgz", "a.7z"]
        {
            assert!(may_hold_pgn(name), "{name}");
        }
        for name in [".pgn", "a.txt", "pgn", "a.gz", "a.png.gz", "._a.pgn", "a.pgn.txt", ".pgn.zst"]
        {
            assert!(!may_hold_pgn(name), "{name}");
        }
    }
}

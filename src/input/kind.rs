//! Determines the kind of a file by its first bytes: plain, compressed, an archive, or another format.

use std::path::Path;

use super::format::Format;

/// The number of leading bytes that determine a [`Kind`].
pub(super) const BEGINNING_BYTES: usize = 512;

/// The storage of a file's content: plain, compressed, an archive, or another format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Without compression.
    Plain,
    /// Compressed as a whole.
    Compressed(Compression),
    /// A tar archive.
    Tar,
    /// A zip archive.
    Zip,
    /// A 7z archive.
    SevenZip,
    /// A Parquet file, with a game or an evaluation per row.
    Parquet,
    /// An archive that Stamma cannot read.
    Foreign(Foreign),
    /// Another format than PGN.
    Other(Format),
}

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
    Bzip2,
    Xz,
    /// In the frame format.
    Lz4,
}

/// An archive format that Stamma cannot read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// Of WinRAR.
    Rar,
}

impl Foreign {
    /// The common name of the format.
    pub(super) fn name(self) -> &'static str {
        match self {
            Foreign::Rar => "RAR",
        }
    }

    /// The command that extracts an archive of this format.
    pub(super) fn command(self) -> &'static str {
        match self {
            Foreign::Rar => "unrar x",
        }
    }
}

/// The bytes after the head of a bzip2 file: of its first block, and of its end if it has no block.
const BZIP2_BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const BZIP2_END: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

/// The magic number of a tar archive, and its offset in the header of the first member.
const TAR_MAGIC: &[u8] = b"ustar";
const TAR_MAGIC_AT: usize = 257;

/// The magic numbers at the beginning of a file.
const MAGIC: [(&[u8], Kind); 11] = [
    (b"\x28\xb5\x2f\xfd", Kind::Compressed(Compression::Zstd)),
    (b"\x1f\x8b\x08", Kind::Compressed(Compression::Gzip)),
    (b"\xfd7zXZ\0", Kind::Compressed(Compression::Xz)),
    (b"\x04\x22\x4d\x18", Kind::Compressed(Compression::Lz4)),
    (b"PK\x03\x04", Kind::Zip),
    // Without any member.
    (b"PK\x05\x06", Kind::Zip),
    (b"PK\x07\x08", Kind::Zip),
    (b"PAR1", Kind::Parquet),
    // With an encrypted schema.
    (b"PARE", Kind::Parquet),
    (b"7z\xbc\xaf\x27\x1c", Kind::SevenZip),
    (b"Rar!\x1a\x07", Kind::Foreign(Foreign::Rar)),
];

impl Kind {
    /// The kind of a file with this beginning: its first [`BEGINNING_BYTES`], or all of it.
    pub(super) fn of(beginning: &[u8]) -> Kind {
        if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| beginning.starts_with(magic)) {
            return *kind;
        }
        match beginning {
            // A skippable frame. The output of parallel zstd programs begins with it. LZ4 files may begin with it, too,
            // but they are rare.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Kind::Compressed(Compression::Zstd),
            // The digit is the size of the blocks.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(BZIP2_BLOCK) || rest.starts_with(BZIP2_END) =>
            {
                Kind::Compressed(Compression::Bzip2)
            }
            _ if has_tar_magic(beginning) => Kind::Tar,
            _ => Kind::Plain,
        }
    }

    /// The kind of a file with this beginning and name; the name reveals some formats of chess programs without a magic
    /// number.
    pub(super) fn of_named(beginning: &[u8], name: &Path) -> Kind {
        let kind = Kind::of(beginning);
        // Office documents are zip archives.
        let may_be_other = matches!(kind, Kind::Plain | Kind::Zip);
        match Format::of(beginning, name) {
            Some(format) if may_be_other => Kind::Other(format),
            _ => kind,
        }
    }
}

fn has_tar_magic(beginning: &[u8]) -> bool {
    match beginning.get(TAR_MAGIC_AT..) {
        Some(rest) => rest.starts_with(TAR_MAGIC),
        None => false,
    }
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
        bzip2: b"BZh1\x31\x41\x59\x26\x53\x59\0" => Kind::Compressed(Compression::Bzip2);
        empty_bzip2: b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0" => Kind::Compressed(Compression::Bzip2);
        seven_zip: b"7z\xbc\xaf\x27\x1c\0\x04" => Kind::SevenZip;
        rar_of_either_version: b"Rar!\x1a\x07\x01\0" => Kind::Foreign(Foreign::Rar);
        parquet: b"PAR1\x15\x04" => Kind::Parquet;
        tar: &[&[0_u8; 257][..], b"ustar"].concat() => Kind::Tar;
        a_header_of_tar_that_is_cut_short: &[&[0_u8; 257][..], b"usta"].concat() => Kind::Plain;
        empty_zip: b"PK\x05\x06\0\0" => Kind::Zip;
    }
}

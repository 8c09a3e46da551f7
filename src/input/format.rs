//! Recognizes files in formats other than PGN, with advice on how to get PGN from them.
//!
//! Formats are recognized by their documented magic numbers. Some files of chess programs have no magic number: they
//! are recognized by their extensions, if their beginning is not text. A PGN file with a few odd bytes stays a PGN
//! file.

use std::path::Path;

/// A format other than PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A file of a database of Scid, which is read where its other files are beside it.
    Scid,
    /// A file of a ChessBase database, which is read where its other files are beside it.
    ChessBase,
    /// A database in the format that ChessBase 17 introduced.
    NewChessBase,
    /// A ChessBase archive: a database as a single compressed file.
    ChessBaseArchive,
    /// A ChessBase archive with a password.
    EncryptedChessBaseArchive,
    /// A database of ChessBase for DOS.
    OldChessBase,
    /// An opening book, which stores moves by position.
    Book,
    /// An SQLite database, such as one of Stamma.
    Sqlite,
    /// Portable Document Format.
    Pdf,
    /// A text document, spreadsheet or presentation.
    Office,
    /// A picture.
    Image,
    /// Audio or video.
    Media,
    /// An executable or library.
    Program,
    /// An archive or compressed file that Stamma cannot read.
    Archive,
}

/// The offsets of magic numbers that are not at the beginning: the reserved bytes of a bitmap, the type of a RIFF file,
/// the type of the first box of a video, and the method of an LHA archive.
const BITMAP_RESERVED_AT: usize = 6;
const RIFF_TYPE_AT: usize = 8;
const BOX_TYPE_AT: usize = 4;
const LHA_METHOD_AT: usize = 2;

/// Magic numbers, each with its offset.
const MAGIC: &[(usize, &[u8], Format)] = &[
    (0, b"Scid.si\0", Format::Scid),
    (0, b"Scid.sn\0", Format::Scid),
    // The third byte is the length of the used header: 36 in the first version, 44 in later ones.
    (0, b"\0\0\x24\0\x2e\x01", Format::ChessBase),
    (0, b"\0\0\x2c\0\x2e\x01", Format::ChessBase),
    (0, b"SQLite format 3\0", Format::Sqlite),
    (0, b"%PDF-", Format::Pdf),
    // Compound files: .doc, .xls, .ppt.
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Format::Office),
    (0, b"{\\rtf1", Format::Office),
    (0, b"\x89PNG\r\n\x1a\n", Format::Image),
    (0, b"\xff\xd8\xff", Format::Image),
    (0, b"GIF87a", Format::Image),
    (0, b"GIF89a", Format::Image),
    (0, b"II*\0", Format::Image),
    (0, b"MM\0*", Format::Image),
    // In a bitmap, four reserved bytes follow the size.
    (BITMAP_RESERVED_AT, b"\0\0\0\0", Format::Image),
    (RIFF_TYPE_AT, b"WEBP", Format::Image),
    (RIFF_TYPE_AT, b"AVI LIST", Format::Media),
    (RIFF_TYPE_AT, b"WAVEfmt ", Format::Media),
    (0, b"ID3\x03", Format::Media),
    (0, b"ID3\x04", Format::Media),
    (0, b"OggS\0", Format::Media),
    (0, b"fLaC\0", Format::Media),
    (0, b"\x1a\x45\xdf\xa3", Format::Media),
    (BOX_TYPE_AT, b"ftyp", Format::Media),
    (0, b"\x7fELF", Format::Program),
    (0, b"\xca\xfe\xba\xbe", Format::Program),
    (0, b"\xfe\xed\xfa\xce", Format::Program),
    (0, b"\xfe\xed\xfa\xcf", Format::Program),
    (0, b"\xce\xfa\xed\xfe", Format::Program),
    (0, b"\xcf\xfa\xed\xfe", Format::Program),
    (0, b"\0asm", Format::Program),
    (0, b"MSCF\0\0\0\0", Format::Archive),
    (0, b"LZIP\x01", Format::Archive),
    (0, b"\x1f\x9d", Format::Archive),
    (0, b"\x60\xea", Format::Archive),
    (LHA_METHOD_AT, b"-lh5-", Format::Archive),
    (LHA_METHOD_AT, b"-lh6-", Format::Archive),
    (LHA_METHOD_AT, b"-lh1-", Format::Archive),
];

/// Names of the first member of a document that is a zip archive, after the member header.
const FIRST_MEMBERS: [&[u8]; 5] = [
    b"[Content_Types].xml",
    b"_rels/",
    b"docProps/",
    b"mimetypeapplication/vnd.oasis.",
    b"mimetypeapplication/epub",
];
const ZIP_HEADER_BYTES: usize = 30;

/// Extensions of formats without a magic number.
const ENDINGS: &[(&str, Format)] = &[
    ("si3", Format::Scid),
    ("sg3", Format::Scid),
    ("sn3", Format::Scid),
    ("si4", Format::Scid),
    ("sg4", Format::Scid),
    ("sn4", Format::Scid),
    ("si5", Format::Scid),
    ("sg5", Format::Scid),
    ("sn5", Format::Scid),
    ("cbh", Format::ChessBase),
    ("2cbh", Format::NewChessBase),
    ("2cbg", Format::NewChessBase),
    ("cbg", Format::ChessBase),
    ("cba", Format::ChessBase),
    ("cbp", Format::ChessBase),
    ("cbt", Format::ChessBase),
    ("cbc", Format::ChessBase),
    ("cbs", Format::ChessBase),
    ("cbj", Format::ChessBase),
    ("cbone", Format::ChessBase),
    ("cbv", Format::ChessBaseArchive),
    ("cbz", Format::EncryptedChessBaseArchive),
    ("cbf", Format::OldChessBase),
    ("cbi", Format::OldChessBase),
    ("ctg", Format::Book),
    ("abk", Format::Book),
    ("bin", Format::Book),
];

impl Format {
    /// The format of a file with this beginning and name; `None` if the file may be PGN.
    pub(super) fn of(beginning: &[u8], name: &Path) -> Option<Format> {
        for &(at, magic, format) in MAGIC {
            let rest = beginning.get(at..).unwrap_or_default();
            if rest.starts_with(magic) && format.is_likely(beginning, at) {
                return Some(format);
            }
        }

        // The two bytes in the middle are the number of files in the archive.
        if let [0x08, 0x00, _, _, 0xad, 0x00, 0x03, 0x00, ..] = beginning {
            return Some(Format::ChessBaseArchive);
        }
        if beginning.starts_with(b"MZ") && is_binary(beginning) {
            return Some(Format::Program);
        }
        if beginning.starts_with(b"PK\x03\x04") {
            let member = beginning.get(ZIP_HEADER_BYTES..)?;
            let is_office = FIRST_MEMBERS.iter().any(|name| member.starts_with(name));
            return is_office.then_some(Format::Office);
        }

        let extension = name.extension()?.to_str()?.to_ascii_lowercase();
        let (_, format) = ENDINGS.iter().find(|(known, _)| *known == extension)?;
        is_binary(beginning).then_some(*format)
    }

    /// Returns `false` if the bytes of a magic number are probably text. The bytes around the magic number, which is at
    /// `at`, decide.
    fn is_likely(self, beginning: &[u8], at: usize) -> bool {
        let before = &beginning[..at];
        match (self, at) {
            // A bitmap, whose size is before the reserved bytes.
            (Format::Image, BITMAP_RESERVED_AT) => before.starts_with(b"BM") && is_binary(before),
            // The size of the file is between `RIFF` and the type.
            (Format::Image | Format::Media, RIFF_TYPE_AT) => before.starts_with(b"RIFF"),
            // `1.d4ftyp` is text; a video begins with the size of its first box.
            (Format::Media, BOX_TYPE_AT) => is_binary(before),
            (Format::Archive, LHA_METHOD_AT) => is_binary(beginning),
            _ => true,
        }
    }

    /// The name of the format, as the end of a sentence.
    pub(super) fn name(self) -> &'static str {
        match self {
            Format::Scid => "part of a Scid database",
            Format::ChessBase => "part of a ChessBase database",
            Format::NewChessBase => "part of a database in the new format of ChessBase",
            Format::ChessBaseArchive => "a ChessBase archive",
            Format::EncryptedChessBaseArchive => "a ChessBase archive with a password",
            Format::OldChessBase => "part of a database of ChessBase for DOS",
            Format::Book => "an opening book",
            Format::Sqlite => "an SQLite database",
            Format::Pdf => "a PDF document",
            Format::Office => "an office document",
            Format::Image => "a picture",
            Format::Media => "a sound or video file",
            Format::Program => "a program",
            Format::Archive => "an archive that is not read",
        }
    }

    /// Advice on how to get PGN from the file; `None` if no other program is needed.
    pub(super) fn advice(self) -> Option<&'static str> {
        let advice = match self {
            Format::Scid => {
                "its three files (.si4, .sg4 and .sn4, or .si5, .sg5 and .sn5) are read beside each other in a folder, under one name; an older database, export from Scid as PGN"
            }
            #[cfg(feature = "chessbase")]
            Format::ChessBase => {
                "its files (.cbh, .cbg, .cba, .cbp, .cbt, .cbc, .cbs) are read beside each other in a folder, under one name"
            }
            #[cfg(not(feature = "chessbase"))]
            Format::ChessBase => {
                "open the database in ChessBase and copy its games into a new database of the type PGN"
            }
            Format::OldChessBase => {
                "open the database in ChessBase and copy its games into a new database of the type PGN"
            }
            Format::NewChessBase => {
                "copy its games in ChessBase into a new database of the type CBH or PGN, which is read"
            }
            #[cfg(feature = "chessbase")]
            Format::ChessBaseArchive => {
                "it is read as a file, not as a stream or in another archive"
            }
            #[cfg(not(feature = "chessbase"))]
            Format::ChessBaseArchive => {
                "unpack it in ChessBase (Menu, Back up, Restore database), and give the .cbh file that it holds"
            }
            Format::EncryptedChessBaseArchive => {
                "unpack it with its password in ChessBase (Menu, Back up, Restore database), and give the .cbh file that it holds"
            }
            Format::Book => "it has moves of positions and no games",
            // An SQLite database may be a database of Stamma. Its games are exported by another command.
            Format::Sqlite => return None,
            Format::Pdf => "copy the games out of it into a text file",
            Format::Office => "save it as plain text (UTF-8)",
            Format::Image | Format::Media | Format::Program => "it has no games that can be read",
            Format::Archive => "extract it first",
        };
        Some(advice)
    }
}

/// Returns `true` if there is a byte that does not occur in text.
fn is_binary(beginning: &[u8]) -> bool {
    // UTF-16 is text with such bytes.
    let is_utf16 = matches!(beginning, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if is_utf16 {
        return false;
    }

    // Text has tabs and line ends, the end mark of DOS (0x1a), and escapes (0x1b).
    let is_of_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t'..=b'\r' | 0x1a | 0x1b);
    !beginning.iter().all(is_of_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, beginning: &[u8]) -> Option<Format> {
        Format::of(beginning, Path::new(name))
    }

    #[test]
    fn magic_numbers_decide_whatever_the_name() {
        for (beginning, format) in [
            (&b"Scid.si\0\x01\x90"[..], Format::Scid),
            (b"\0\0\x2c\0\x2e\x01\0\0\0\x05", Format::ChessBase),
            (b"SQLite format 3\0\x10\0", Format::Sqlite),
            (b"%PDF-1.7\n", Format::Pdf),
            (b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml", Format::Office),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", Format::Image),
            (b"BM\x36\x10\x0e\0\0\0\0\0\x36", Format::Image),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Format::Image),
            (b"\0\0\0\x20ftypisom", Format::Media),
            (b"MZ\x90\0\x03", Format::Program),
            (b"\x7fELF\x02\x01", Format::Program),
        ] {
            assert_eq!(of("games.pgn", beginning), Some(format), "{beginning:?}");
        }
    }

    #[test]
    fn names_decide_for_binary_files() {
        assert_eq!(of("a.SG4", b"\x12\x01\0"), Some(Format::Scid));
        assert_eq!(of("a.cbv", b"\x08\0\x01"), Some(Format::ChessBaseArchive));
        assert_eq!(of("a.cbf", b"\0\0\0\x02"), Some(Format::OldChessBase));
        assert_eq!(of("a.sg4", b"[Event \"A\"]\n"), None);
        assert_eq!(of("a.si5", b"\xff\xfe[\0E\0"), None);
    }

    #[test]
    fn games_with_odd_bytes_are_pgn() {
        for beginning in [
            &b""[..],
            b"\0\0[Event \"A\"]\n\n1. e4 *\n",
            b"BM-Turnier\n\n[Event \"A\"]\n",
            b"MZ\n[Event \"A\"]\n",
            b"1.d4ftyp",
            b"% a\n[Event \"\x01\x02\"]\n",
            b"{ a comment }\n1. e4 *",
            b"\xff\xfe[\0E\0",
            b"a -lh5- b",
        ] {
            assert_eq!(of("games.pgn", beginning), None, "{beginning:?}");
        }
    }
}

//! Text encodings: their names, decoding and encoding.

use encoding_rs::EncoderResult;
use oem_cp::code_table::{
    DECODING_TABLE_CP437, DECODING_TABLE_CP737, DECODING_TABLE_CP775, DECODING_TABLE_CP850,
    DECODING_TABLE_CP852, ENCODING_TABLE_CP437, ENCODING_TABLE_CP737, ENCODING_TABLE_CP775,
    ENCODING_TABLE_CP850, ENCODING_TABLE_CP852,
};
use oem_cp::{OEMCPHashMap, decode_string_complete_table, encode_char_checked};

/// A text encoding: UTF-8, UTF-16, or a single-byte encoding that extends ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(Table);

#[derive(Clone, Copy, Debug)]
enum Table {
    /// An encoding of the web standard. In its Windows code pages, an undefined byte is the control character with the
    /// number of the byte.
    Web(&'static encoding_rs::Encoding),
    /// A DOS code page.
    CodePage(&'static CodePage),
    /// ISO 8859-1, which the web standard replaces by Windows-1252.
    Latin1,
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        Encoding(*self).name() == Encoding(*other).name()
    }
}

impl Eq for Table {}

#[derive(Debug)]
struct CodePage {
    name: &'static str,
    number: &'static str,
    decoding: &'static [char; 128],
    encoding: &'static OEMCPHashMap<char, u8>,
}

static CODE_PAGES: [CodePage; 5] = [
    CodePage {
        name: "IBM437",
        number: "437",
        decoding: &DECODING_TABLE_CP437,
        encoding: &ENCODING_TABLE_CP437,
    },
    CodePage {
        name: "IBM737",
        number: "737",
        decoding: &DECODING_TABLE_CP737,
        encoding: &ENCODING_TABLE_CP737,
    },
    CodePage {
        name: "IBM775",
        number: "775",
        decoding: &DECODING_TABLE_CP775,
        encoding: &ENCODING_TABLE_CP775,
    },
    CodePage {
        name: "IBM850",
        number: "850",
        decoding: &DECODING_TABLE_CP850,
        encoding: &ENCODING_TABLE_CP850,
    },
    CodePage {
        name: "IBM852",
        number: "852",
        decoding: &DECODING_TABLE_CP852,
        encoding: &ENCODING_TABLE_CP852,
    },
];

/// Characters of a text that an encoding lacks; they are written as `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of missing characters, repetitions included.
    pub count: u64,
    /// The first missing character.
    pub first: Option<char>,
}

impl Missing {
    fn note(&mut self, character: char) {
        self.count += 1;
        self.first.get_or_insert(character);
    }
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(Table::Web(encoding_rs::UTF_8));
    /// UTF-16, little-endian.
    pub const UTF_16LE: Encoding = Encoding(Table::Web(encoding_rs::UTF_16LE));
    /// UTF-16, big-endian.
    pub const UTF_16BE: Encoding = Encoding(Table::Web(encoding_rs::UTF_16BE));
    /// Windows-1252, the encoding of most old Western European files.
    pub const WINDOWS_1252: Encoding = Encoding(Table::Web(encoding_rs::WINDOWS_1252));

    /// An encoding of the web standard.
    pub(super) const fn web(encoding: &'static encoding_rs::Encoding) -> Encoding {
        Encoding(Table::Web(encoding))
    }

    /// The encoding with this name, in any case: `utf-8`, `windows-1250`, `latin1`, `koi8-r`, `cp437` and other common
    /// ones. Multi-byte encodings other than UTF-8 and UTF-16 are not supported.
    ///
    /// ```
    /// use stamma::input::Encoding;
    /// let name = |name| Encoding::from_name(name).map(Encoding::name);
    /// assert_eq!(name("CP1251"), Some("windows-1251"));
    /// assert_eq!(name("cp850"), Some("IBM850"));
    /// assert_eq!(name("big5"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Encoding> {
        let name = name.trim().to_ascii_lowercase();

        // For `encoding_rs`, as in browsers, these labels mean Windows-1252.
        let is_latin1 = matches!(
            name.as_str(),
            "latin1" | "latin-1" | "l1" | "iso-8859-1" | "iso8859-1"
        );
        if is_latin1 {
            return Some(Encoding(Table::Latin1));
        }

        let number = name
            .strip_prefix("cp")
            .or(name.strip_prefix("ibm"))
            .unwrap_or(&name);
        if let Some(page) = CODE_PAGES.iter().find(|page| page.number == number) {
            return Some(Encoding(Table::CodePage(page)));
        }

        let encoding = Encoding::web(encoding_rs::Encoding::for_label(name.as_bytes())?);
        let is_supported = encoding.is_unicode() || encoding.has_one_byte_a_character();
        is_supported.then_some(encoding)
    }

    /// The name registered with IANA.
    pub fn name(self) -> &'static str {
        match self.0 {
            Table::Web(encoding) => encoding.name(),
            Table::CodePage(page) => page.name,
            Table::Latin1 => "ISO-8859-1",
        }
    }

    /// Returns `true` for UTF-8 and UTF-16.
    pub fn is_unicode(self) -> bool {
        self == Encoding::UTF_8 || self.is_utf16()
    }

    /// Returns `true` for UTF-16.
    pub fn is_utf16(self) -> bool {
        self == Encoding::UTF_16LE || self == Encoding::UTF_16BE
    }

    fn has_one_byte_a_character(self) -> bool {
        match self.0 {
            Table::Web(encoding) => {
                encoding.is_single_byte() && encoding != encoding_rs::X_USER_DEFINED
            }
            Table::CodePage(_) | Table::Latin1 => true,
        }
    }

    /// Decodes bytes. An undefined byte becomes the control character with the number of the byte (U+0080 to U+009F),
    /// or U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> String {
        match self.0 {
            Table::Web(encoding) => {
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                text.into_owned()
            }
            Table::CodePage(page) => decode_string_complete_table(bytes, page.decoding),
            Table::Latin1 => bytes.iter().copied().map(char::from).collect(),
        }
    }

    /// Encodes a text, appending `?` for each character that the encoding lacks. UTF-16 is not supported.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> Missing {
        match self.0 {
            Table::Web(encoding) => encode_web(encoding, text, out),
            Table::CodePage(page) => {
                let byte_of = |letter| encode_char_checked(letter, page.encoding);
                encode_each(text, out, byte_of)
            }
            Table::Latin1 => encode_each(text, out, |letter| u8::try_from(letter).ok()),
        }
    }
}

/// Encodes a text character by character with `byte_of`, which returns `None` for a character that the encoding lacks.
fn encode_each(text: &str, out: &mut Vec<u8>, byte_of: impl Fn(char) -> Option<u8>) -> Missing {
    let mut missing = Missing::default();
    for letter in text.chars() {
        match byte_of(letter) {
            Some(byte) => out.push(byte),
            None => {
                missing.note(letter);
                out.push(b'?');
            }
        }
    }
    missing
}

/// The room for one more character than the rest of a text has. With less room, the encoder makes no progress.
const SPARE_BYTES: usize = 16;

fn encode_web(encoding: &'static encoding_rs::Encoding, text: &str, out: &mut Vec<u8>) -> Missing {
    let mut encoder = encoding.new_encoder();
    let mut missing = Missing::default();
    let mut rest = text;
    loop {
        out.reserve(rest.len() + SPARE_BYTES);
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, out, true);
        rest = &rest[read..];

        match result {
            EncoderResult::InputEmpty => return missing,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(letter) => {
                missing.note(letter);
                out.push(b'?');
            }
        }
    }
}

/// A text as UTF-8, with a mapping back to its original offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded<'b> {
    /// The bytes were UTF-8.
    Utf8(&'b str),
    /// The bytes were in a single-byte encoding.
    Legacy(String),
}

/// Decodes bytes; UTF-16 must have been transcoded to UTF-8 already.
///
/// Invalid UTF-8 is read as Windows-1252.
pub fn decode(bytes: &[u8], encoding: Encoding) -> Decoded<'_> {
    if !encoding.is_unicode() {
        return Decoded::Legacy(encoding.decode(bytes));
    }

    match str::from_utf8(bytes) {
        Ok(text) => Decoded::Utf8(text),
        Err(_) => Decoded::Legacy(Encoding::WINDOWS_1252.decode(bytes)),
    }
}

impl Decoded<'_> {
    /// The text.
    pub fn text(&self) -> &str {
        match self {
            Decoded::Utf8(text) => text,
            Decoded::Legacy(text) => text,
        }
    }

    /// A mapping from offsets of the text to original offsets.
    pub(crate) fn offsets(&self) -> Offsets<'_> {
        let legacy = match self {
            Decoded::Utf8(_) => None,
            Decoded::Legacy(text) => Some(text.as_str()),
        };
        Offsets {
            legacy,
            at: 0,
            byte: 0,
        }
    }
}

/// Maps offsets of a text to offsets of the bytes it was decoded from.
///
/// The text is scanned incrementally, so queries in increasing order need linear time in total.
#[derive(Clone, Debug)]
pub(crate) struct Offsets<'d> {
    legacy: Option<&'d str>,
    at: usize,
    byte: usize,
}

impl Offsets<'_> {
    /// The original offset of the character at an offset of the text.
    pub(crate) fn byte(&mut self, at: usize) -> usize {
        let Some(text) = self.legacy else { return at };

        let at = text.floor_char_boundary(at);
        if at >= self.at {
            self.byte += text[self.at..at].chars().count();
        } else {
            self.byte -= text[at..self.at].chars().count();
        }

        self.at = at;
        self.byte
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn utf8_stays() {
        assert_eq!(
            decode("Réti".as_bytes(), Encoding::UTF_8),
            Decoded::Utf8("Réti")
        );
    }

    #[test]
    fn places_of_bytes() {
        let decoded = decode(b"R\xe9ti \x96 x", Encoding::WINDOWS_1252);
        assert_eq!(decoded.text(), "Réti – x");

        let mut offsets = decoded.offsets();
        assert_eq!(offsets.byte("Réti – ".len()), 7);
        assert_eq!(offsets.byte("Ré".len()), 2);
        assert_eq!(offsets.byte("Réti".len()), 4);
    }

    macro_rules! encodes {
        ($($name:ident: $encoding:literal, $text:literal => $bytes:literal;)*) => {$(
            #[test]
            fn $name() {
                let encoding = Encoding::from_name($encoding).expect("an encoding");
                let mut bytes = Vec::new();
                assert_eq!(encoding.encode($text, &mut bytes), Missing::default());
                assert_eq!(bytes, $bytes);
                assert_eq!(encoding.decode(&bytes), $text);
            }
        )*};
    }

    encodes! {
        western: "windows-1252", "Müller – €" => b"M\xfcller \x96 \x80";
        western_without_windows: "latin1", "Müller é" => b"M\xfcller \xe9";
        central: "windows-1250", "Dvořák" => b"Dvo\xf8\xe1k";
        cyrillic: "cp1251", "Петросян" => b"\xcf\xe5\xf2\xf0\xee\xf1\xff\xed";
        cyrillic_of_unix: "KOI8-R", "Петросян" => b"\xf0\xc5\xd4\xd2\xcf\xd3\xd1\xce";
        cyrillic_of_dos: "cp866", "Таль" => b"\x92\xa0\xab\xec";
        greek: "windows-1253", "Παπαδόπουλος" => b"\xd0\xe1\xf0\xe1\xe4\xfc\xf0\xef\xf5\xeb\xef\xf2";
        turkish: "windows-1254", "İstanbul" => b"\xddstanbul";
        baltic: "windows-1257", "Šarūnas" => b"\xd0ar\xfbnas";
        dos: "cp437", "Müller" => b"M\x81ller";
        dos_of_western_europe: "ibm850", "Müller Ø" => b"M\x81ller \x9d";
        dos_of_central_europe: "852", "Dvořák" => b"Dvo\xfd\xa0k";
    }

    #[test]
    fn a_character_that_is_missing_is_counted() {
        let mut bytes = Vec::new();
        let missing = Encoding::WINDOWS_1252.encode("♘f3 Réti ♞", &mut bytes);
        assert_eq!(bytes, b"?f3 R\xe9ti ?");
        assert_eq!(
            missing,
            Missing {
                count: 2,
                first: Some('♘')
            }
        );
    }

    #[test]
    fn multi_byte_encodings_are_not_supported() {
        for name in [
            "",
            "big5",
            "shift_jis",
            "gbk",
            "x-user-defined",
            "replacement",
            "cp1",
        ] {
            assert_eq!(Encoding::from_name(name), None, "{name}");
        }
    }

    const NAMES: [&str; 20] = [
        "latin1",
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1257",
        "koi8-r",
        "koi8-u",
        "iso-8859-2",
        "iso-8859-5",
        "iso-8859-7",
        "cp437",
        "cp737",
        "cp775",
        "cp850",
        "cp852",
        "cp866",
        "macintosh",
        "iso-8859-15",
    ];

    proptest! {
        /// Bytes survive a round trip, except undefined ones, which still become one character each.
        #[test]
        fn bytes_come_back(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            name in prop::sample::select(&NAMES[..]),
        ) {
            let encoding = Encoding::from_name(name).expect("an encoding");
            let text = encoding.decode(&bytes);
            prop_assert_eq!(text.chars().count(), bytes.len());
            let mut back = Vec::new();
            encoding.encode(&text, &mut back);
            for ((byte, letter), came) in bytes.iter().zip(text.chars()).zip(&back) {
                prop_assert!(byte == came || letter == '\u{fffd}', "{byte:x} {letter} {came:x}");
            }
        }
    }
}

//! Transcodes UTF-16 to UTF-8 while reading, and maps lengths back.

use std::io::{Chain, Read};

use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use super::Encoding;

/// The number of leading bytes that may be a byte order mark.
pub(crate) const MARK_BYTES: usize = 3;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns `true` for a file that begins with a UTF-8 byte order mark.
pub(crate) fn has_utf8_mark(beginning: &[u8]) -> bool {
    beginning.starts_with(UTF8_MARK)
}

/// The UTF-16 encoding of a file, if any: given by its byte order mark, or by the user for a file without one.
pub(crate) fn utf16_of(beginning: &[u8], given: Option<Encoding>) -> Option<Encoding> {
    if has_utf8_mark(beginning) {
        return None;
    }
    match beginning {
        [0xff, 0xfe, ..] => Some(Encoding::UTF_16LE),
        [0xfe, 0xff, ..] => Some(Encoding::UTF_16BE),
        _ => given.filter(|encoding| encoding.is_utf16()),
    }
}

/// A reader of UTF-16 as UTF-8.
///
/// A byte order mark is kept. U+FFFD replaces half a surrogate pair, and a surplus last byte.
pub(super) type Utf16Reader<R> = Chain<&'static [u8], DecodeReaderBytes<R, Vec<u8>>>;

/// Reads UTF-16. `has_mark` is `true` if the input begins with a byte order mark.
pub(crate) fn read_utf16<R: Read>(input: R, encoding: Encoding, has_mark: bool) -> Utf16Reader<R> {
    let web_encoding = if encoding == Encoding::UTF_16BE {
        encoding_rs::UTF_16BE
    } else {
        encoding_rs::UTF_16LE
    };

    let decoder = DecodeReaderBytesBuilder::new()
        .encoding(Some(web_encoding))
        .bom_sniffing(false)
        .build(input);

    // The decoder drops the mark, which would shift all offsets.
    let mark = if has_mark { UTF8_MARK } else { b"" };
    mark.chain(decoder)
}

/// The number of UTF-16 bytes that a UTF-8 text was transcoded from.
pub(crate) fn utf16_bytes(text: &[u8]) -> u64 {
    // A character begins with a byte other than 10xxxxxx. A character of four bytes is a surrogate pair in UTF-16: two
    // units of two bytes each.
    let units = |&byte: &u8| {
        let begins_character = byte & 0xc0 != 0x80;
        let is_pair = byte >= 0xf0;
        u64::from(begins_character) + u64::from(is_pair)
    };
    2 * text.iter().map(units).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn read(bytes: &[u8]) -> String {
        let encoding = utf16_of(bytes, None).expect("a byte order mark");
        let mut text = String::new();
        read_utf16(bytes, encoding, true)
            .read_to_string(&mut text)
            .expect("UTF-8");
        text
    }

    macro_rules! reads {
        ($($name:ident: $bytes:literal => $text:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(read($bytes), $text);
            }
        )*};
    }

    reads! {
        low_byte_first: b"\xff\xfeR\x00\xe9\x00" => "\u{feff}Ré";
        high_byte_first: b"\xfe\xff\x00R\x00\xe9" => "\u{feff}Ré";
        odd_length: b"\xff\xfeR\x00\xe9" => "\u{feff}R\u{fffd}";
        half_a_pair: b"\xff\xfe\x3d\xd8R\x00" => "\u{feff}\u{fffd}R";
        a_pair: b"\xff\xfe\x3d\xd8\x00\xde" => "\u{feff}😀";
        nothing_but_a_mark: b"\xff\xfe" => "\u{feff}";
    }

    #[test]
    fn a_mark_overrides_a_given_encoding() {
        let given = Some(Encoding::UTF_16BE);
        assert_eq!(utf16_of(b"\xff\xfe[\x00", given), Some(Encoding::UTF_16LE));
        assert_eq!(utf16_of(b"\xef\xbb\xbf[", given), None);
        assert_eq!(utf16_of(b"\x00[", given), given);
        assert_eq!(utf16_of(b"[", Some(Encoding::WINDOWS_1252)), None);
    }

    proptest! {
        #[test]
        fn bytes_are_counted(text in any::<String>()) {
            let units = text.encode_utf16().count() as u64;
            prop_assert_eq!(utf16_bytes(text.as_bytes()), 2 * units);
        }
    }
}

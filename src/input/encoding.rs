//! Bytes to text.

use std::borrow::Cow;

/// A game's text as UTF-8, and the way back to the places of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded<'b> {
    /// It was UTF-8.
    Utf8(&'b str),
    /// It was not, and has been read as Windows-1252, which has one byte for each character.
    Legacy(String),
}

/// Reads bytes as UTF-8 where they are, else as Windows-1252, which old PGN files mostly are.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    match str::from_utf8(bytes) {
        Ok(text) => Decoded::Utf8(text),
        Err(_) => {
            let text = encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0;
            Decoded::Legacy(Cow::into_owned(text))
        }
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

    /// The offset of the byte from which the character at an offset of the text came.
    pub fn byte_offset(&self, at: usize) -> usize {
        match self {
            Decoded::Utf8(_) => at,
            Decoded::Legacy(text) => text[..text.floor_char_boundary(at)].chars().count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_stays() {
        assert_eq!(decode("Réti".as_bytes()), Decoded::Utf8("Réti"));
    }

    #[test]
    fn other_bytes_are_latin() {
        let decoded = decode(b"R\xe9ti \x96 x");
        assert_eq!(decoded.text(), "Réti – x");
        assert_eq!(decoded.byte_offset("Réti – ".len()), 7);
    }
}

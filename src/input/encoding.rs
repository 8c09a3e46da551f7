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

    /// Finds where the characters of the text came from.
    pub fn offsets(&self) -> Offsets<'_> {
        let legacy = match self {
            Decoded::Utf8(_) => None,
            Decoded::Legacy(text) => Some(text.as_str()),
        };
        Offsets { legacy, at: 0, byte: 0 }
    }
}

/// Offsets of a text to offsets of the bytes it was decoded from.
///
/// It walks along with what it is asked, so that many questions in order take linear time.
#[derive(Clone, Debug)]
pub struct Offsets<'d> {
    legacy: Option<&'d str>,
    at: usize,
    byte: usize,
}

impl Offsets<'_> {
    /// The offset of the byte from which the character at an offset of the text came.
    pub fn byte(&mut self, at: usize) -> usize {
        let Some(text) = self.legacy else { return at };
        let at = text.floor_char_boundary(at);
        match at >= self.at {
            true => self.byte += text[self.at..at].chars().count(),
            false => self.byte -= text[at..self.at].chars().count(),
        }
        self.at = at;
        self.byte
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
        let mut offsets = decoded.offsets();
        assert_eq!(offsets.byte("Réti – ".len()), 7);
        assert_eq!(offsets.byte("Ré".len()), 2);
        assert_eq!(offsets.byte("Réti".len()), 4);
    }
}

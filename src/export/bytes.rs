//! Converts text to bytes of the output: text encoding and line endings.

use memchr::memchr_iter;

use crate::input::{Encoding, Missing};

/// The text encoding and the line endings of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteStyle {
    /// The encoding, which is not UTF-16.
    pub encoding: Encoding,
    /// `true` if lines end with carriage return and line feed.
    pub crlf: bool,
}

impl Default for ByteStyle {
    fn default() -> ByteStyle {
        ByteStyle {
            encoding: Encoding::UTF_8,
            crlf: false,
        }
    }
}

/// Characters written as `?` because the encoding lacks them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// The number of replaced characters.
    pub count: u64,
    /// The first such character, and the number of its game.
    pub first: Option<(char, i64)>,
}

impl Replaced {
    /// Adds the missing characters of a game.
    pub fn note(&mut self, missing: Missing, game: i64) {
        self.count += missing.count;
        self.first = self.first.or(missing.first.map(|letter| (letter, game)));
    }

    /// Adds the missing characters of games whose numbers start `before` games later.
    pub fn append(&mut self, next: &Replaced, before: i64) {
        self.count += next.count;
        self.first = self
            .first
            .or(next.first.map(|(letter, game)| (letter, before + game)));
    }
}

impl ByteStyle {
    /// `true` if text is written unchanged.
    pub fn is_plain(self) -> bool {
        self == ByteStyle::default()
    }

    /// Appends a text.
    pub fn write(self, text: &str, out: &mut Vec<u8>) -> Missing {
        if self.crlf {
            self.encoding.encode(&with_crlf(text), out)
        } else {
            self.encoding.encode(text, out)
        }
    }
}

/// The assumed average length of a line. For shorter lines, the buffer grows.
const LINE_BYTES: usize = 32;

/// A text with a carriage return before every line feed.
fn with_crlf(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() + text.len() / LINE_BYTES);
    let mut from = 0;

    for newline in memchr_iter(b'\n', text.as_bytes()) {
        let line = &text[from..newline];
        lines.push_str(line.strip_suffix('\r').unwrap_or(line));
        lines.push_str("\r\n");
        from = newline + 1;
    }

    lines.push_str(&text[from..]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! writes {
        ($($name:ident: $encoding:literal, $crlf:literal, $text:literal => $bytes:literal, $missing:literal;)*) => {$(
            #[test]
            fn $name() {
                let encoding = Encoding::from_name($encoding).expect("an encoding");
                let mut out = Vec::new();
                let missing = ByteStyle { encoding, crlf: $crlf }.write($text, &mut out);
                assert_eq!((&out[..], missing.count), (&$bytes[..], $missing));
            }
        )*};
    }

    writes! {
        plain: "utf-8", false, "Réti\n" => b"R\xc3\xa9ti\n", 0;
        lines_of_dos: "utf-8", true, "a\nb\r\n\nc" => b"a\r\nb\r\n\r\nc", 0;
        western: "windows-1252", true, "Réti\n" => b"R\xe9ti\r\n", 0;
        what_is_missing: "cp1251", false, "♘f3 Réti" => b"?f3 R?ti", 2;
    }

    #[test]
    fn the_first_place_stays() {
        let mut replaced = Replaced::default();
        replaced.note(Missing::default(), 1);
        replaced.note(
            Missing {
                count: 2,
                first: Some('♘'),
            },
            2,
        );
        replaced.note(
            Missing {
                count: 1,
                first: Some('é'),
            },
            3,
        );
        assert_eq!(
            replaced,
            Replaced {
                count: 3,
                first: Some(('♘', 2))
            }
        );
    }
}

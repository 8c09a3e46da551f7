//! A writer for text on a terminal, which replaces control characters.

use std::io::{self, Write};

use super::printable::printable_lines;

/// A writer that replaces control characters in UTF-8, as [`printable_lines`] does.
///
/// In text in another encoding, letters outside ASCII are not valid UTF-8. Such bytes are written unchanged. The
/// control characters of ASCII are replaced as in UTF-8.
#[derive(Debug)]
pub(super) struct TerminalText<W: Write> {
    terminal: W,
    /// The first bytes of a character whose last bytes have not arrived yet.
    incomplete: Vec<u8>,
}

impl<W: Write> TerminalText<W> {
    /// A writer to a terminal.
    pub(super) fn new(terminal: W) -> TerminalText<W> {
        TerminalText {
            terminal,
            incomplete: Vec::new(),
        }
    }
}

impl<W: Write> Write for TerminalText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.incomplete);
        text.extend_from_slice(bytes);

        let (shown, incomplete) = sanitized(&text);
        self.incomplete = incomplete.to_vec();
        self.terminal.write_all(&shown)?;
        Ok(bytes.len())
    }

    /// Does not write an incomplete character: otherwise a control character could be written byte by byte.
    fn flush(&mut self) -> io::Result<()> {
        self.terminal.flush()
    }
}

impl<W: Write> Drop for TerminalText<W> {
    /// Writes the bytes of a character that was never completed.
    fn drop(&mut self) {
        let _ = self.terminal.write_all(&self.incomplete);
    }
}

/// The text with control characters replaced, and the incomplete character at its end.
fn sanitized(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut shown = Vec::with_capacity(text.len());
    let mut rest = text;

    loop {
        let error = match str::from_utf8(rest) {
            Ok(text) => {
                shown.extend_from_slice(printable_lines(text).as_bytes());
                return (shown, &[]);
            }
            Err(error) => error,
        };
        let (valid, behind) = rest.split_at(error.valid_up_to());
        let text = str::from_utf8(valid).unwrap_or_default();
        shown.extend_from_slice(printable_lines(text).as_bytes());

        // An error without a length means that the text ends within a character.
        let Some(error_bytes) = error.error_len() else {
            return (shown, behind);
        };
        let (invalid, next) = behind.split_at(error_bytes);
        shown.extend_from_slice(invalid);
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes some pieces one by one, with a flush after each piece. Returns the bytes that the terminal receives.
    fn written<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
        let mut terminal = Vec::new();
        let mut out = TerminalText::new(&mut terminal);
        for piece in pieces {
            out.write_all(piece).expect("memory");
            out.flush().expect("memory");
        }
        drop(out);
        terminal
    }

    macro_rules! shows {
        ($($name:ident: $text:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                let (text, expected): (&[u8], &[u8]) = ($text.as_ref(), $expected.as_ref());
                assert_eq!(written([text]), expected);
                assert_eq!(written(text.chunks(1)), expected);
                for at in 0..=text.len() {
                    let (first, second) = text.split_at(at);
                    assert_eq!(written([first, second]), expected, "cut at {at}");
                }
            }
        )*};
    }

    shows! {
        lines: "[White \"Tal\"]\n\n1. e4\te5\n" => "[White \"Tal\"]\n\n1. e4\te5\n";
        letters: "Réti ♘f3 谢军 🙂 N̂\n" => "Réti ♘f3 谢军 🙂 N̂\n";
        escapes: "a\u{1b}]0;title\u{7}b\u{1b}[2J\n" => "a ]0;title b [2J\n";
        c0_controls: "a\0\u{1}\u{8}\r\n\u{1f}\u{7f}b" => "a    \n  b";
        c1_controls: "a\u{9b}31mb\u{85}c" => "a 31mb c";
        separators: "a\u{2028}b\u{2029}c" => "a b c";
        another_direction: "a\u{202e}b\u{2066}c\u{200b}d" => "a\u{fffd}b\u{fffd}c\u{fffd}d";
        latin1: b"R\xe9ti \x1b[31m \xe9\xe8\n" => b"R\xe9ti  [31m \xe9\xe8\n";
        latin1_at_the_end: b"\x1bR\xe9" => b" R\xe9";
        first_bytes_of_characters: b"\xe2\x1b\xe2\x80\x1b\xf0\x9f\x99\x1b" =>
            b"\xe2 \xe2\x80 \xf0\x9f\x99 ";
        first_bytes_at_the_end: b"a\xf0\x9f\x99" => b"a\xf0\x9f\x99";
        nothing: "" => "";
    }

    #[test]
    fn no_control_character_of_ascii_passes() {
        let mut controls: Vec<u8> = (0..b' ').collect();
        controls.push(0x7f);
        controls.retain(|byte| !matches!(byte, b'\n' | b'\t'));

        for control in controls {
            for before in [&b"a"[..], b"\xc3", b"\xe2\x80", b"\xff", "é".as_bytes()] {
                let text = [before, &[control]].concat();
                let expected = [before, b" "].concat();
                assert_eq!(written([&*text]), expected, "{text:?}");
            }
        }
    }
}

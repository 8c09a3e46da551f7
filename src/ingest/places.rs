//! Maps offsets in a batch's text to places in its source.

use std::ops::Range;

use memchr::{memchr_iter, memrchr};

use crate::input::utf16_bytes;

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The byte range.
    pub(crate) bytes: Range<u64>,
    /// The line on which the range begins, from 1.
    pub(crate) line: u64,
    /// The byte column in the line, from 1.
    pub(crate) column: u64,
}

/// Maps text ranges to lines, columns and offsets.
///
/// The text is scanned from the current offset, forwards or backwards, because ranges are requested nearly in order.
pub(crate) struct Places<'t> {
    pub(crate) text: &'t [u8],
    /// The end of the batch, in the text and in the source.
    pub(crate) end: (usize, u64),
    /// `true` if the source is UTF-16.
    pub(crate) is_utf16: bool,
    pub(crate) newline: u8,
    /// The current offset in the text.
    pub(crate) at: usize,
    /// The current offset in the source.
    pub(crate) byte: u64,
    /// The current line.
    pub(crate) line: u64,
    /// The offset in the source at which the current line begins.
    pub(crate) begins: u64,
}

impl Places<'_> {
    /// The place of a range of the text.
    pub(crate) fn place(&mut self, range: Range<usize>) -> Place {
        self.go_to(range.start);
        let (text_end, source_end) = self.end;

        // UTF-16 may end with a surplus byte, so the offset computed from the text may be behind the end of the source.
        let start = self.byte.min(source_end);
        let end = if range.end == text_end {
            source_end
        } else {
            source_end.min(self.byte + self.length(range))
        };

        Place {
            bytes: start..end,
            line: self.line,
            column: self.byte - self.begins + 1,
        }
    }

    /// The byte range in the source of a range of the text.
    pub(crate) fn bytes(&mut self, range: Range<usize>) -> Range<u64> {
        if self.is_utf16 {
            return self.place(range).bytes;
        }

        // Offsets in the text and in the source differ by a constant, so nothing is scanned. The addition comes first,
        // since the range may be before the current offset.
        let byte = |at: usize| self.byte + at as u64 - self.at as u64;
        byte(range.start)..byte(range.end)
    }

    /// The length in the source of a range of the text.
    fn length(&self, range: Range<usize>) -> u64 {
        if self.is_utf16 {
            utf16_bytes(&self.text[range])
        } else {
            range.len() as u64
        }
    }

    /// Moves the current offset in the text, and with it the offset in the source and the line.
    fn go_to(&mut self, at: usize) {
        // The start of the line changes only if a newline is passed.
        if at >= self.at {
            let passed = &self.text[self.at..at];
            self.line += memchr_iter(self.newline, passed).count() as u64;
            self.byte += self.length(self.at..at);

            if let Some(newline) = memrchr(self.newline, passed) {
                let line_start = self.at + newline + 1;
                self.begins = self.byte - self.length(line_start..at);
            }
        } else {
            let lines = memchr_iter(self.newline, &self.text[at..self.at]).count() as u64;
            self.line -= lines;
            self.byte -= self.length(at..self.at);

            if lines > 0 {
                let newline = memrchr(self.newline, &self.text[..at]);
                let line_start = newline.map_or(0, |newline| newline + 1);
                self.begins = self.byte - self.length(line_start..at);
            }
        }

        self.at = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, is_utf16: bool) -> Places<'_> {
        let text = text.as_bytes();
        let end = (text.len(), if is_utf16 { 20 } else { 13 });
        Places {
            text,
            end,
            is_utf16,
            newline: b'\n',
            at: 0,
            byte: 0,
            line: 1,
            begins: 0,
        }
    }

    macro_rules! finds {
        ($($name:ident: $is_utf16:literal, $places:expr;)*) => {$(
            #[test]
            fn $name() {
                let mut places = places("é😀\nab\n\ncd", $is_utf16);
                for (at, byte, line, column) in $places {
                    let place = places.place(at..at);
                    assert_eq!((place.bytes.start, place.line, place.column), (byte, line, column));
                }
            }
        )*};
    }

    // Each place is an offset in the text, and the offset, line and column in the source.
    finds! {
        forwards_and_back: false, [(8, 8, 2, 2), (2, 2, 1, 3), (12, 12, 4, 2), (7, 7, 2, 1)];
        of_utf16: true, [(8, 10, 2, 3), (2, 2, 1, 3), (12, 18, 4, 3), (7, 8, 2, 1)];
    }
}

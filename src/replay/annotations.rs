//! Comments, NAGs and variations of a game as one JSON text.
//!
//! `docs/annotations.md` describes the form. The text is an object. Its keys are half-moves of the
//! mainline already played (`"0"` is before the first move), its values are arrays of strings, in
//! the order of the file. The first character of a string says what it is: `{` a comment, `$` a NAG,
//! `(` and `)` the ends of a variation, an alternative to the move before, `%` a line that readers pass
//! over (PGN §6); anything else is a move of a variation in canonical SAN.
//!
//! ```json
//! {"0": ["{Played in Paris."], "3": ["$1", "(", "d4", "exd4", "{a gambit", ")"]}
//! ```
//!
//! Line breaks in comments have become spaces. Flat arrays, and not nested ones, since people nest variations deeper than readers of JSON go.

use std::borrow::Cow;

use memchr::memchr2;

/// Writes the JSON text as a game is read.
#[derive(Debug, Default)]
pub(super) struct AnnotationWriter {
    json: Vec<u8>,
    ply: Option<u32>,
}

impl AnnotationWriter {
    /// Adds one string at a number of half-moves, which never goes down.
    pub(super) fn push(&mut self, ply: u32, mark: &str, text: &str) {
        if self.ply == Some(ply) {
            self.json.push(b',');
        } else {
            let before = if self.json.is_empty() { "{\"" } else { "],\"" };
            self.json.extend_from_slice(before.as_bytes());
            self.json.extend_from_slice(ply.to_string().as_bytes());
            self.json.extend_from_slice(b"\":[");
            self.ply = Some(ply);
        }
        write_json_string(&mut self.json, mark, text);
    }

    /// The whole text, empty when there is nothing in it.
    pub(super) fn finish(mut self) -> String {
        if !self.json.is_empty() {
            self.json.extend_from_slice(b"]}");
        }
        String::from_utf8(self.json).unwrap_or_default()
    }
}

/// The moves of all variations, from the whole text.
pub(super) fn move_texts(json: &str) -> impl Iterator<Item = &str> {
    let mut rest = json;
    std::iter::from_fn(move || {
        loop {
            let (_, string) = rest.split_once('"')?;
            let end = string_end(string)?;
            rest = &string[end + 1..];
            if string[..end].starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Some(&string[..end]);
            }
        }
    })
}

/// Where the closing quotation mark of a JSON string stands.
fn string_end(string: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr2(b'"', b'\\', string.as_bytes().get(from..)?)?;
        if string.as_bytes()[at] == b'"' {
            return Some(at);
        }
        from = at + 2;
    }
}

/// A text with its line breaks as spaces: lines of PGN end where a writer found no room, so that in
/// comments the two mean the same.
pub(crate) fn unbroken(text: &str) -> Cow<'_, str> {
    match memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace("\r\n", " ").replace(['\n', '\r'], " ")),
        None => Cow::Borrowed(text),
    }
}

/// Appends the JSON string of two texts put together.
pub(crate) fn write_json_string(out: &mut Vec<u8>, first: &str, second: &str) {
    out.push(b'"');
    escape_json(out, first);
    escape_json(out, second);
    out.push(b'"');
}

fn escape_json(out: &mut Vec<u8>, text: &str) {
    let mut written = 0;
    for (i, byte) in text.bytes().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0..0x20 => {
                out.extend_from_slice(&text.as_bytes()[written..i]);
                out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
                written = i + 1;
                continue;
            }
            _ => continue,
        };
        out.extend_from_slice(&text.as_bytes()[written..i]);
        out.extend_from_slice(escape);
        written = i + 1;
    }
    out.extend_from_slice(&text.as_bytes()[written..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_from_a_json_reader() {
        for text in ["", "plain", "\"quoted\" \\ and\nlines\r\t", "\u{0}\u{1f}é♞"] {
            let mut json = Vec::new();
            write_json_string(&mut json, "{", text);
            let back: String = serde_json::from_slice(&json).expect("valid JSON");
            assert_eq!(back, format!("{{{text}"));
        }
    }

    #[test]
    fn strings_of_a_ply_stand_together() {
        let mut writer = AnnotationWriter::default();
        writer.push(0, "{", "first");
        writer.push(2, "$", "1");
        writer.push(2, "(", "");
        assert_eq!(writer.finish(), r#"{"0":["{first"],"2":["$1","("]}"#);
    }
}

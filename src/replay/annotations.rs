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
    /// What to reserve for the first string: games without any take no memory.
    text_bytes: usize,
}

impl AnnotationWriter {
    /// Prepares for the annotations of a text with so many bytes.
    pub(super) fn of_text(bytes: usize) -> AnnotationWriter {
        AnnotationWriter { text_bytes: bytes, ..AnnotationWriter::default() }
    }

    /// Adds one string at a number of half-moves, which never goes down.
    pub(super) fn push(&mut self, ply: u32, mark: &str, text: &str) {
        self.turn_to(ply);
        write_json_string(&mut self.json, mark, text);
    }

    /// Adds a comment, its line breaks as spaces, in the same way.
    pub(super) fn push_comment(&mut self, ply: u32, text: &str) {
        self.turn_to(ply);
        self.json.extend_from_slice(b"\"{");
        let mut rest = text;
        while let Some(end) = memchr2(b'\n', b'\r', rest.as_bytes()) {
            escape_json(&mut self.json, &rest[..end]);
            self.json.push(b' ');
            let line_break = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
            rest = &rest[end + line_break..];
        }
        escape_json(&mut self.json, rest);
        self.json.push(b'"');
    }

    fn turn_to(&mut self, ply: u32) {
        if self.ply == Some(ply) {
            self.json.push(b',');
        } else {
            let before = if self.json.is_empty() { "{\"" } else { "],\"" };
            if self.json.is_empty() {
                self.json.reserve(self.text_bytes);
            }
            self.json.extend_from_slice(before.as_bytes());
            self.json.extend_from_slice(ply.to_string().as_bytes());
            self.json.extend_from_slice(b"\":[");
            self.ply = Some(ply);
        }
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
    // Few texts have anything to escape, and looking without stopping takes many bytes at once.
    if !text.bytes().fold(false, |any, byte| any | needs_escape(byte)) {
        return out.extend_from_slice(text.as_bytes());
    }
    text.bytes().for_each(|byte| escape_byte(out, byte));
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn escape_byte(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        _ => out.push(byte),
    }
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
    fn line_breaks_of_comments_are_spaces() {
        let text = "one\ntwo\r\nthree\rfour\n\r\"five\"\n";
        let mut writer = AnnotationWriter::default();
        writer.push_comment(0, text);
        let json = writer.finish();
        assert_eq!(json, r#"{"0":["{one two three four  \"five\" "]}"#);
        assert_eq!(unbroken(text), "one two three four  \"five\" ");
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

//! JSON strings, written by hand because there are millions of them.

/// Appends a JSON string.
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    write_escaped(out, text);
    out.push(b'"');
}

/// Appends the content of a JSON string, without quotation marks.
pub(super) fn write_escaped(out: &mut Vec<u8>, text: &str) {
    // Few texts have anything to escape, and a fold without early exit is vectorized.
    let has_escapes = text
        .bytes()
        .fold(false, |any, byte| any | needs_escape(byte));
    if !has_escapes {
        out.extend_from_slice(text.as_bytes());
        return;
    }

    for byte in text.bytes() {
        write_byte(out, byte);
    }
}

/// `true` if JSON requires an escape for a byte in a string.
fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Appends a byte of a string, as an escape if JSON requires it.
fn write_byte(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        0..0x20 => {
            let escape = format!("\\u{byte:04x}");
            out.extend_from_slice(escape.as_bytes());
        }
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
            write_string(&mut json, text);
            let back: String = serde_json::from_slice(&json).expect("valid JSON");
            assert_eq!(back, text);
        }
    }
}

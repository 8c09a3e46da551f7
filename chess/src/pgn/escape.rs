//! Text between games, read from and written as escape lines: lines beginning with `%`, which PGN readers skip (PGN
//! §6).

use super::split::BYTE_ORDER_MARK;

/// The contents of a text between games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextBetween {
    /// The lines of the text, without leading `%` and without blank lines at either end.
    pub text: String,
    /// The offset of the first line that is not an escape line, and so is not valid PGN.
    pub stray: Option<usize>,
}

/// Reads a text between games.
///
/// ```
/// use stamma_chess::pgn::{read_between, write_between};
/// let read = read_between("%from the archive\r\nof a club\r\n\r\n");
/// assert_eq!(read.text, "from the archive\nof a club");
/// assert_eq!(read.stray, Some(19));
/// let mut out = Vec::new();
/// write_between(&read.text, &mut out);
/// assert_eq!(out, b"%from the archive\n%of a club\n\n");
/// ```
pub fn read_between(text: &str) -> TextBetween {
    let start = if text.as_bytes().starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };

    let mut lines: Vec<&str> = Vec::new();
    let mut stray = None;
    let mut end = start;
    for line in text[start..].split_inclusive(['\n', '\r']) {
        let at = end;
        end += line.len();

        // The line feed of `\r\n` ends no second line.
        let is_second_half = line == "\n" && text[..at].ends_with('\r');
        if is_second_half {
            continue;
        }

        let bare = line.trim_end_matches(['\n', '\r']);
        let escaped = bare.strip_prefix('%');
        if escaped.is_none() && !is_blank(bare) && stray.is_none() {
            stray = Some(at);
        }
        lines.push(escaped.unwrap_or(bare));
    }

    let first_text = lines.iter().position(|line| !is_blank(line));
    let last_text = lines.iter().rposition(|line| !is_blank(line));

    let first = first_text.unwrap_or(lines.len());
    let behind_last = last_text.map_or(first, |last| last + 1);
    TextBetween {
        text: lines[first..behind_last].join("\n"),
        stray,
    }
}

/// `true` for a line of white space.
fn is_blank(line: &str) -> bool {
    line.trim_ascii().is_empty()
}

/// Appends a text between games, followed by a blank line; the inverse of [`read_between`].
///
/// Blank lines stay blank, so that consecutive texts, read as one, are written back unchanged.
pub fn write_between(text: &str, out: &mut Vec<u8>) {
    if text.is_empty() {
        return;
    }

    for line in text.split('\n') {
        if !line.is_empty() {
            out.push(b'%');
            out.extend_from_slice(line.as_bytes());
        }
        out.push(b'\n');
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! comes_back {
        ($($name:ident: $source:expr => $text:expr, $stray:expr;)*) => {$(
            #[test]
            fn $name() {
                let read = read_between($source);
                assert_eq!((read.text.as_str(), read.stray), ($text, $stray));
                let mut out = Vec::new();
                write_between(&read.text, &mut out);
                let again = read_between(str::from_utf8(&out).expect("UTF-8"));
                assert_eq!(again, TextBetween { text: read.text, stray: None });
            }
        )*};
    }

    comes_back! {
        nothing: "" => "", None;
        blank: " \n\t\n" => "", None;
        sign_alone: "%\n" => "", None;
        a_line: "hello\n" => "hello", Some(0);
        escaped: "% hello\n" => " hello", None;
        escaped_twice: "%%hello" => "%hello", None;
        indented_sign: "x\n %y" => "x\n %y", Some(0);
        blank_lines_within: "\n%a\n\n \n% \n%b\n%\n" => "a\n\n \n \nb", None;
        line_ends: "%a\r\n%b\r%c\n\r\nd" => "a\nb\nc\n\nd", Some(12);
        byte_order_mark: "\u{feff}%a\n" => "a", None;
        tag_pair: "%[Event \"x\"]\n" => "[Event \"x\"]", None;
        comment: "; a } {\n" => "; a } {", Some(0);
    }
}

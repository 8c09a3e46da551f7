//! Sanitizing of text from files, names and messages before it is printed: a terminal must not interpret any of it.

use std::borrow::Cow;
use std::fmt::Write;

/// The replacement for an invisible character.
const INVISIBLE: char = '\u{fffd}';

/// A text on one line, without characters that a terminal would interpret.
///
/// Control characters and line separators, which move the cursor or change colours, become spaces. Characters that are
/// invisible, or reorder the text beside them, become U+FFFD.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }

    let replaced = text.chars().map(printable_letter).collect();
    Cow::Owned(replaced)
}

/// Like [`printable`], for a text of several lines. Newlines and tabs are kept.
pub(super) fn printable_lines(text: &str) -> Cow<'_, str> {
    let stays = |letter: char| matches!(letter, '\n' | '\t') || is_printable(letter);
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }

    let letters = text.chars().map(|letter| {
        if stays(letter) {
            letter
        } else {
            printable_letter(letter)
        }
    });
    Cow::Owned(letters.collect())
}

/// An equivalent JSON text, with escapes for characters that a terminal would interpret. Newlines between JSON texts
/// are kept.
pub(super) fn printable_json(json: &str) -> Cow<'_, str> {
    let stays = |letter: char| letter == '\n' || is_printable(letter);
    if json.chars().all(stays) {
        return Cow::Borrowed(json);
    }

    // Few letters of a text need an escape.
    let mut text = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if stays(letter) {
            text.push(letter);
            continue;
        }

        // Above U+FFFF, an escape is a pair of surrogates in UTF-16 (RFC 8259, §7).
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    Cow::Owned(text)
}

/// The character itself if it is printable, otherwise its replacement.
fn printable_letter(letter: char) -> char {
    if is_printable(letter) {
        letter
    } else if is_control(letter) {
        ' '
    } else {
        INVISIBLE
    }
}

/// `true` for a character that is neither a control character nor invisible.
fn is_printable(letter: char) -> bool {
    let is_ascii_sign = matches!(letter, ' '..='~');
    is_ascii_sign || !(is_control(letter) || is_invisible(letter))
}

/// `true` for control characters (C0, DEL and C1), and the separators of lines and paragraphs.
fn is_control(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// `true` for invisible characters: Unicode's general category Cf without the visible characters in it, such as the
/// Arabic number sign, and other characters that fonts do not draw. The bidirectional controls (UAX #9, §2), the
/// zero-width joiners and the Hangul fillers are invisible.
fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::is_combining_mark;
    use unicode_width::UnicodeWidthChar;

    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_replaced() {
        let text = "a\u{1b}[31mb\u{9b}c\u{202e}d\u{2066}e\u{200d}f\u{2028}g\nh\u{e0041}";
        let replaced = "a [31mb c\u{fffd}d\u{fffd}e\u{fffd}f g h\u{fffd}";
        assert_eq!(printable(text), replaced);
    }

    #[test]
    fn lines_stay_lines() {
        let text = "a\tb\r\nc\u{1b}[31md\u{85}e\u{202e}\n";
        assert_eq!(printable_lines(text), "a\tb \nc [31md e\u{fffd}\n");

        let unchanged = printable_lines("a\tb\n♘f3 Réti\n");
        assert!(matches!(unchanged, Cow::Borrowed(_)));
    }

    #[test]
    fn letters_marks_and_signs_stay() {
        for text in [
            "Müller",
            "Réti",
            "Карпов",
            "♘f3 ⩲ ½",
            "नमस्ते",
            "谢军",
            "N̂f3",
            "❤\u{fe0f}",
        ] {
            let is_unchanged = matches!(printable(text), Cow::Borrowed(same) if same == text);
            assert!(is_unchanged, "{text}");
        }
    }

    #[test]
    fn json_means_the_same() {
        let values = [
            "\u{1b}\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}x",
            "Müller",
            "line\nbreak",
        ];
        let json = serde_json::to_string(&values).expect("JSON") + "\n";

        let safe = printable_json(&json);
        let is_safe = |letter: char| letter == '\n' || is_printable(letter);
        assert!(safe.chars().all(is_safe), "{safe:?}");

        let parsed: [String; 3] = serde_json::from_str(&safe).expect("JSON");
        assert_eq!(parsed, values);
    }

    /// Characters that are drawn, but have no width of their own: vowels of Hangul, signs before numbers, first parts
    /// of syllables.
    fn is_drawn(letter: char) -> bool {
        matches!(
            letter,
            '\u{605}'
                | '\u{70f}'
                | '\u{890}'..='\u{891}'
                | '\u{8e2}'
                | '\u{d4e}'
                | '\u{1160}'..='\u{11ff}'
                | '\u{a8fa}'
                | '\u{d7b0}'..='\u{d7fb}'
                | '\u{111c2}'..='\u{111c3}'
                | '\u{113d1}'
                | '\u{1193f}'..='\u{11941}'
                | '\u{11a84}'..='\u{11a89}'
                | '\u{11d46}'
                | '\u{11f02}'
        )
    }

    #[test]
    fn all_that_has_no_width_is_replaced_but_for_marks() {
        for letter in '\u{a0}'..=char::MAX {
            let has_no_width = letter.width() == Some(0);
            let is_visible = is_combining_mark(letter) || is_drawn(letter);
            if has_no_width && !is_visible {
                assert!(!is_printable(letter), "U+{:04X}", u32::from(letter));
            }
        }
    }
}

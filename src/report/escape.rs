//! Text from games in HTML and Markdown: the one place where it is escaped.

use std::fmt::Write;

/// The replacement for a character that reorders the text beside it.
const REORDERING: char = '\u{fffd}';

/// A text as HTML has it, in elements and in attributes between double quotes.
pub(super) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for letter in text.chars().map(harmless) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The same in an element. Words that are written from right to left would turn numbers and signs beside them.
pub(super) fn html_text(text: &str) -> String {
    let escaped = html(text);
    match text.chars().any(is_right_to_left) {
        true => format!("<bdi dir=\"ltr\">{escaped}</bdi>"),
        false => escaped,
    }
}

/// A letter of a script that is written from right to left: those of the blocks from Hebrew to Arabic Extended-A, their
/// presentation forms, and the blocks that Unicode keeps for such scripts (Unicode 16, DerivedBidiClass.txt).
fn is_right_to_left(letter: char) -> bool {
    matches!(letter,
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

/// A text as Markdown has it within a line (CommonMark 0.31, with the tables of GitHub), that is none of its marks.
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for letter in text.chars().map(harmless) {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$'
        ) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// The same at the beginning of a block, where `1. e4` would be a list and `#` a heading.
pub(super) fn markdown_block(text: &str) -> String {
    let escaped = markdown(text);
    let text = escaped.trim_start();
    let digits = text.len()
        - text
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .len();
    let mut line = String::with_capacity(text.len() + 1);
    match text[digits..].chars().next() {
        Some('.' | ')') if digits > 0 => {
            let _ = write!(line, "{}\\{}", &text[..digits], &text[digits..]);
        }
        Some('#' | '+' | '-' | '=' | ':') if digits == 0 => {
            let _ = write!(line, "\\{text}");
        }
        _ => line.push_str(text),
    }
    line
}

/// A character on one line that cannot change the direction of the text after it.
fn harmless(letter: char) -> char {
    match letter {
        '\u{200e}' | '\u{200f}' | '\u{61c}' => REORDERING,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => REORDERING,
        '\u{2028}' | '\u{2029}' => ' ',
        letter if letter.is_control() => ' ',
        letter => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_markup() {
        assert_eq!(
            html("<b>\"A&B\" 'x'"),
            "&lt;b&gt;&quot;A&amp;B&quot; &#39;x&#39;"
        );
        assert_eq!(html("a\u{0}b\nc\u{202e}d"), "a b c\u{fffd}d");
    }

    #[test]
    fn words_from_right_to_left_turn_nothing_beside_them() {
        assert_eq!(html_text("Réti – Cox"), "Réti – Cox");
        assert_eq!(
            html_text("כהן & לוי"),
            "<bdi dir=\"ltr\">כהן &amp; לוי</bdi>"
        );
        assert_eq!(html_text("\u{202e}0-1"), "\u{fffd}0-1");
    }

    macro_rules! written {
        ($($name:ident: $text:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(markdown_block($text), $expected);
            }
        )*};
    }

    written! {
        names: "Réti, Richard" => "Réti, Richard";
        marks: "*a* _b_ `c` ~d~" => "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~";
        links: "[a](b) <c> ![d]" => "\\[a\\](b) \\<c\\> !\\[d\\]";
        cells: "a|b\\" => "a\\|b\\\\";
        entities: "&amp;" => "\\&amp;";
        lists: "1. e4 e5" => "1\\. e4 e5";
        bullets: "- x" => "\\- x";
        headings: "# x" => "\\# x";
        numbers: "12 games" => "12 games";
        lines: "a\nb\r\n# c" => "a b  # c";
        spaces: "    code" => "code";
        nothing: "" => "";
    }
}

//! Escapes text from games for HTML and Markdown. All escaping for reports is done here.

/// The replacement for a character that reorders adjacent text.
const REORDERING: char = '\u{fffd}';

/// A text escaped for HTML, in elements and in attributes between double quotes.
pub(super) fn html(text: &str) -> String {
    let mut escaped = with_room_for(text);
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

/// A text escaped for HTML, in elements only. A text with words from right to left is isolated, as it would reorder the
/// numbers and signs beside it.
pub(super) fn html_text(text: &str) -> String {
    let escaped = html(text);
    if text.chars().any(is_right_to_left) {
        format!("<bdi dir=\"ltr\">{escaped}</bdi>")
    } else {
        escaped
    }
}

/// A letter of a script that is written from right to left: the blocks from Hebrew to Arabic Extended-A, their
/// presentation forms, and the blocks that Unicode reserves for such scripts (Unicode 16, DerivedBidiClass.txt).
fn is_right_to_left(letter: char) -> bool {
    matches!(letter,
        // Hebrew to Arabic Extended-A
        '\u{590}'..='\u{8ff}'
        // presentation forms
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        // reserved for scripts from right to left
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

/// A text within a line of Markdown, without any markup (CommonMark 0.31, with the tables of GitHub).
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = with_room_for(text);
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

/// A text at the beginning of a block of Markdown, where `1. e4` would be a list and `#` a heading.
pub(super) fn markdown_block(text: &str) -> String {
    block_beginning(&markdown(text))
}

/// A line of Markdown at the beginning of a block, escaped so that the block is a paragraph. The text in the line has
/// been escaped before.
pub(super) fn block_beginning(markdown: &str) -> String {
    // Four spaces at the beginning would be a block of code.
    let line = markdown.trim_start();
    let behind_digits = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &line[..line.len() - behind_digits.len()];
    let mark = behind_digits.chars().next();

    // Digits before a point or a parenthesis are the number of a list's item.
    let is_numbered_item = !digits.is_empty() && matches!(mark, Some('.' | ')'));
    if is_numbered_item {
        return format!("{digits}\\{behind_digits}");
    }

    let begins_block = digits.is_empty() && matches!(mark, Some('#' | '+' | '-' | '=' | ':'));
    if begins_block {
        return format!("\\{line}");
    }
    line.to_owned()
}

/// An empty text with room for another text and some escapes.
fn with_room_for(text: &str) -> String {
    String::with_capacity(text.len() + text.len() / 8)
}

/// The character, or the replacement of a character that ends the line or changes the direction of the text.
fn harmless(letter: char) -> char {
    match letter {
        // Marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm, and the byte order mark.
        '\u{200e}' | '\u{200f}' | '\u{61c}' => REORDERING,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => REORDERING,
        // Separators of lines and paragraphs would end a heading or a cell of a table.
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
        let markup = html("<b>\"A&B\" 'x'");
        assert_eq!(markup, "&lt;b&gt;&quot;A&amp;B&quot; &#39;x&#39;");

        let controls = html("a\u{0}b\nc\u{202e}d");
        assert_eq!(controls, "a b c\u{fffd}d");
    }

    #[test]
    fn words_from_right_to_left_turn_nothing_beside_them() {
        let hebrew = html_text("כהן & לוי");
        assert_eq!(hebrew, "<bdi dir=\"ltr\">כהן &amp; לוי</bdi>");

        assert_eq!(html_text("Réti – Cox"), "Réti – Cox");
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

//! The moves of a game laid out for reading, with comments and variations apart from the mainline.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::cli::printable::printable;
use crate::cli::terminal::has_plain_letters;
use stamma::board::{Color, Setup};
use stamma::export::text_of_comment;
use stamma::game::{Annotation, Game, Lines, Step};
use stamma::notation::shown_sign;

/// The maximum width of a line that is easy to read.
pub(super) const MAX_COLUMNS: usize = 100;

/// Words between which a line may break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paragraph {
    words: Vec<String>,
    /// `true` for the mainline; comments and variations are indented.
    is_main: bool,
}

impl Paragraph {
    /// A text with normalized spaces.
    pub(super) fn plain(text: &str) -> Paragraph {
        let words = printable(text)
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        Paragraph {
            words,
            is_main: false,
        }
    }
}

/// The mainline in parts, with the comments and variations between the parts. Nested variations are in parentheses, and
/// comments in variations in braces. Commands such as `[%clk 0:03:00]` are omitted.
pub(super) fn paragraphs(game: &Game<'_>, start: &Setup) -> Vec<Paragraph> {
    let mut builder = ParagraphBuilder::new(start);
    for (_, step) in game.steps() {
        match step {
            Step::Mainline(san) => builder.add_move(san),
            Step::Annotation(annotation) => builder.add_annotation(annotation),
        }
    }

    if let Some(rest) = game.rest.as_deref() {
        builder.add_aside(&format!("not understood: {rest}"));
    }
    builder.add_word(game.result.as_str(), true);

    builder
        .paragraphs
        .retain(|paragraph| !paragraph.words.is_empty());
    builder.paragraphs
}

/// A builder of paragraphs.
struct ParagraphBuilder {
    paragraphs: Vec<Paragraph>,
    /// The number of half-moves of each open line, from the move number of the start position on.
    plies: Lines<u64>,
    /// Text to attach to the next word: `(`.
    prefix: String,
    /// `true` if a move of Black needs its number because of an interruption.
    is_interrupted: bool,
}

impl ParagraphBuilder {
    fn new(start: &Setup) -> ParagraphBuilder {
        // A FEN may have the full-move number 0, though games begin with 1 (PGN §16.1.3.6).
        let moves_before = u64::from(start.fullmove_number.max(1)) - 1;
        let plies_before = 2 * moves_before + u64::from(start.turn == Color::Black);
        ParagraphBuilder {
            paragraphs: Vec::new(),
            plies: Lines::new(plies_before),
            prefix: String::new(),
            is_interrupted: true,
        }
    }

    /// Adds a word to the last paragraph. Begins a paragraph if the last paragraph is of the other kind, mainline or
    /// annotation.
    fn add_word(&mut self, word: &str, is_main: bool) {
        let prefix = std::mem::take(&mut self.prefix);
        let prefixed = prefix + &printable(word);

        match self.paragraphs.last_mut() {
            Some(last) if last.is_main == is_main => last.words.push(prefixed),
            _ => self.paragraphs.push(Paragraph {
                words: vec![prefixed],
                is_main,
            }),
        }
    }

    /// Adds a move, with its move number if it is White's or follows an interruption.
    fn add_move(&mut self, san: &str) {
        let ply = *self.plies.here();
        let number = ply / 2 + 1;
        let is_white = ply.is_multiple_of(2);

        let text = if is_white {
            format!("{number}. {san}")
        } else if self.is_interrupted {
            format!("{number}... {san}")
        } else {
            san.to_owned()
        };
        self.add_word(&text, self.is_in_mainline());

        self.plies.play(|ply| *ply += 1);
        self.is_interrupted = false;
    }

    /// `true` outside of variations.
    fn is_in_mainline(&self) -> bool {
        self.plies.depth() == 0
    }

    /// Adds an annotation. Escape lines are omitted.
    fn add_annotation(&mut self, annotation: Annotation<'_>) {
        match annotation {
            Annotation::Move(san) => self.add_move(san),
            Annotation::Comment(text) => self.add_comment(text),
            Annotation::Nag(nag) => self.add_nag(nag),
            Annotation::BeginVariation => self.begin_variation(),
            Annotation::EndVariation => self.end_variation(),
            Annotation::EscapedLine(_) => {}
        }
    }

    /// Adds the text of a comment without its commands; nothing if it has commands only.
    fn add_comment(&mut self, text: &str) {
        let Some(text) = text_of_comment(text) else {
            return;
        };

        if self.is_in_mainline() {
            self.add_aside(&text);
        } else {
            let braced = format!("{{{}}}", text.trim());
            for word in Paragraph::plain(&braced).words {
                self.add_word(&word, false);
            }
        }
        self.is_interrupted = true;
    }

    /// Adds a separate paragraph for a text that is not of the mainline.
    fn add_aside(&mut self, text: &str) {
        self.paragraphs.push(Paragraph::plain(text));
        self.is_interrupted = true;
    }

    /// Attaches the sign of a NAG to its move; a NAG without a sign is written as a number.
    fn add_nag(&mut self, nag: u8) {
        let is_shown = |sign: &&str| sign.is_ascii() || !has_plain_letters();
        let is_main = self.is_in_mainline();
        let Some(sign) = shown_sign(nag).filter(is_shown) else {
            self.add_word(&format!("${nag}"), is_main);
            return;
        };

        match self.last_word() {
            // `!` and `?` judge the move, and are attached to it. Other signs judge the position, and follow after a
            // blank.
            Some(mv) if sign.starts_with(['!', '?']) => mv.push_str(sign),
            Some(mv) => *mv = format!("{mv} {sign}"),
            None => self.add_word(sign, is_main),
        }
    }

    /// The last word; `None` if a variation has begun whose first word is missing.
    fn last_word(&mut self) -> Option<&mut String> {
        if !self.prefix.is_empty() {
            return None;
        }
        self.paragraphs.last_mut()?.words.last_mut()
    }

    /// Opens a variation. A variation of the mainline begins a paragraph.
    fn begin_variation(&mut self) {
        if self.is_in_mainline() {
            self.paragraphs.push(Paragraph::default());
        }
        self.plies.begin_variation();
        self.prefix.push('(');
        self.is_interrupted = true;
    }

    /// Closes a variation.
    fn end_variation(&mut self) {
        self.plies.end_variation();
        self.is_interrupted = true;

        match self.last_word() {
            Some(word) => word.push(')'),
            None => self.add_word(")", false),
        }
    }
}

/// A paragraph wrapped to a width, without a newline at the end.
pub(super) fn wrapped(paragraph: &Paragraph, width: usize, is_colored: bool) -> String {
    let indent = if paragraph.is_main { "" } else { "    " };
    let room = width.saturating_sub(indent.len());

    let mut lines = Vec::new();
    let mut line = String::new();
    let mut column = 0;
    for word in &paragraph.words {
        if column == 0 {
            line.push_str(word);
            column = word.width();
        } else if column + 1 + word.width() <= room {
            line.push(' ');
            line.push_str(word);
            column += 1 + word.width();
        } else {
            lines.push(std::mem::replace(&mut line, word.clone()));
            column = word.width();
        }
    }
    lines.push(line);

    let style = if paragraph.is_main && is_colored {
        Style::new().bold()
    } else {
        Style::new()
    };
    let styled_lines: Vec<String> = lines
        .iter()
        .map(|line| format!("{indent}{style}{line}{style:#}"))
        .collect();
    styled_lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let words = ["1. e4", "e5", "2. Nf3"].map(str::to_owned).to_vec();
        for (is_main, width, text) in [
            (true, 80, "1. e4 e5 2. Nf3"),
            (true, 8, "1. e4 e5\n2. Nf3"),
            (true, 1, "1. e4\ne5\n2. Nf3"),
            (false, 12, "    1. e4 e5\n    2. Nf3"),
        ] {
            let paragraph = Paragraph {
                words: words.clone(),
                is_main,
            };
            assert_eq!(wrapped(&paragraph, width, false), text, "{width} columns");
        }
    }
}

//! The moves of a game laid out for reading, with comments and variations apart from the mainline.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::cli::printable::printable;
use crate::cli::terminal::has_plain_letters;
use stamma::board::{Color, Setup};
use stamma::export::text_of_comment;
use stamma::game::{Annotation, Game, Lines, Step};
use stamma::notation::shown_sign;

/// The widest line that is easy to read.
pub(super) const MOST_COLUMNS: usize = 100;

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

/// The mainline in parts, and between them the comments and variations that interrupt it. Nested variations are in
/// parentheses, comments in variations in braces; commands such as `[%clk 0:03:00]` are omitted.
pub(super) fn paragraphs(game: &Game<'_>, start: &Setup) -> Vec<Paragraph> {
    let mut teller = Teller::new(start);
    for (_, step) in game.steps() {
        match step {
            Step::Mainline(san) => teller.san(san),
            Step::Annotation(annotation) => teller.annotation(annotation),
        }
    }
    if let Some(rest) = game.rest.as_deref() {
        teller.aside(&format!("not understood: {rest}"));
    }
    teller.word(game.result.as_str().to_owned(), true);
    teller
        .paragraphs
        .retain(|paragraph| !paragraph.words.is_empty());
    teller.paragraphs
}

/// A builder of paragraphs.
struct Teller {
    paragraphs: Vec<Paragraph>,
    /// The half-moves of each open line, counted as if the game had begun at the start.
    plies: Lines<u64>,
    /// Text to attach to the next word: `(`.
    prefix: String,
    /// `true` if a move of Black needs its number because of an interruption.
    is_interrupted: bool,
}

impl Teller {
    fn new(start: &Setup) -> Teller {
        let full = u64::from(start.fullmove_number.max(1)) - 1;
        Teller {
            paragraphs: Vec::new(),
            plies: Lines::new(2 * full + u64::from(start.turn == Color::Black)),
            prefix: String::new(),
            is_interrupted: true,
        }
    }

    /// Adds a word to the last paragraph, or begins one if the last belongs to the other kind: mainline or annotation.
    fn word(&mut self, word: String, is_main: bool) {
        let word = std::mem::take(&mut self.prefix) + &printable(&word);
        match self.paragraphs.last_mut() {
            Some(last) if last.is_main == is_main => last.words.push(word),
            _ => self.paragraphs.push(Paragraph {
                words: vec![word],
                is_main,
            }),
        }
    }

    fn san(&mut self, san: &str) {
        let ply = *self.plies.here();
        let number = ply / 2 + 1;
        let text = match (ply.is_multiple_of(2), self.is_interrupted) {
            (true, _) => format!("{number}. {san}"),
            (false, true) => format!("{number}... {san}"),
            (false, false) => san.to_owned(),
        };
        self.word(text, self.is_in_mainline());
        self.plies.play(|ply| *ply += 1);
        self.is_interrupted = false;
    }

    fn is_in_mainline(&self) -> bool {
        self.plies.depth() == 0
    }

    fn annotation(&mut self, annotation: Annotation<'_>) {
        match annotation {
            Annotation::Move(san) => self.san(san),
            Annotation::Comment(text) => self.comment(text),
            Annotation::Nag(nag) => self.nag(nag),
            Annotation::BeginVariation => self.begin_variation(),
            Annotation::EndVariation => self.end_variation(),
            Annotation::EscapedLine(_) => {}
        }
    }

    fn comment(&mut self, text: &str) {
        let Some(text) = text_of_comment(text) else {
            return;
        };
        if self.is_in_mainline() {
            self.aside(&text);
        } else {
            let braced = Paragraph::plain(&format!("{{{}}}", text.trim()));
            braced
                .words
                .into_iter()
                .for_each(|word| self.word(word, false));
        }
        self.is_interrupted = true;
    }

    /// A separate paragraph beside the mainline.
    fn aside(&mut self, text: &str) {
        self.paragraphs.push(Paragraph::plain(text));
        self.is_interrupted = true;
    }

    /// Attaches the sign of a NAG to its move; a NAG without a sign is written as a number.
    fn nag(&mut self, nag: u8) {
        let is_shown = |sign: &&str| sign.is_ascii() || !has_plain_letters();
        let sign = shown_sign(nag).filter(is_shown);
        let last = self
            .paragraphs
            .last_mut()
            .filter(|_| self.prefix.is_empty());
        match (sign, last.and_then(|last| last.words.last_mut())) {
            (Some(sign), Some(mv)) if sign.starts_with(['!', '?']) => mv.push_str(sign),
            (Some(sign), Some(mv)) => *mv = format!("{mv} {sign}"),
            _ => {
                let word = sign.map_or_else(|| format!("${nag}"), str::to_owned);
                self.word(word, self.is_in_mainline());
            }
        }
    }

    fn begin_variation(&mut self) {
        if self.is_in_mainline() {
            self.paragraphs.push(Paragraph::default());
        }
        self.plies.begin_variation();
        self.prefix.push('(');
        self.is_interrupted = true;
    }

    fn end_variation(&mut self) {
        self.plies.end_variation();
        self.is_interrupted = true;
        match self
            .paragraphs
            .last_mut()
            .and_then(|last| last.words.last_mut())
        {
            Some(word) if self.prefix.is_empty() => word.push(')'),
            _ => self.word(")".to_owned(), false),
        }
    }
}

/// A paragraph wrapped to a width, without a newline at the end.
pub(super) fn wrapped(paragraph: &Paragraph, width: usize, is_colored: bool) -> String {
    let indent = if paragraph.is_main { "" } else { "    " };
    let mut lines = vec![String::new()];
    let mut column = 0;
    for word in &paragraph.words {
        let fits = column + 1 + word.width() <= width.saturating_sub(indent.len());
        match lines.last_mut() {
            Some(line) if column == 0 || fits => {
                line.push_str(if column == 0 { "" } else { " " });
                line.push_str(word);
                column += usize::from(column > 0) + word.width();
            }
            _ => {
                lines.push(word.clone());
                column = word.width();
            }
        }
    }
    let style = if paragraph.is_main && is_colored {
        Style::new().bold()
    } else {
        Style::new()
    };
    let lines = lines
        .iter()
        .map(|line| format!("{indent}{style}{line}{style:#}"));
    lines.collect::<Vec<String>>().join("\n")
}

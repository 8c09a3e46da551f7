//! Writes the annotations of a game as PGN: NAGs, comments, and commands in comments as ChessBase exports them.

use std::ops::Range;

use cbvault_format::cbh::GameAnnotations;
use cbvault_format::game::annotations::{arrows, squares, timing};
use cbvault_format::game::{Annotation, GAME_POSITION, Quotation};
use encoding_rs::{Encoding, WINDOWS_1252};

use super::text::{Guess, append, language_name, page_of};

/// The codes of annotations that become commands, and the code of quotations.
const TIME_SPENT: u16 = 0x07;
const QUOTATION: u16 = 0x13;
const WHITE_CLOCK: u16 = 0x16;
const BLACK_CLOCK: u16 = 0x17;
const EVALUATION: u16 = 0x21;
const MEDALS: u16 = 0x22;
const EVALUATIONS: u16 = 0x26;

/// The annotations of a game, in the order of the moves that they belong to.
pub(super) struct Notes<'r> {
    /// Annotations with the numbers of their moves, which count from 0 in stored order; -1 is the game as a whole.
    items: Vec<(i32, Annotation<'r>)>,
    /// The encoding of texts without a language.
    encoding: &'static Encoding,
    /// `true` if texts are marked with their languages, because there are several.
    has_languages: bool,
    /// `false` if annotations are missing, because they could not be read.
    is_whole: bool,
}

impl<'r> Notes<'r> {
    /// No annotations.
    pub(super) fn none() -> Notes<'r> {
        Notes {
            items: Vec::new(),
            encoding: WINDOWS_1252,
            has_languages: false,
            is_whole: true,
        }
    }

    /// Annotations none of which can be read.
    pub(super) fn unreadable() -> Notes<'r> {
        Notes {
            is_whole: false,
            ..Notes::none()
        }
    }

    /// The annotations of a record up to the first damaged annotation.
    pub(super) fn read(annotations: &GameAnnotations<'r>) -> Notes<'r> {
        let mut notes = Notes::none();
        let mut guess = Guess::new();
        let mut first_language = None;

        for item in annotations.iter() {
            let Ok(item) = item else {
                notes.is_whole = false;
                break;
            };
            if let Annotation::Text { language, text, .. } = item.annotation {
                // A known language determines the code page. The encoding of the other texts is guessed from all of
                // them, since one text is too short.
                if page_of(language).is_none() {
                    guess.add(text);
                }
                notes.has_languages |= *first_language.get_or_insert(language) != language;
            }
            notes.items.push((item.position, item.annotation));
        }

        notes.encoding = guess.encoding();
        // A stable sort: the annotations of one move stay in their order.
        notes.items.sort_by_key(|(position, _)| *position);
        notes
    }

    /// `true` if all annotations could be read.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The annotations of moves with these numbers.
    fn at(&self, positions: Range<i64>) -> impl Iterator<Item = &Annotation<'r>> {
        let start = self.count_before(positions.start);
        let end = self.count_before(positions.end).max(start);
        self.items[start..end]
            .iter()
            .map(|(_, annotation)| annotation)
    }

    /// The number of annotations that belong to moves before a move.
    fn count_before(&self, position: i64) -> usize {
        self.items
            .partition_point(|(at, _)| i64::from(*at) < position)
    }

    /// Appends the annotations of the game as a whole.
    pub(super) fn write_of_game(&self, out: &mut Vec<u8>) {
        let of_game = i64::from(GAME_POSITION);
        self.write_comments(of_game..of_game + 1, TextPlace::Any, out);
    }

    /// Appends the texts before a move.
    pub(super) fn write_before(&self, number: u32, out: &mut Vec<u8>) {
        let number = i64::from(number);
        self.write_comments(number..number + 1, TextPlace::Before, out);
    }

    /// Appends the annotations behind a move. `past` is the number of all moves if annotations of moves that do not
    /// exist belong here, too.
    pub(super) fn write_after(&self, number: u32, past: Option<u32>, out: &mut Vec<u8>) {
        let number = i64::from(number);
        for annotation in self.at(number..number + 1) {
            if let Annotation::Symbols {
                on_move,
                on_position,
                prefix,
            } = annotation
            {
                append_nag(*prefix, out);
                append_nag(*on_move, out);
                append_nag(*on_position, out);
            }
        }

        self.write_comments(number..number + 1, TextPlace::Behind, out);
        if let Some(moves) = past {
            self.write_comments(i64::from(moves)..i64::MAX, TextPlace::Any, out);
        }
    }

    /// Appends texts and commands as comments. Commands stand behind a move, in one comment.
    fn write_comments(&self, positions: Range<i64>, place: TextPlace, out: &mut Vec<u8>) {
        let has_commands = place != TextPlace::Before;
        let mut commands = String::new();
        if has_commands {
            for annotation in self.at(positions.clone()) {
                append_command(annotation, &mut commands);
            }
        }
        if !commands.is_empty() {
            out.extend_from_slice(format!("{{{commands}}} ").as_bytes());
        }

        for annotation in self.at(positions) {
            match *annotation {
                Annotation::Text {
                    before,
                    language,
                    text,
                } if place.includes(before) => self.write_text(language, text, out),
                Annotation::Other {
                    code: QUOTATION,
                    data,
                } if has_commands => self.write_quotation(data, out),
                _ => {}
            }
        }
    }

    /// Appends a text of a comment, marked with its language if there are several.
    fn write_text(&self, language: u16, text: &[u8], out: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }

        out.push(b'{');
        if self.has_languages
            && let Some(name) = language_name(language)
        {
            out.extend_from_slice(format!("[%lang {name}] ").as_bytes());
        }
        append(text, page_of(language).unwrap_or(self.encoding), out);
        out.extend_from_slice(b"} ");
    }

    fn write_quotation(&self, data: &[u8], out: &mut Vec<u8>) {
        let Some(quotation) = Quotation::parse_classic(data) else {
            return;
        };
        out.push(b'{');
        append(quotation.chessbase_text().as_bytes(), self.encoding, out);
        out.extend_from_slice(b"} ");
    }
}

/// The side of a move on which its texts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextPlace {
    Before,
    Behind,
    Any,
}

impl TextPlace {
    /// Returns `true` if this is the side on which a text stands: before the move if `is_before`, otherwise behind it.
    /// [`TextPlace::Any`] includes both sides.
    fn includes(self, is_before: bool) -> bool {
        match self {
            TextPlace::Before => is_before,
            TextPlace::Behind => !is_before,
            TextPlace::Any => true,
        }
    }
}

/// Appends a NAG. The number 0 means no NAG, and is not appended.
fn append_nag(nag: u8, out: &mut Vec<u8>) {
    if nag != 0 {
        out.extend_from_slice(format!("${nag} ").as_bytes());
    }
}

/// Appends an annotation that is no text, as a command.
fn append_command(annotation: &Annotation<'_>, out: &mut String) {
    match *annotation {
        Annotation::Squares(data) => {
            let marks: Vec<String> = squares(data)
                .filter_map(|(color, at)| marked_square(color, at))
                .collect();
            append_list("csl", &marks, out);
        }
        Annotation::Arrows(data) => {
            let marks: Vec<String> = arrows(data)
                .filter_map(|(color, from, to)| marked_arrow(color, from, to))
                .collect();
            append_list("cal", &marks, out);
        }
        Annotation::Other { code, data } => append_other(code, data, out),
        Annotation::Text { .. } | Annotation::Symbols { .. } => {}
    }
}

/// A mark of `[%csl …]`, like `Ge4`.
fn marked_square(color: u8, at: u8) -> Option<String> {
    let letter = color_letter(color)?;
    let at = square(at)?;
    Some(format!("{letter}{at}"))
}

/// A mark of `[%cal …]`, like `Ge2e4`.
fn marked_arrow(color: u8, from: u8, to: u8) -> Option<String> {
    let letter = color_letter(color)?;
    let from = square(from)?;
    let to = square(to)?;
    Some(format!("{letter}{from}{to}"))
}

/// Appends an annotation that the library does not parse itself.
fn append_other(code: u16, data: &[u8], out: &mut String) {
    let number = <[u8; 4]>::try_from(data).map(u32::from_be_bytes).ok();

    let command = match code {
        TIME_SPENT => time_spent(data),
        WHITE_CLOCK | BLACK_CLOCK => number.map(clock),
        EVALUATION => evaluation(data),
        MEDALS => number.map(|medals| format!("[%mdl {medals}]")),
        EVALUATIONS => evaluation_profile(data),
        _ => None,
    };
    if let Some(command) = command {
        out.push_str(&command);
    }
}

/// The command for the time spent on a move, with hundredths of a second if there are any.
fn time_spent(data: &[u8]) -> Option<String> {
    let (hours, minutes, seconds, hundredths) = timing::time_spent(data, true)?;
    let fraction = if hundredths > 0 {
        format!(".{hundredths:02}")
    } else {
        String::new()
    };
    Some(format!(
        "[%emt {hours}:{minutes:02}:{seconds:02}{fraction}]"
    ))
}

/// The command for the time left on a clock.
fn clock(hundredths: u32) -> String {
    let total_seconds = hundredths / 100;
    let hours = total_seconds / 3600;
    let minutes = total_seconds / 60 % 60;
    let seconds = total_seconds % 60;
    format!("[%clk {hours}:{minutes:02}:{seconds:02}]")
}

/// The command for an engine's score in centipawns, and its depth.
fn evaluation(data: &[u8]) -> Option<String> {
    let (score, depth) = timing::evaluation_pair(data)?;
    Some(format!("[%eval {score},{depth}]"))
}

/// The command for the evaluations of all moves: the first and the last number of a value, and the values.
fn evaluation_profile(data: &[u8]) -> Option<String> {
    let evaluations = timing::evaluations(data, true)?;
    let values: Vec<String> = evaluations
        .iter()
        .map(|evaluation| evaluation.profile_value().to_string())
        .collect();

    let last = values.len().saturating_sub(1);
    let list = values.join(",");
    Some(format!("[%evp 0,{last},{list}]"))
}

fn append_list(command: &str, marks: &[String], out: &mut String) {
    if !marks.is_empty() {
        let list = marks.join(",");
        out.push_str(&format!("[%{command} {list}]"));
    }
}

/// The letter of a colour in a command: green, yellow, red or blue.
fn color_letter(color: u8) -> Option<char> {
    match color {
        2 => Some('G'),
        3 => Some('Y'),
        4 => Some('R'),
        7 => Some('B'),
        _ => None,
    }
}

/// The name of a square by its number, which counts from 1, file by file.
fn square(number: u8) -> Option<String> {
    let index = number.checked_sub(1)?;
    if index >= 64 {
        return None;
    }

    let file = char::from(b'a' + index / 8);
    let rank = index % 8 + 1;
    Some(format!("{file}{rank}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_file_by_file() {
        let rows = [
            (0, None),
            (1, Some("a1")),
            (8, Some("a8")),
            (9, Some("b1")),
            (64, Some("h8")),
            (65, None),
        ];
        for (number, name) in rows {
            assert_eq!(square(number).as_deref(), name, "{number}");
        }
    }

    #[test]
    fn clocks_show_whole_seconds() {
        assert_eq!(clock(0), "[%clk 0:00:00]");
        assert_eq!(clock(99), "[%clk 0:00:00]");
        assert_eq!(clock(750_700), "[%clk 2:05:07]");
    }
}

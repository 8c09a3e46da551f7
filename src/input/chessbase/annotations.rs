//! What a game's annotations are in PGN: glyphs, comments, and commands in comments as ChessBase exports them.

use cbvault_format::cbh::GameAnnotations;
use cbvault_format::game::annotations::{arrows, squares, timing};
use cbvault_format::game::{Annotation, GAME_POSITION, Quotation};
use encoding_rs::{Encoding, WINDOWS_1252};

use super::text::{Guess, append, language_name, page_of};

/// Annotations that are commands.
const TIME_SPENT: u16 = 0x07;
const QUOTATION: u16 = 0x13;
const WHITE_CLOCK: u16 = 0x16;
const BLACK_CLOCK: u16 = 0x17;
const EVALUATION: u16 = 0x21;
const MEDALS: u16 = 0x22;
const EVALUATIONS: u16 = 0x26;

/// The annotations of a game, in the order of the moves that they belong to.
pub(super) struct Notes<'r> {
    /// The numbers of moves, from 0 in the order in which they are stored, and what belongs to each; -1 is the game.
    items: Vec<(i32, Annotation<'r>)>,
    /// The encoding of the texts that name no language.
    encoding: &'static Encoding,
    /// `true` if texts are marked with their languages, because there are several.
    has_languages: bool,
}

impl<'r> Notes<'r> {
    /// No annotations.
    pub(super) fn none() -> Notes<'r> {
        Notes {
            items: Vec::new(),
            encoding: WINDOWS_1252,
            has_languages: false,
        }
    }

    /// The annotations of a record, up to the first damaged one, and whether all could be read.
    pub(super) fn of(annotations: &GameAnnotations<'r>) -> (Notes<'r>, bool) {
        let mut notes = Notes::none();
        let mut guess = Guess::new();
        let mut first_language = None;
        let mut is_whole = true;
        for item in annotations.iter() {
            let Ok(item) = item else {
                is_whole = false;
                break;
            };
            if let Annotation::Text { language, text, .. } = item.annotation {
                if page_of(language).is_none() {
                    guess.add(text);
                }
                notes.has_languages |= *first_language.get_or_insert(language) != language;
            }
            notes.items.push((item.position, item.annotation));
        }
        notes.encoding = guess.encoding();
        // What belongs to one move stays in its order.
        notes.items.sort_by_key(|(position, _)| *position);
        (notes, is_whole)
    }

    fn at(&self, positions: std::ops::Range<i64>) -> impl Iterator<Item = &Annotation<'r>> {
        let start = self.count_before(positions.start);
        let end = self.count_before(positions.end).max(start);
        self.items[start..end]
            .iter()
            .map(|(_, annotation)| annotation)
    }

    /// The number of annotations of moves before one.
    fn count_before(&self, position: i64) -> usize {
        self.items
            .partition_point(|(at, _)| i64::from(*at) < position)
    }

    /// Appends what belongs to the game as a whole.
    pub(super) fn write_of_game(&self, out: &mut Vec<u8>) {
        let of_game = i64::from(GAME_POSITION);
        self.write_comments(of_game..of_game + 1, None, out);
    }

    /// Appends what stands before a move.
    pub(super) fn write_before(&self, number: u32, out: &mut Vec<u8>) {
        let number = i64::from(number);
        self.write_comments(number..number + 1, Some(true), out);
    }

    /// Appends what stands behind a move. With `past`, the number of all moves, also what belongs to none of them.
    pub(super) fn write_after(&self, number: u32, past: Option<u32>, out: &mut Vec<u8>) {
        let number = i64::from(number);
        for annotation in self.at(number..number + 1) {
            if let Annotation::Symbols {
                on_move,
                on_position,
                prefix,
            } = annotation
            {
                for nag in [prefix, on_move, on_position]
                    .into_iter()
                    .filter(|nag| **nag != 0)
                {
                    out.extend_from_slice(format!("${nag} ").as_bytes());
                }
            }
        }
        self.write_comments(number..number + 1, Some(false), out);
        if let Some(moves) = past {
            self.write_comments(i64::from(moves)..i64::MAX, None, out);
        }
    }

    /// Appends texts and commands as comments; `before` is which texts, or all.
    fn write_comments(&self, at: std::ops::Range<i64>, before: Option<bool>, out: &mut Vec<u8>) {
        let mut commands = String::new();
        if before != Some(true) {
            for annotation in self.at(at.clone()) {
                append_command(annotation, &mut commands);
            }
        }
        if !commands.is_empty() {
            out.extend_from_slice(format!("{{{commands}}} ").as_bytes());
        }

        for annotation in self.at(at) {
            match *annotation {
                Annotation::Text { text: b"", .. } => {}
                Annotation::Text {
                    before: is_before,
                    language,
                    text,
                } if before.is_none_or(|before| before == is_before) => {
                    out.push(b'{');
                    if self.has_languages
                        && let Some(name) = language_name(language)
                    {
                        out.extend_from_slice(format!("[%lang {name}] ").as_bytes());
                    }
                    append(text, page_of(language).unwrap_or(self.encoding), out);
                    out.extend_from_slice(b"} ");
                }
                Annotation::Other {
                    code: QUOTATION,
                    data,
                } if before != Some(true) => {
                    if let Some(quoted) = Quotation::parse_classic(data) {
                        out.push(b'{');
                        append(quoted.chessbase_text().as_bytes(), self.encoding, out);
                        out.extend_from_slice(b"} ");
                    }
                }
                _ => {}
            }
        }
    }
}

/// Appends an annotation that is no text, as a command.
fn append_command(annotation: &Annotation<'_>, out: &mut String) {
    match *annotation {
        Annotation::Squares(data) => {
            let marks = squares(data)
                .filter_map(|(color, at)| Some(format!("{}{}", color_letter(color)?, square(at)?)));
            append_list("csl", marks.collect(), out);
        }
        Annotation::Arrows(data) => {
            let marks = arrows(data).filter_map(|(color, from, to)| {
                Some(format!(
                    "{}{}{}",
                    color_letter(color)?,
                    square(from)?,
                    square(to)?
                ))
            });
            append_list("cal", marks.collect(), out);
        }
        Annotation::Other { code, data } => append_other(code, data, out),
        Annotation::Text { .. } | Annotation::Symbols { .. } => {}
    }
}

fn append_other(code: u16, data: &[u8], out: &mut String) {
    let number = <[u8; 4]>::try_from(data).map(u32::from_be_bytes).ok();
    let command = match code {
        TIME_SPENT => {
            timing::time_spent(data, true).map(|(hours, minutes, seconds, hundredths)| {
                let fraction = if hundredths > 0 {
                    format!(".{hundredths:02}")
                } else {
                    String::new()
                };
                format!("[%emt {hours}:{minutes:02}:{seconds:02}{fraction}]")
            })
        }
        WHITE_CLOCK | BLACK_CLOCK => number.map(|hundredths| {
            let seconds = hundredths / 100;
            format!(
                "[%clk {}:{:02}:{:02}]",
                seconds / 3600,
                seconds / 60 % 60,
                seconds % 60
            )
        }),
        EVALUATION => {
            timing::evaluation_pair(data).map(|(score, depth)| format!("[%eval {score},{depth}]"))
        }
        MEDALS => number.map(|medals| format!("[%mdl {medals}]")),
        EVALUATIONS => timing::evaluations(data, true).map(|all| {
            let values: Vec<String> = all
                .iter()
                .map(|one| one.profile_value().to_string())
                .collect();
            format!(
                "[%evp 0,{},{}]",
                values.len().saturating_sub(1),
                values.join(",")
            )
        }),
        _ => None,
    };
    out.push_str(&command.unwrap_or_default());
}

fn append_list(command: &str, marks: Vec<String>, out: &mut String) {
    if !marks.is_empty() {
        out.push_str(&format!("[%{command} {}]", marks.join(",")));
    }
}

fn color_letter(color: u8) -> Option<char> {
    match color {
        2 => Some('G'),
        3 => Some('Y'),
        4 => Some('R'),
        7 => Some('B'),
        _ => None,
    }
}

/// The name of a square, which have numbers from 1, file by file.
fn square(number: u8) -> Option<String> {
    let index = number.checked_sub(1).filter(|index| *index < 64)?;
    Some(format!("{}{}", char::from(b'a' + index / 8), index % 8 + 1))
}

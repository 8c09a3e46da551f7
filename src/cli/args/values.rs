//! Values of options: parsing, and suggestions for shells.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

use super::open::{is_named_database, is_named_like_games};
use crate::cli::output::is_sqlite;
use stamma::export::MoveOpcode;
use stamma::import::Memory;
use stamma::input::{Encoding, find_matches};
use stamma::notation::{LANGUAGES, Notation, PieceLetters};

/// The numbers of threads, or of processes that work side by side, that options accept.
pub(super) const THREADS: RangeInclusive<i64> = 1..=256;

/// A parser that calls `read`, with its error messages, and offers values to shells.
pub(super) fn offered<R: TypedValueParser>(
    names: impl IntoIterator<Item = &'static str>,
    read: R,
) -> SuggestedValues<R> {
    SuggestedValues {
        names: names.into_iter().collect(),
        read,
    }
}

#[derive(Clone)]
pub(super) struct SuggestedValues<R> {
    names: Vec<&'static str>,
    read: R,
}

impl<R: TypedValueParser> TypedValueParser for SuggestedValues<R> {
    type Value = R::Value;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<R::Value, Error> {
        self.read.parse_ref(command, option, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// Piece letters, with the text that gives them.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Letters {
    pub(super) text: String,
    pub(super) letters: PieceLetters,
}

pub(in crate::cli) fn letters() -> impl TypedValueParser<Value = Letters> {
    offered(languages(), read_letters)
}

fn read_letters(text: &str) -> Result<Letters, String> {
    let letters = PieceLetters::parse(text).map_err(|error| error.to_string())?;

    // The codes of languages are stored in lower case, whatever case was typed.
    let code = languages().find(|code| code.eq_ignore_ascii_case(text));
    Ok(Letters {
        text: code.unwrap_or(text).to_owned(),
        letters,
    })
}

/// The codes of all languages whose letters are known.
pub(in crate::cli) fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES
        .iter()
        .flat_map(|language| language.codes)
        .copied()
}

/// A range of game numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct GameRange {
    pub(in crate::cli) first: i64,
    pub(in crate::cli) last: i64,
}

pub(super) fn notation() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::name))
        .try_map(|name| Notation::from_name(&name).ok_or("this is no notation"))
}

/// All opcodes of a move.
const MOVE_OPCODES: [MoveOpcode; 2] = [MoveOpcode::Predicted, MoveOpcode::Supplied];

pub(super) fn move_opcode() -> impl TypedValueParser<Value = MoveOpcode> {
    let names = MOVE_OPCODES.map(MoveOpcode::as_str);
    PossibleValuesParser::new(names).try_map(|name| read_move_opcode(&name))
}

fn read_move_opcode(name: &str) -> Result<MoveOpcode, &'static str> {
    for opcode in MOVE_OPCODES {
        if opcode.as_str() == name {
            return Ok(opcode);
        }
    }
    Err("this is no such opcode")
}

pub(super) fn encoding(text: &str) -> Result<Encoding, String> {
    Encoding::from_name(text).ok_or_else(|| "this encoding is not known".to_owned())
}

/// An encoding of input other than UTF-8, which is detected.
pub(super) fn input_encoding(text: &str) -> Result<Encoding, String> {
    let encoding = encoding(text)?;
    // Without the option, each game that is valid UTF-8 is read as UTF-8.
    if encoding == Encoding::UTF_8 {
        return Err("UTF-8 is found without being told".to_owned());
    }
    Ok(encoding)
}

/// An encoding of output, which cannot be UTF-16.
pub(super) fn output_encoding(text: &str) -> Result<Encoding, String> {
    let encoding = encoding(text)?;
    if encoding.is_utf16() {
        return Err("UTF-16 is read, but not written".to_owned());
    }
    Ok(encoding)
}

/// A game number, or a range of game numbers like `20-30`.
pub(super) fn game_range(text: &str) -> Result<GameRange, String> {
    let (first_text, last_text) = text.split_once('-').unwrap_or((text, text));
    let ends = game_number(first_text).zip(game_number(last_text));
    let Some((first, last)) = ends else {
        return Err("give game numbers like 5,7,20-30".to_owned());
    };

    if first > last {
        return Err(format!("the ends are reversed; give {last}-{first}"));
    }
    Ok(GameRange { first, last })
}

/// The number of a game; games are numbered from 1.
fn game_number(text: &str) -> Option<i64> {
    let number = text.trim().parse::<i64>().ok()?;
    if number > 0 { Some(number) } else { None }
}

/// The path of a file. `-` is rejected, since standard output is for games.
pub(in crate::cli) fn problem_file(text: &str) -> Result<PathBuf, &'static str> {
    match text {
        "" | "-" => Err("name a file; standard output is left to games"),
        path => Ok(PathBuf::from(path)),
    }
}

/// A memory limit of at least [`Memory::MIN_BYTES`].
pub(in crate::cli) fn memory(text: &str) -> Result<Memory, String> {
    let bytes = bytes(text)?;
    if bytes < Memory::MIN_BYTES {
        return Err("it takes 128M at least".to_owned());
    }
    Ok(Memory::new(bytes))
}

/// A number of bytes.
pub(in crate::cli) fn bytes(text: &str) -> Result<u64, String> {
    match positive_bytes(text) {
        Some(bytes) => Ok(bytes),
        None => Err("give a size like 256M or 2G".to_owned()),
    }
}

/// A size in bytes above 0; `None` if the text is not a size.
fn positive_bytes(text: &str) -> Option<u64> {
    let size = text.trim().to_ascii_uppercase();
    let end_of_digits = size
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(size.len());
    let (digits, unit) = size.split_at(end_of_digits);

    // `M`, `MB` and `MiB` mean one unit, as memory is counted in powers of two.
    let unit_bytes: u64 = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };

    let number: u64 = digits.parse().ok()?;
    let bytes = number.checked_mul(unit_bytes)?;
    if bytes > 0 { Some(bytes) } else { None }
}

/// The paths of databases, with patterns like `lichess-*.db` that the shell has not expanded.
///
/// # Errors
/// When a pattern matches no file.
pub(super) fn databases<'p>(
    patterns: impl IntoIterator<Item = &'p Path>,
) -> stamma::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for pattern in patterns {
        paths.extend(find_matches(pattern)?);
    }
    Ok(paths)
}

/// A database, and the databases among the first words.
///
/// # Errors
/// When a pattern matches no file.
pub(super) fn databases_before(first: &Path, words: &[String]) -> stamma::Result<Vec<PathBuf>> {
    let (further, _) = leading_databases(words);
    let further = further.iter().map(Path::new);
    databases(std::iter::once(first).chain(further))
}

/// Divides words into the databases at the beginning, and the words of a position, a name or a statement after them.
pub(super) fn leading_databases(words: &[String]) -> (&[String], &[String]) {
    let databases = words.iter().take_while(|word| is_database(word)).count();
    words.split_at(databases)
}

/// `true` for a path that ends in `.db`, or the path of an SQLite file or a file of games. No FEN, move or statement is
/// such a path.
///
/// A file of games is no database, but is meant as one: opening it fails, and the error message tells how to import it.
fn is_database(word: &str) -> bool {
    let path = Path::new(word);
    let has_games = is_named_like_games(path) && path.is_file();
    is_named_database(path) || is_sqlite(path) || has_games
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory() {
        for (text, bytes) in [("256M", 256 << 20), ("2g", 2 << 30), ("1GiB", 1 << 30)] {
            assert_eq!(memory(text), Ok(Memory::new(bytes)));
        }
        for wrong in ["", "M", "12", "100M", "-5G", "1T", "99999999999G"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn encodings_to_read_and_to_write() {
        let read = |name| input_encoding(name).is_ok();
        let write = |name| output_encoding(name).is_ok();

        for (name, is_read, is_written) in [
            ("utf-8", false, true),
            ("utf-16le", true, false),
            ("cp1251", true, true),
            ("gbk", false, false),
        ] {
            assert_eq!(read(name), is_read, "{name}");
            assert_eq!(write(name), is_written, "{name}");
        }
    }

    #[test]
    fn ranges_of_games() {
        for (text, first, last) in [("5", 5, 5), ("20-30", 20, 30), (" 20 - 30 ", 20, 30)] {
            assert_eq!(game_range(text), Ok(GameRange { first, last }), "{text}");
        }

        for wrong in ["", "0", "-3", "7-5", "x", "1-2-3"] {
            assert!(game_range(wrong).is_err(), "{wrong}");
        }
    }
}

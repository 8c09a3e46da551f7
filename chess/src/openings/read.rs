//! Reads users' tables of openings: TSV, `scid.eco` and `eco.pgn`.

use super::fault::{LineFault, ParseOpeningsError};
use crate::game::Game;
use crate::pgn::{Span, split};
use crate::replay::replay;

/// Converts a user's table into lines that [`Openings::from_lines`](super::Openings::from_lines) accepts, sorted.
///
/// The form of the text is inferred from its content: PGN with the tags `ECO`, `Opening`, `Variation` and
/// `SubVariation` (pgn-extract's `eco.pgn`); TSV with a line of headings, of which `eco`, `name` and `pgn` are read
/// (Lichess's tables); or a code, a name in quotation marks and moves that end with `*` (Scid's `scid.eco`).
///
/// # Errors
/// The first line that cannot be read, or a move that is not legal.
pub fn read_openings(text: &str) -> Result<String, ParseOpeningsError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut entries = match Form::detect(text) {
        Form::Tsv => read_tsv(text)?,
        Form::Pgn => read_pgn(text)?,
        Form::Scid => read_scid(text)?,
    };
    if entries.is_empty() {
        return Err(LineFault::Empty.at(1));
    }

    // A stable sort: of two entries with equal moves, the later entry names the position. In sorted lines, each line
    // mostly begins with the moves of the line before, which are played only once.
    entries.sort_by(|a, b| a.moves.cmp(&b.moves));

    let mut lines = String::new();
    for entry in entries {
        lines += &format!("{}\t{}\t{}\n", entry.moves, entry.eco, entry.name);
    }
    Ok(lines)
}

/// The form of a table.
enum Form {
    Tsv,
    Pgn,
    Scid,
}

impl Form {
    /// TSV if the first line has a tab and no quotation marks, PGN if any line has a tag.
    fn detect(text: &str) -> Form {
        let first = text
            .lines()
            .find(|line| !is_comment(line))
            .unwrap_or_default();

        if first.contains('\t') && !first.contains('"') {
            Form::Tsv
        } else if text.lines().any(|line| line.trim_start().starts_with('[')) {
            Form::Pgn
        } else {
            Form::Scid
        }
    }
}

/// Returns `true` for a blank line and for a comment.
fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// A line of a table.
struct Entry {
    /// The moves in canonical SAN.
    moves: String,
    eco: String,
    name: String,
}

impl Entry {
    /// An entry with its moves in canonical SAN.
    fn new(line: usize, eco: &str, name: &str, moves: &str) -> Result<Entry, ParseOpeningsError> {
        // Text that cannot be replayed is the rest of the game.
        let game = replay(moves).game;
        if let Some(rest) = &game.rest {
            let word = rest.split_ascii_whitespace().next().unwrap_or_default();
            return Err(LineFault::Move(word.to_owned()).at(line));
        }

        let entry = Entry {
            moves: game.moves.into_owned(),
            eco: with_single_spaces(eco),
            name: with_single_spaces(name),
        };
        match entry.fault() {
            Some(fault) => Err(fault.at(line)),
            None => Ok(entry),
        }
    }

    /// The first fault of the entry, if any.
    fn fault(&self) -> Option<LineFault> {
        if !is_code(&self.eco) {
            Some(LineFault::Code(self.eco.clone()))
        } else if self.name.is_empty() {
            Some(LineFault::Nameless)
        } else if self.name.contains(char::is_control) {
            Some(LineFault::ControlCharacter)
        } else if self.moves.is_empty() {
            Some(LineFault::Moveless)
        } else {
            None
        }
    }
}

/// The text with each run of white space as one space.
fn with_single_spaces(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Returns `true` for an ECO code: `B90`, and `B90j` or `B90j1` in finer tables.
fn is_code(text: &str) -> bool {
    let [b'A'..=b'E', behind @ ..] = text.as_bytes() else {
        return false;
    };
    let Some((digits, finer)) = behind.split_at_checked(2) else {
        return false;
    };

    digits.iter().all(u8::is_ascii_digit)
        && finer.len() <= 2
        && finer.iter().all(u8::is_ascii_alphanumeric)
}

fn read_tsv(text: &str) -> Result<Vec<Entry>, ParseOpeningsError> {
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !is_comment(line));

    let (heading_line, headings) = lines.next().unwrap_or((1, ""));
    let column = |name| heading_column(headings, name).ok_or(LineFault::Headings.at(heading_line));
    let eco_column = column("eco")?;
    let name_column = column("name")?;
    let pgn_column = column("pgn")?;

    let mut entries = Vec::new();
    for (number, line) in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| {
            cells
                .get(column)
                .copied()
                .ok_or(LineFault::Cells.at(number))
        };

        let eco = cell(eco_column)?;
        let name = cell(name_column)?;
        let moves = cell(pgn_column)?;
        entries.push(Entry::new(number, eco, name, moves)?);
    }
    Ok(entries)
}

/// The number of the column with this heading, from 0.
fn heading_column(headings: &str, name: &str) -> Option<usize> {
    headings
        .split('\t')
        .position(|cell| cell.trim().eq_ignore_ascii_case(name))
}

fn read_pgn(text: &str) -> Result<Vec<Entry>, ParseOpeningsError> {
    // An indented tag is a tag here.
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let unindented = lines.join("\n");

    let mut entries = Vec::new();
    let mut line = 1;
    let mut counted_to = 0;
    for span in split(unindented.as_bytes()) {
        let Span::Game(range) = span else { continue };
        line += unindented[counted_to..range.start].matches('\n').count();
        counted_to = range.start;
        let game_text = &unindented[range];

        let game = replay(game_text).game;
        let Some(eco) = game.tag("ECO") else { continue };

        let name = name_of_tags(&game);
        entries.push(Entry::new(line, eco, &name, game_text)?);
    }
    Ok(entries)
}

/// The whole name of an opening from its tags: `Ruy Lopez: Marshall, Main line`.
fn name_of_tags(game: &Game<'_>) -> String {
    let mut name = game.tag("Opening").unwrap_or_default().to_owned();
    for (tag, separator) in [("Variation", ": "), ("SubVariation", ", ")] {
        let part = game.tag(tag).unwrap_or_default();
        if part.is_empty() {
            continue;
        }

        if !name.is_empty() {
            name += separator;
        }
        name += part;
    }
    name
}

/// Reads Scid's form: `B90a "Sicilian: Najdorf" 1.e4 c5 … a6 *`. An entry may take several lines; a line that begins
/// with `#` is a comment.
fn read_scid(text: &str) -> Result<Vec<Entry>, ParseOpeningsError> {
    let mut entries = Vec::new();
    let mut first_line = 1;
    let mut entry_text = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }

        if entry_text.trim().is_empty() {
            first_line = number;
            entry_text.clear();
        }
        entry_text += line;
        entry_text.push(' ');

        if line.trim_end().ends_with('*') {
            entries.extend(scid_entry(first_line, &entry_text)?);
            entry_text.clear();
        }
    }

    if !entry_text.trim().is_empty() {
        return Err(LineFault::Unended.at(first_line));
    }
    Ok(entries)
}

/// Parses an entry of Scid's file of openings. Returns `None` for the entry of the start position, which is no opening.
fn scid_entry(line: usize, text: &str) -> Result<Option<Entry>, ParseOpeningsError> {
    let Some((eco, name_and_moves)) = text.split_once('"') else {
        return Err(LineFault::Scid.at(line));
    };
    let Some((name, moves)) = name_and_moves.split_once('"') else {
        return Err(LineFault::Scid.at(line));
    };
    if eco.trim().is_empty() {
        return Err(LineFault::Scid.at(line));
    }

    if moves.trim() == "*" {
        return Ok(None);
    }
    let entry = Entry::new(line, eco, name, moves)?;
    Ok(Some(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! tables {
        ($($name:ident: $text:expr => $lines:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(read_openings($text).map_err(|error| error.to_string()), $lines);
            }
        )*};
    }

    fn lines(text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn error(text: &str) -> Result<String, String> {
        Err(text.to_owned())
    }

    tables! {
        tsv: "eco\tname\tpgn\nB20\tSicilian\t1. e4 c5\nA00\tBarnes\t1. f3\n"
            => lines("e4 c5\tB20\tSicilian\nf3\tA00\tBarnes\n");
        tsv_with_more_columns: "name\tuci\teco\tpgn\nSicilian\te2e4 c7c5\tB20\t1. e4 c5\n"
            => lines("e4 c5\tB20\tSicilian\n");
        tsv_without_headings: "B20\tSicilian\t1. e4 c5\n"
            => error("line 1: the first line of a TSV table names its columns, eco, name and pgn among them");
        scid: "# comment\nA00b \"Barnes\"\n 1.f3 *\nA00b \"Fried fox\"\n 1.f3 e5\n 2.Kf2 *\n"
            => lines("f3\tA00b\tBarnes\nf3 e5 Kf2\tA00b\tFried fox\n");
        scid_without_an_end: "A00b \"Barnes\" 1.f3 *\n\nA00b \"Fried fox\"\n 1.f3 e5\n"
            => error("line 3: the last opening does not end with *");
        scid_with_a_mate: "A00b \"Fool's mate\"\n 1.f3 e5 2.g4 Qh4# *\n  # the end\n"
            => lines("f3 e5 g4 Qh4#\tA00b\tFool's mate\n");
        scid_with_a_name_of_the_start: "A00a \"Start position\" *\nA00b \"Barnes\" 1.f3 *\n" => lines("f3\tA00b\tBarnes\n");
        scid_with_a_tab: "# comment\nA00b\t\"Barnes\"\t1.f3 *\n" => lines("f3\tA00b\tBarnes\n");
        headings_in_capitals: "\u{feff}\n# comment\nECO\tName\tPGN\nA00\tBarnes\t1. f3\n"
            => lines("f3\tA00\tBarnes\n");
        pgn_with_a_tab: "[ECO \"A00\"]\n[Opening \"Barnes\"]\n\n1.\tf3 *\n" => lines("f3\tA00\tBarnes\n");
        pgn_that_is_indented: "  [ECO \"A00\"]\n  [Opening \"Barnes\"]\n\n  1. f3 *\n\n  [ECO \"B00\"]\n  [Opening \"Pawn\"]\n\n  1. e4 *\n"
            => lines("e4\tB00\tPawn\nf3\tA00\tBarnes\n");
        pgn_with_a_variation_alone: "[ECO \"A00\"]\n[Variation \"Barnes\"]\n\n1. f3 *\n" => lines("f3\tA00\tBarnes\n");
        finest_code: "eco\tname\tpgn\nA00b1\tBarnes\t1. f3\n" => lines("f3\tA00b1\tBarnes\n");
        no_code: "eco\tname\tpgn\n\tBarnes\t1. f3\n"
            => error("line 2: \"\" is not an ECO code: a letter from A to E and two digits, with two more characters at most");
        a_long_code: "eco\tname\tpgn\nA00abc\tBarnes\t1. f3\n"
            => error("line 2: \"A00abc\" is not an ECO code: a letter from A to E and two digits, with two more characters at most");
        no_name: "eco\tname\tpgn\nA00\t\t1. f3\n" => error("line 2: the opening has no name");
        no_moves: "eco\tname\tpgn\nA00\tStart\t\n" => error("line 2: the opening has no moves");
        control_character: "eco\tname\tpgn\nA00\t\u{1b}[31mBarnes\t1. f3\n"
            => error("line 2: the name has a control character");
        nothing: "" => error("line 1: there is no opening in this table");
        scid_without_a_name: "A00b 1.f3 *\n"
            => error("line 1: this is not a code, a name in quotation marks, and moves that end with *");
        pgn: "[ECO \"C89\"]\n[Opening \"Ruy Lopez\"]\n[Variation \"Marshall\"]\n[SubVariation \"Main line\"]\n\n1. e4 e5 *\n"
            => lines("e4 e5\tC89\tRuy Lopez: Marshall, Main line\n");
        a_move_that_is_not_legal: "eco\tname\tpgn\nB20\tSicilian\t1. e4 e6 2. e6\n"
            => error("line 2: e6 is not a legal move here");
    }
}

//! Tables of openings that users have: TSV, `scid.eco` and `eco.pgn`.

use super::fault::{LineFault, ParseOpeningsError};
use crate::pgn::{Span, split};
use crate::replay::replay;

/// Reads a user's table and gives its lines as [`Openings::from_lines`](super::Openings::from_lines) takes them, sorted.
///
/// Which of three forms a text has is told by its content: PGN with the tags `ECO`, `Opening`, `Variation` and
/// `SubVariation` (pgn-extract's `eco.pgn`); TSV with a line of headings, of which `eco`, `name` and `pgn` are read
/// (Lichess's tables); or a code, a name in quotation marks and moves that end with `*` (Scid's `scid.eco`).
///
/// # Errors
/// The first line that cannot be read, or a move that is not legal.
pub fn read_openings(text: &str) -> Result<String, ParseOpeningsError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut entries = match Form::of(text) {
        Form::Tsv => read_tsv(text)?,
        Form::Pgn => read_pgn(text)?,
        Form::Scid => read_scid(text)?,
    };
    if entries.is_empty() {
        return Err(ParseOpeningsError {
            line: 1,
            fault: LineFault::Empty,
        });
    }
    entries.sort_by(|a, b| a.moves.cmp(&b.moves));
    let line = |entry: Entry| format!("{}\t{}\t{}\n", entry.moves, entry.eco, entry.name);
    Ok(entries.into_iter().map(line).collect())
}

/// What a table is written in.
enum Form {
    Tsv,
    Pgn,
    Scid,
}

impl Form {
    /// By the first line with a tab and no quotation marks, or else by tags.
    fn of(text: &str) -> Form {
        let is_comment = |line: &&str| line.trim().is_empty() || line.starts_with('#');
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

/// A line of a table.
struct Entry {
    /// In canonical SAN.
    moves: String,
    eco: String,
    name: String,
}

impl Entry {
    fn new(line: usize, eco: &str, name: &str, moves: &str) -> Result<Entry, ParseOpeningsError> {
        let game = replay(moves).game;
        if let Some(rest) = &game.rest {
            let word = rest.split_ascii_whitespace().next().unwrap_or_default();
            return Err(ParseOpeningsError {
                line,
                fault: LineFault::Move(word.to_owned()),
            });
        }
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
        let entry = Entry {
            moves: game.moves.into_owned(),
            eco: one_line(eco),
            name: one_line(name),
        };
        entry
            .fault()
            .map_or(Ok(()), |fault| Err(ParseOpeningsError { line, fault }))?;
        Ok(entry)
    }

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

/// `B90`, and `B90j` or `B90j1` in finer tables.
fn is_code(text: &str) -> bool {
    let [b'A'..=b'E', digits @ ..] = text.as_bytes() else {
        return false;
    };
    let Some((digits, rest)) = digits.split_at_checked(2) else {
        return false;
    };
    digits.iter().all(u8::is_ascii_digit)
        && rest.len() <= 2
        && rest.iter().all(u8::is_ascii_alphanumeric)
}

fn read_tsv(text: &str) -> Result<Vec<Entry>, ParseOpeningsError> {
    let is_comment = |line: &str| line.trim().is_empty() || line.starts_with('#');
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !is_comment(line));
    let (line, headings) = lines.next().unwrap_or((1, ""));
    let column = |name: &str| {
        let found = headings
            .split('\t')
            .position(|cell| cell.trim().eq_ignore_ascii_case(name));
        found.ok_or(ParseOpeningsError {
            line,
            fault: LineFault::Headings,
        })
    };
    let (eco, name, pgn) = (column("eco")?, column("name")?, column("pgn")?);
    let entry = |(number, line): (usize, &str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |at: usize| {
            let fault = || ParseOpeningsError {
                line: number,
                fault: LineFault::Cells,
            };
            cells.get(at).copied().ok_or_else(fault)
        };
        Entry::new(number, cell(eco)?, cell(name)?, cell(pgn)?)
    };
    lines.map(entry).collect()
}

fn read_pgn(text: &str) -> Result<Vec<Entry>, ParseOpeningsError> {
    // An indented tag is a tag here.
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let text = lines.join("\n");
    let mut entries = Vec::new();
    for span in split(text.as_bytes()) {
        let Span::Game(range) = span else { continue };
        let line = 1 + text[..range.start].matches('\n').count();
        let game_text = &text[range];
        let game = replay(game_text).game;
        let Some(eco) = game.tag("ECO") else { continue };
        let part = |name| game.tag(name).filter(|value| !value.is_empty());
        let mut name = part("Opening").unwrap_or_default().to_owned();
        for (part, sign) in [(part("Variation"), ": "), (part("SubVariation"), ", ")] {
            if let Some(part) = part {
                let sign = if name.is_empty() { "" } else { sign };
                name = format!("{name}{sign}{part}");
            }
        }
        entries.push(Entry::new(line, eco, &name, game_text)?);
    }
    Ok(entries)
}

/// Scid's form: `B90a "Sicilian: Najdorf" 1.e4 c5 … a6 *`, over as many lines as it takes. A line that begins with `#` is a comment.
fn read_scid(text: &str) -> Result<Vec<Entry>, ParseOpeningsError> {
    let mut entries = Vec::new();
    let mut begun = (1, String::new());
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        if begun.1.trim().is_empty() {
            begun = (number, String::new());
        }
        begun.1.push_str(line);
        begun.1.push(' ');
        if line.trim_end().ends_with('*') {
            entries.extend(scid_entry(begun.0, &begun.1)?);
            begun.1.clear();
        }
    }
    if begun.1.trim().is_empty() {
        Ok(entries)
    } else {
        Err(ParseOpeningsError {
            line: begun.0,
            fault: LineFault::Unended,
        })
    }
}

/// Scid names the start position, too: nothing for that.
fn scid_entry(line: usize, text: &str) -> Result<Option<Entry>, ParseOpeningsError> {
    let mut parts = text.splitn(3, '"');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(eco), Some(name), Some(moves)) if !eco.trim().is_empty() => {
            let is_start = moves.trim() == "*";
            if is_start {
                Ok(None)
            } else {
                Entry::new(line, eco, name, moves).map(Some)
            }
        }
        _ => Err(ParseOpeningsError {
            line,
            fault: LineFault::Scid,
        }),
    }
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

//! `stamma search --fen-file`: one answer for each line of a list of FENs or EPDs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::Serialize;

use super::args::SearchFormat;
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::{Outcome, say};
use crate::error::{Error, Result};
use crate::query::{PositionSearch, positions_meant};
use crate::storage::Database;

/// The answer to a line.
#[derive(Debug, Serialize)]
struct Answer {
    /// The operand of the opcode `id`, where the line has one.
    id: Option<String>,
    fen: String,
    /// How many games reach the position; nothing when the line is no FEN.
    games: Option<u64>,
}

/// Answers each line in its order; empty lines and those that begin with `#` are passed over.
pub(super) fn answer(
    database: &Database,
    list: &Path,
    format: SearchFormat,
    out: &mut impl Write,
) -> Result<Outcome> {
    let connection = &database.connection;
    let search = PositionSearch::new(connection).map_err(|e| database.error(e))?;
    let mut outcome = Outcome::Done;
    if format == SearchFormat::Csv {
        write_csv::<Answer>(&["id", "fen", "games"], &[], out)?;
    }
    for (number, line) in lines(list)?.enumerate() {
        let line = line.map_err(Error::file(list))?;
        let Some((fen, id)) = split(&line) else { continue };
        let games = match positions_meant(&fen) {
            Ok(positions) => {
                let count = search.count(connection, &positions);
                Some(count.map_err(|e| database.error(e))?)
            }
            Err(error) => {
                say!("{}:{}: {error}", list.display(), number + 1);
                outcome = Outcome::DataProblems;
                None
            }
        };
        write(&Answer { id, fen, games }, format, out)?;
    }
    Ok(outcome)
}

fn lines(list: &Path) -> Result<Box<dyn Iterator<Item = io::Result<String>>>> {
    if list == Path::new("-") {
        return Ok(Box::new(io::stdin().lock().lines()));
    }
    let file = File::open(list).map_err(Error::file(list))?;
    Ok(Box::new(BufReader::new(file).lines()))
}

fn write(answer: &Answer, format: SearchFormat, out: &mut impl Write) -> Result<()> {
    match format {
        SearchFormat::Jsonl => write_jsonl(std::slice::from_ref(answer), out),
        SearchFormat::Csv => write_csv_rows(std::slice::from_ref(answer), out),
        SearchFormat::Count | SearchFormat::Table => {
            let games = answer.games.map_or_else(|| "-".to_owned(), |games| games.to_string());
            let name = answer.id.as_ref().unwrap_or(&answer.fen);
            writeln!(out, "{games}\t{name}").map_err(Error::Output)
        }
    }
}

/// The FEN of a line and its `id`, nothing when there is nothing to ask.
///
/// An EPD has four fields and then operations, each ended by a semicolon (PGN §16.2); a FEN may be
/// short, and has at most six fields.
fn split(line: &str) -> Option<(String, Option<String>)> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_counter = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let counters = fields.iter().skip(4).take(2).take_while(|field| is_counter(field)).count();
    let fen = fields[..fields.len().min(4 + counters)].join(" ");
    Some((fen, operand(line, "id")))
}

/// The operand of an opcode, without its quotation marks.
fn operand(line: &str, opcode: &str) -> Option<String> {
    let mut rest = line;
    while let Some(at) = rest.find(opcode) {
        let (before, after) = (&rest[..at], &rest[at + opcode.len()..]);
        if before.ends_with([' ', ';']) && after.starts_with(' ') {
            let after = after.trim_start();
            return Some(match after.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
                None => after.split([';', ' ']).next().unwrap_or_default().to_owned(),
            });
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! splits {
        ($($name:ident: $line:expr => $fen:expr, $id:expr;)*) => {$(
            #[test]
            fn $name() {
                let id: Option<&str> = $id;
                assert_eq!(split($line), Some(($fen.to_owned(), id.map(str::to_owned))));
            }
        )*};
    }

    splits! {
        fen: "4k3/8/8/8/8/8/8/4K3 w - - 3 17" => "4k3/8/8/8/8/8/8/4K3 w - - 3 17", None;
        short: "4k3/8/8/8/8/8/8/4K3" => "4k3/8/8/8/8/8/8/4K3", None;
        epd: "4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id \"two kings\";"
            => "4k3/8/8/8/8/8/8/4K3 b - -", Some("two kings");
        epd_with_counters: "4k3/8/8/8/8/8/8/4K3 w - - 3 17 id \"a\";"
            => "4k3/8/8/8/8/8/8/4K3 w - - 3 17", Some("a");
        id_within_a_comment: "4k3/8/8/8/8/8/8/4K3 w - - c0 \"did id\";"
            => "4k3/8/8/8/8/8/8/4K3 w - -", None;
        bare_id: "4k3/8/8/8/8/8/8/4K3 w - - id x7;" => "4k3/8/8/8/8/8/8/4K3 w - -", Some("x7");
    }

    #[test]
    fn remarks_are_passed_over() {
        assert_eq!(split("# positions"), None);
        assert_eq!(split("  "), None);
    }
}

//! `stamma search --fen-file`: one answer for each line of a list of FENs or EPDs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::Serialize;

use super::args::{self, SearchFormat};
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::{Outcome, say};
use crate::error::{Error, Result};
use crate::notation::Epd;
use crate::query::PositionSearch;
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
    arguments: &args::Search,
    out: &mut impl Write,
) -> Result<Outcome> {
    let format = arguments.format;
    let connection = &database.connection;
    let search = PositionSearch::new(connection).map_err(|e| database.error(e))?;
    let mut outcome = Outcome::Done;
    if format == SearchFormat::Csv {
        write_csv::<Answer>(&["id", "fen", "games"], &[], out)?;
    }
    for (number, line) in lines(list)?.enumerate() {
        let line = line.map_err(Error::file(list))?;
        let Some(epd) = read(&line) else { continue };
        let games = match arguments.asked.positions(&epd.fen) {
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
        let id = epd.operand("id").map(str::to_owned);
        write(&Answer { id, fen: epd.fen, games }, format, out)?;
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
        // Whole games and positions are refused before.
        SearchFormat::Count | SearchFormat::Table | SearchFormat::Pgn | SearchFormat::Epd => {
            let games = answer.games.map_or_else(|| "-".to_owned(), |games| games.to_string());
            let name = answer.id.as_ref().unwrap_or(&answer.fen);
            writeln!(out, "{games}\t{name}").map_err(Error::Output)
        }
    }
}

/// What stands in a line, nothing when there is nothing to ask.
fn read(line: &str) -> Option<Epd<'_>> {
    let line = line.trim_start_matches('\u{feff}').trim();
    let is_remark = line.is_empty() || line.starts_with('#');
    (!is_remark).then(|| Epd::read(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_passed_over() {
        for line in ["# positions", "  ", "\u{feff}"] {
            assert_eq!(read(line), None, "{line:?}");
        }
        assert_eq!(read("\u{feff}8/8 w").map(|epd| epd.fen), Some("8/8 w".to_owned()));
    }
}

//! `stamma search --fen-file`: an answer for each line of a list of FENs or EPDs.

mod lines;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::{self, SearchFormat};
use super::import::use_threads;
use super::output::buffered_output;
use super::printable::printable;
use super::records::{write_csv, write_csv_rows, write_jsonl};
use super::terminal::number_or_dash;
use super::{Outcome, activity, file_error, say, say_indexed_plies, say_unindexed};
use lines::Batch;
pub(super) use lines::Batches;
use stamma::error::{Error, Result};
use stamma::notation::Epd;
use stamma::query::SearchPool;

/// The answer for a line.
#[derive(Debug, Serialize)]
struct Answer {
    /// The operand of the opcode `id`, if the line has one.
    id: Option<String>,
    /// The FEN, or the moves in its place, as in the line.
    fen: String,
    /// The number of games that reach the position; `None` if the line is not a FEN.
    games: Option<u64>,
}

/// The answers for a batch.
#[derive(Debug, Default)]
struct Answers {
    /// The answers in the requested format.
    written: Vec<u8>,
    /// The numbers of lines that are not positions, with the errors.
    faults: Vec<(usize, String)>,
}

/// Answers each line in order; skips empty lines and comments, which begin with `#`.
pub(super) fn run(
    list: &Path,
    databases: Vec<PathBuf>,
    arguments: &args::Search,
) -> Result<Outcome> {
    use_threads(arguments.threads);
    let input = open(list)?;

    let pool = SearchPool::open(databases)?;
    pool.query(|database, _| {
        say_unindexed(database)?;
        say_indexed_plies(database)
    })?;

    let mut out = buffered_output()?;
    if arguments.format == SearchFormat::Csv {
        write_csv::<Answer>(&["id", "fen", "games"], &[], arguments.csv_cells, &mut out)?;
    }
    // The threads of the pool count games; this thread writes the answers in the order of the list.
    let work = |read: io::Result<Batch>| {
        let batch = read.map_err(file_error(list))?;
        answers(&pool, &batch, arguments)
    };
    let mut outcome = Outcome::Done;
    let sink = |answers: Result<Answers>| {
        let answers = answers?;
        // The program that writes the list may wait for each answer before it writes the next position.
        out.write_all(&answers.written).map_err(Error::Output)?;
        out.flush().map_err(Error::Output)?;

        for (line, fault) in answers.faults {
            say!("{}:{line}: {fault}", list.display());
            outcome = Outcome::DataProblems;
        }
        Ok::<(), Error>(())
    };
    pool.query_in_order(Batches::new(input), work, sink)?;

    out.flush().map_err(Error::Output)?;
    Ok(outcome)
}

/// Opens a list; `-` is standard input.
fn open(list: &Path) -> Result<Box<dyn Read + Send>> {
    if list == Path::new("-") {
        // While the command waits for a user's input, no progress is shown.
        activity::end();
        return Ok(Box::new(io::stdin()));
    }

    let file = File::open(list).map_err(file_error(list))?;
    Ok(Box::new(file))
}

/// Answers the lines of a batch.
fn answers(pool: &SearchPool, batch: &Batch, arguments: &args::Search) -> Result<Answers> {
    let mut answers = Answers::default();
    for (number, line) in batch.lines() {
        let Some(epd) = read_line(&line) else {
            continue;
        };

        let games = match arguments.position.positions(&epd.fen) {
            Ok(positions) => Some(pool.count(&positions)?),
            Err(error) => {
                answers.faults.push((number, error.to_string()));
                None
            }
        };
        let answer = Answer {
            id: epd.operand("id").map(str::to_owned),
            fen: epd.fen,
            games,
        };
        write(&answer, arguments, &mut answers.written)?;
    }
    Ok(answers)
}

/// Writes an answer in the requested format.
fn write(answer: &Answer, arguments: &args::Search, out: &mut impl Write) -> Result<()> {
    match arguments.format {
        SearchFormat::Jsonl => write_jsonl(std::slice::from_ref(answer), out),
        SearchFormat::Csv => write_csv_rows(std::slice::from_ref(answer), arguments.csv_cells, out),
        // Options that list games or positions have been rejected before.
        SearchFormat::Count
        | SearchFormat::Table
        | SearchFormat::Json
        | SearchFormat::Pgn
        | SearchFormat::Epd => {
            let games = number_or_dash(answer.games);
            let name = answer.id.as_ref().unwrap_or(&answer.fen);
            writeln!(out, "{games}\t{}", printable(name)).map_err(Error::Output)
        }
    }
}

/// Parses a line; `None` if it is empty or a comment. The first line may begin with a byte order mark.
pub(super) fn read_line(line: &str) -> Option<Epd<'_>> {
    let text = line.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with('#') {
        return None;
    }

    let first_field = text.split_whitespace().next().unwrap_or_default();
    if first_field.contains('/') {
        return Some(Epd::read(text));
    }

    // A line without the board of a FEN has moves in place of a FEN, and no operations.
    Some(Epd {
        fen: text.to_owned(),
        operations: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_passed_over() {
        for line in ["# positions", "  ", "\u{feff}"] {
            assert_eq!(read_line(line), None, "{line:?}");
        }

        let epd = read_line("\u{feff}8/8 w").expect("a position");
        assert_eq!(epd.fen, "8/8 w");
    }
}

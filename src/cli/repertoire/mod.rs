//! `stamma repertoire`

mod annotated;
mod answer;
mod listed;
mod marked;
mod rows;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::args::{RepertoireFormat, RepertoireList};
use super::output::{buffered_output, output_of, refuse_any_of};
use super::suggestions::say_unknown;
use super::{Outcome, args, file_error, open_to_ask, say, say_unindexed};
use answer::{Answer, Rows};
use stamma::error::{Error, Result};
use stamma::input::{Encoding, decode};
use stamma::query::{Repertoire, RepertoireError, RepertoireHits, RepertoireReader, Watch};

pub(super) fn run(arguments: &args::Repertoire) -> Result<Outcome> {
    let repertoire = read(arguments)?;
    let database = open_to_ask(&arguments.database)?;
    say_unindexed(&database)?;
    let query = arguments.query();
    say_unknown([&database], &query.filter)?;
    let hits = RepertoireHits::read(&database, &repertoire, &query, &Watch::new())?;
    let answer = Answer { database: &database, repertoire: &repertoire, hits: &hits, arguments };
    let left_out = match &arguments.output {
        None => {
            let mut out = buffered_output()?;
            let left_out = write(&answer, &mut out)?;
            out.flush().map_err(Error::Output)?;
            left_out
        }
        Some(path) => {
            refuse_any_of(path, arguments.files.iter().map(PathBuf::as_path))?;
            let mut out = output_of(&database, path)?;
            let left_out = write(&answer, &mut out)?;
            out.finish(Outcome::Done)?;
            left_out
        }
    };
    answer.say(left_out);
    Ok(if repertoire.remarks().is_empty() { Outcome::Done } else { Outcome::DataProblems })
}

/// Reads the files of a repertoire, and says which places cannot be read.
fn read(arguments: &args::Repertoire) -> Result<Repertoire> {
    let mut reader = RepertoireReader::new();
    for path in &arguments.files {
        let bytes = bytes_of(path)?;
        let decoded = decode(&bytes, Encoding::UTF_8);
        reader.read(&path.display().to_string(), decoded.text());
    }
    for remark in reader.remarks() {
        say!("{remark}");
    }
    reader.finish(arguments.side()).map_err(|error| {
        Error::Repertoire(match error {
            RepertoireError::UnclearSide { .. } => {
                format!("{error}; give --as white or --as black")
            }
            _ => error.to_string(),
        })
    })
}

fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match path == Path::new("-") {
        true => io::stdin().read_to_end(&mut bytes).map_err(Error::Input)?,
        false => {
            let mut file = std::fs::File::open(path).map_err(file_error(path))?;
            file.read_to_end(&mut bytes).map_err(file_error(path))?
        }
    };
    Ok(bytes)
}

/// Writes the answer; returns how many rows were written, and how many there are.
fn write(answer: &Answer<'_>, out: &mut impl Write) -> Result<Rows> {
    match (answer.arguments.format, answer.arguments.list) {
        (RepertoireFormat::Annotated, _) => annotated::write(answer, out),
        (RepertoireFormat::Pgn, _) => marked::write(answer, out),
        (_, RepertoireList::Games) => listed::write_games(answer, out),
        (_, RepertoireList::Lines) => listed::write_lines(answer, out),
        _ => listed::write_departures(answer, out),
    }
}

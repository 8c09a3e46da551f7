//! `stamma repertoire`

mod annotated;
mod answer;
mod files;
mod listed;
mod marked;
mod rows;

use std::io::Write;
use std::path::PathBuf;

use super::args::{RepertoireFormat, RepertoireList};
use super::output::{buffered_output, output_of, refuse_any_of};
use super::suggestions::say_about_names;
use super::{Failure, Outcome, args, open_to_ask, say_unindexed};
use answer::{Answer, Rows};
pub(super) use files::read;
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::study::repertoire::RepertoireHits;

pub(super) fn run(arguments: &args::Repertoire) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let repertoire = read(&arguments.files, arguments.side())?;
    let database = open_to_ask(&arguments.database)?;
    say_unindexed(&database)?;
    say_about_names([&database], &query.filter)?;
    let hits = RepertoireHits::read(&database, &repertoire, &query, &Watch::new())?;
    let answer = Answer {
        database: &database,
        repertoire: &repertoire,
        hits: &hits,
        arguments,
    };
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
    Ok(if repertoire.remarks().is_empty() {
        Outcome::Done
    } else {
        Outcome::DataProblems
    })
}

/// Writes the answer; returns how many rows were written, and how many there are.
fn write(answer: &Answer<'_>, out: &mut impl Write) -> Result<Rows> {
    match (answer.arguments.format, answer.arguments.list) {
        (RepertoireFormat::Annotated, _) => annotated::write(answer, out),
        (RepertoireFormat::Pgn, _) => marked::write(answer, out),
        (RepertoireFormat::Json, _) => listed::write_json(answer, out),
        (_, RepertoireList::Games) => listed::write_games(answer, out),
        (_, RepertoireList::Lines) => listed::write_lines(answer, out),
        (_, RepertoireList::Mistakes) => listed::write_mistakes(answer, out),
        _ => listed::write_departures(answer, out),
    }
}

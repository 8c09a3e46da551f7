//! `stamma repertoire`: compares games with a repertoire.

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
use super::{Failure, Outcome, args, open_for_queries, say_unindexed};
use answer::{Answer, RowCounts};
pub(super) use files::read;
use stamma::error::{Error, Result};
use stamma::query::Watch;
use stamma::study::repertoire::RepertoireHits;

pub(super) fn run(arguments: &args::Repertoire) -> Result<Outcome, Failure> {
    let query = arguments.query()?;
    let repertoire = read(&arguments.files, arguments.side())?;
    let database = open_for_queries(&arguments.database)?;
    say_unindexed(&database)?;
    say_about_names([&database], &query.filter)?;

    let hits = RepertoireHits::read(&database, &repertoire, &query, &Watch::new())?;
    let answer = Answer {
        database: &database,
        repertoire: &repertoire,
        hits: &hits,
        arguments,
    };

    let rows = match &arguments.output {
        None => {
            let mut out = buffered_output()?;
            let rows = write(&answer, &mut out)?;
            out.flush().map_err(Error::Output)?;
            rows
        }
        Some(path) => {
            refuse_any_of(path, arguments.files.iter().map(PathBuf::as_path))?;
            let mut out = output_of(&database, path)?;
            let rows = write(&answer, &mut out)?;
            out.finish(Outcome::Done)?;
            rows
        }
    };
    answer.say(rows);

    if repertoire.remarks().is_empty() {
        Ok(Outcome::Done)
    } else {
        Ok(Outcome::DataProblems)
    }
}

/// Writes the answer in the requested format.
fn write(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    match answer.arguments.format {
        RepertoireFormat::Annotated => annotated::write(answer, out),
        RepertoireFormat::Pgn => marked::write(answer, out),
        RepertoireFormat::Json => listed::write_json(answer, out),
        RepertoireFormat::Table | RepertoireFormat::Jsonl | RepertoireFormat::Csv => {
            write_list(answer, out)
        }
    }
}

/// Writes the requested list as rows.
fn write_list(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    match answer.arguments.list {
        RepertoireList::Games => listed::write_games(answer, out),
        RepertoireList::Lines => listed::write_lines(answer, out),
        RepertoireList::Mistakes => listed::write_mistakes(answer, out),
        // A gap is a departure by a move of the opponent, listed with other columns.
        RepertoireList::Departures | RepertoireList::Gaps => listed::write_departures(answer, out),
    }
}

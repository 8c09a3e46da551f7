//! `stamma evaluations`: imports evaluations of positions, or lists their sources.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;

use super::args::ListFormat;
use super::output::buffered_output;
use super::progress::Progress;
use super::records::{write_csv, write_jsonl};
use super::table::table;
use super::terminal::terminal_width;
use super::{Outcome, WritableDatabase, args, complain, say};
use stamma::error::{Error, Result};
use stamma::evaluations::{EvaluationOptions, EvaluationSummary, import_evaluations};
use stamma::input::{Input, UnpackLimits, find_inputs};
use stamma::report::{counted, grouped};
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Evaluations) -> Result<Outcome> {
    if arguments.paths.is_empty() {
        return list(arguments);
    }

    let started = Instant::now();
    let mut failures = Vec::new();
    let inputs = inputs(arguments, &mut failures);

    let mut database = WritableDatabase::new(Database::open_to_write(&arguments.database)?);
    let options = EvaluationOptions {
        all: arguments.all,
        line_moves: arguments.line_moves.into(),
        memory: arguments.memory,
    };
    let progress = Progress::of_inputs(&inputs);
    let imported = import_evaluations(&mut database, inputs, options, |done| {
        progress.show_lines(done.bytes, done.lines);
    });
    progress.finish();
    let summary = imported?;

    say_unread(&summary);
    for failure in failures.iter().chain(&summary.failures) {
        complain(failure);
    }
    say!(
        "{}, {} of known positions, {} stored in {:.2} s",
        counted(summary.lines, "evaluation", "evaluations"),
        grouped(summary.known_positions),
        grouped(summary.stored),
        started.elapsed().as_secs_f64(),
    );

    let is_complete = summary.unread == 0 && failures.is_empty() && summary.failures.is_empty();
    if is_complete {
        Ok(Outcome::Done)
    } else {
        Ok(Outcome::DataProblems)
    }
}

/// The inputs of the arguments, with limits for decompression. Errors in paths go to `failures`.
fn inputs(arguments: &args::Evaluations, failures: &mut Vec<Error>) -> Vec<Input> {
    let limits = UnpackLimits {
        window_bytes: arguments.memory.window_bytes(),
        ..UnpackLimits::default()
    };

    let mut inputs = Vec::new();
    for input in find_inputs(&arguments.paths, failures) {
        inputs.push(input.with_limits(limits));
    }
    inputs
}

/// Reports the first lines that are not evaluations, and the number of further such lines.
fn say_unread(summary: &EvaluationSummary) {
    for place in &summary.places {
        let unit = if place.is_row { "row" } else { "line" };
        let number = grouped(place.number);
        say!("{}, {unit} {number}: this is no evaluation", place.source);
    }

    let named = summary.places.len() as u64;
    if summary.unread > named {
        say!("… and {} more", grouped(summary.unread - named));
    }
}

/// The fields of a [`Record`].
const COLUMNS: [&str; 3] = ["kind", "source", "positions"];
/// The indices of the columns with numbers in [`COLUMNS`].
const NUMBERS: [usize; 1] = [2];

/// A source of evaluations, with the number of positions that it evaluates.
#[derive(Serialize)]
struct Record {
    kind: String,
    source: String,
    positions: u64,
}

/// Lists the sources of the evaluations in a database.
fn list(arguments: &args::Evaluations) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    let sources = database.evaluation_counts()?;
    let mut records = Vec::with_capacity(sources.len());
    for (kind, source, positions) in sources {
        records.push(Record {
            kind,
            source,
            positions,
        });
    }

    let mut out = buffered_output()?;
    match arguments.format {
        ListFormat::Jsonl => write_jsonl(&records, &mut out)?,
        ListFormat::Csv => write_csv(&COLUMNS, &records, arguments.csv_cells, &mut out)?,
        ListFormat::Table => {
            let mut rows = vec![COLUMNS.map(str::to_owned).to_vec()];
            for record in &records {
                rows.push(vec![
                    record.kind.clone(),
                    record.source.clone(),
                    grouped(record.positions),
                ]);
            }
            let table = table(&rows, &NUMBERS, terminal_width());
            write!(out, "{table}").map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

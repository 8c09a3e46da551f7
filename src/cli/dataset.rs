//! `stamma dataset`: writes games and positions as Parquet files.

use std::path::Path;
use std::time::{Duration, Instant};

use super::args::GameSelection;
use super::import::{counting_problems, say_problems, use_threads};
use super::progress::Progress;
use super::suggestions::say_about_names;
use super::terminal::size;
use super::{Failure, Outcome, args, complain, open_for_queries, say, stop};
use stamma::dataset::{DatasetOptions, Tally, WrittenDataset, write, write_stored};
use stamma::error::Result;
use stamma::input::Input;
use stamma::report::counted;

pub(super) fn run(arguments: &args::Dataset) -> Result<Outcome, Failure> {
    let selection = arguments.selection()?;
    use_threads(arguments.threads);

    let started = Instant::now();
    let mut unreadable = 0;
    let written = match arguments.read_from.database()? {
        Some(path) => write_database(arguments, &selection, path)?,
        None if arguments.evaluations => return Err(Failure::NoEvaluationsInFiles),
        None => {
            let mut errors = Vec::new();
            let inputs = arguments.read_from.inputs(&mut errors);
            for error in &errors {
                complain(error);
            }
            if inputs.is_empty() {
                return Ok(Outcome::Failed);
            }

            unreadable = errors.len();
            write_inputs(arguments, &selection, &inputs)?
        }
    };

    for failure in &written.summary.failures {
        complain(failure);
    }
    if !arguments.quiet && !written.tables.is_empty() {
        arguments.read_from.say_of_databases(&written.summary.tally);
        report(&written, started.elapsed());
    }

    let failures = unreadable + written.summary.failures.len();
    let problems = counting_problems(&written.summary.tally, arguments.strict_exit);
    let outcome = if written.tables.is_empty() {
        Outcome::Failed
    } else if problems == 0 && failures == 0 {
        Outcome::Done
    } else {
        Outcome::DataProblems
    };
    Ok(outcome)
}

/// The options of the library for the data set.
fn options(arguments: &args::Dataset, selection: &GameSelection) -> DatasetOptions {
    let encoding = arguments.games_read.input_encoding;

    DatasetOptions {
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(encoding),
        memory: arguments.read_from.memory,
        query: selection.query(),
        spelled: Some(arguments.spelled.0.clone()),
        layout: arguments.layout(),
        buckets: arguments.buckets,
        max_ply: arguments.max_ply,
        fen: arguments.fen,
        plies: arguments.with_plies,
        evaluations: arguments.evaluations,
        bloom: arguments.bloom,
        shard: arguments.shard,
        name: arguments.part_name.clone(),
        id_salt: arguments.id_salt.clone(),
        stop: stop::stop_flag(),
    }
}

/// Writes the games of files, with a progress bar.
fn write_inputs(
    arguments: &args::Dataset,
    selection: &GameSelection,
    inputs: &[Input],
) -> Result<WrittenDataset> {
    let options = options(arguments, selection);
    if arguments.quiet {
        return write(inputs, &arguments.output, &options, |_| {});
    }

    let mut progress = Progress::of_inputs(inputs);
    let written = write(inputs, &arguments.output, &options, |tally| {
        progress.show(tally)
    });
    progress.finish();
    written
}

/// Writes the games of a database, with a progress bar.
fn write_database(
    arguments: &args::Dataset,
    selection: &GameSelection,
    path: &Path,
) -> Result<WrittenDataset> {
    let database = open_for_queries(path)?;
    let options = options(arguments, selection);
    say_about_names([&database], &selection.filter)?;

    if arguments.quiet {
        return write_stored(database, &arguments.output, &options, |_| {});
    }

    let progress = Progress::of_games(database.count_games()?);
    let show = |tally: &Tally| progress.show_games(tally.games);
    let written = write_stored(database, &arguments.output, &options, show);
    progress.finish();
    written
}

/// Reports the problems, and the sizes of the tables.
fn report(written: &WrittenDataset, time: Duration) {
    let tally = &written.summary.tally;
    say_problems(
        tally,
        &written.summary.first_problems,
        ", all in the table `problems`",
    );
    for table in &written.tables {
        let rows = counted(table.rows, "row", "rows");
        say!("{}: {rows}, {}", table.name, size(table.bytes));
    }
    say!("{} in {:.1} s", written.name, time.as_secs_f64());
}

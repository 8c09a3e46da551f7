//! `stamma import`: imports games into a database.

mod once;
mod report;
mod updates;
mod watch;

use std::time::Instant;

use super::args::is_named_database;
use super::output::{is_sqlite, problem_file};
use super::quoting::quoted_path;
use super::{Failure, Outcome, args, complain, say};
use once::{any_has_game, import_and_report};
pub(super) use report::{counting_problems, problems, say_problems};
use stamma::import::{Summary, Tally};
use stamma::input::Input;
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Import) -> Result<Outcome, Failure> {
    let filter = arguments.filter()?;
    if let Some(advice) = misplaced_database(arguments) {
        say!("stamma: {advice}");
        return Ok(Outcome::Failed);
    }

    use_threads(arguments.threads);
    if arguments.watch {
        return Ok(watch::run(arguments, &filter)?);
    }

    let mut failures = Vec::new();
    let mut inputs = arguments.read_from.inputs(&mut failures);
    for failure in &failures {
        complain(failure);
    }
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }

    let started = Instant::now();
    let options = arguments
        .read_from
        .options(arguments.games_read.input_encoding);
    // No database is created if no input has a game.
    if !arguments.database.exists() && !any_has_game(&mut inputs, options) {
        return Ok(Outcome::Failed);
    }

    let problems = problem_file(
        arguments.problems.as_deref(),
        &arguments.database,
        inputs.iter().filter_map(Input::path),
    )?;
    let (problem_file, problem_log) = problems.unzip();
    let summary = import_and_report(arguments, &filter, inputs, problem_log, started)?;

    let failure_count = summary.failures.len() + failures.len();
    let outcome = outcome(&summary, failure_count, arguments.strict_exit);
    if let Some(file) = problem_file {
        file.finish(outcome)?;
    }
    Ok(outcome)
}

/// The advice if the database is not the first path, or if another database is to be imported; `None` if neither.
fn misplaced_database(arguments: &args::Import) -> Option<String> {
    let first = arguments.database.as_path();
    let others = arguments.read_from.paths();

    let has_games = first.is_dir() || first.is_file() && !is_sqlite(first);
    let is_source = has_games && !is_named_database(first);
    if is_source && let Some(database) = others.iter().find(|path| is_named_database(path)) {
        let database = quoted_path(database);
        let source = quoted_path(first);
        return Some(format!(
            "the database comes first: stamma import {database} {source}"
        ));
    }

    if let [only] = others
        && is_sqlite(only)
        && Database::open_read_only(only).is_ok()
    {
        let database = quoted_path(first);
        let other = quoted_path(only);
        return Some(format!(
            "{other} is a database, whose games are appended by: stamma merge {database} {other}"
        ));
    }

    None
}

/// `Failed` if no file has a game; `DataProblems` after failures and problems. `failures` is the number of unread
/// inputs.
fn outcome(summary: &Summary, failures: usize, is_strict: bool) -> Outcome {
    let Tally {
        games,
        passed_over,
        updated,
        unchanged,
        ..
    } = summary.tally;
    let has_games = games + passed_over + updated + unchanged > 0;
    // Repeating a command succeeds, although all its files are imported already.
    let has_imported = has_games || !summary.earlier.is_empty();
    if summary.is_interrupted || !has_imported {
        return Outcome::Failed;
    }

    let problems = counting_problems(&summary.tally, is_strict);
    if problems == 0 && failures == 0 {
        Outcome::Done
    } else {
        Outcome::DataProblems
    }
}

/// Sets the number of threads, by default one per processor.
pub(super) fn use_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // On failure, the default pool is used.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global();
    }
}

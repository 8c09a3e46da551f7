//! `stamma import`

mod once;
mod report;
mod updates;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::meant::quoted;
use super::output::{is_sqlite, problem_file};
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
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    let started = Instant::now();
    let options = arguments
        .read_from
        .options(arguments.games_read.input_encoding);
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
    let outcome = outcome(
        &summary,
        summary.failures.len() + failures.len(),
        arguments.strict_exit,
    );
    problem_file.map_or(Ok(()), |file| file.finish(outcome))?;
    Ok(outcome)
}

/// What to type where the database is not first, or where a database is to be imported.
fn misplaced_database(arguments: &args::Import) -> Option<String> {
    let (database, paths) = (&arguments.database, arguments.read_from.paths());
    let shown = |path: &Path| quoted(&path.display().to_string());
    let names_database = |path: &PathBuf| path.extension().is_some_and(|end| end == "db");
    let is_source = database.is_dir() || database.is_file() && !is_sqlite(database);
    if let Some(last) = paths.iter().find(|path| names_database(path))
        && is_source
        && !names_database(database)
    {
        let (database, source) = (shown(last), shown(database));
        return Some(format!(
            "the database comes first: stamma import {database} {source}"
        ));
    }
    if let [only] = paths
        && is_sqlite(only)
        && Database::open_read_only(only).is_ok()
    {
        let (database, other) = (shown(database), shown(only));
        return Some(format!(
            "{other} is a database, whose games are appended by: stamma merge {database} {other}"
        ));
    }
    None
}

fn outcome(summary: &Summary, failures: usize, is_strict: bool) -> Outcome {
    let Tally {
        games,
        passed_over,
        updated,
        unchanged,
        ..
    } = summary.tally;
    let has_read = games + passed_over + updated + unchanged > 0;
    let has_imported = has_read || !summary.earlier.is_empty();
    match (
        has_imported,
        counting_problems(&summary.tally, is_strict),
        failures,
    ) {
        _ if summary.is_interrupted => Outcome::Failed,
        (false, ..) => Outcome::Failed,
        (true, 0, 0) => Outcome::Done,
        _ => Outcome::DataProblems,
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

//! `stamma import`

mod report;

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::materialize::materialize;
use super::output::problem_log;
use super::progress::Progress;
use super::{Outcome, args, complain, say_upgrade, stop};
use crate::error::{Error, Result};
use crate::import::{Event, Options, ReadOptions, Summary, has_game, import};
use crate::input::Input;
use crate::storage::Database;
pub(super) use report::say_problems;

pub(super) fn run(arguments: &args::Import) -> Result<Outcome> {
    let mut failures = Vec::new();
    let mut inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    let started = Instant::now();
    let options = arguments.read_from.options(arguments.games_read.input_encoding);
    if !arguments.database.exists() && !any_has_game(&mut inputs, options) {
        return Ok(Outcome::Failed);
    }
    let summary = import_all(arguments, inputs)?;
    summary.failures.iter().for_each(complain);
    if !arguments.quiet {
        report::say_all(&summary, started.elapsed(), &arguments.database);
    }
    if arguments.json {
        report::print_json(&summary, started.elapsed(), &arguments.database)?;
    }
    Ok(outcome(&summary, summary.failures.len() + failures.len()))
}

fn outcome(summary: &Summary, failures: usize) -> Outcome {
    let has_imported = summary.tally.games > 0 || !summary.met.is_empty();
    match (has_imported, summary.tally.problem_count(), failures) {
        _ if summary.is_interrupted => Outcome::Failed,
        (false, ..) => Outcome::Failed,
        (true, 0, 0) => Outcome::Done,
        _ => Outcome::DataProblems,
    }
}

fn import_all(arguments: &args::Import, inputs: Vec<Input>) -> Result<Summary> {
    let read = inputs.iter().filter_map(Input::path).chain([arguments.database.as_path()]);
    let problem_log = problem_log(arguments.problems.as_deref(), read)?;
    let mut database = Database::open_or_create_within(&arguments.database, arguments.wait)?;
    say_upgrade(&database);
    let first_game = database.first_unfinished_game()?;
    let options = Options {
        memory: arguments.read_from.memory,
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(arguments.games_read.input_encoding),
        index_variations: arguments.index_variations,
        again: arguments.again,
        stop: Some(stop::when_asked()),
        problem_log,
        ..Options::default()
    };
    stop::survive_size_limits();
    let mut progress = progress(arguments, &inputs);
    // What is said of the only source is said at the end.
    let only = inputs.first().filter(|_| inputs.len() == 1).map(|input| input.name().to_owned());
    let summary = import(&mut database, inputs, options, |event| match event {
        Event::Written(tally) => progress.show(tally),
        Event::Ended(source) if only.as_ref() == Some(&source.path) => {}
        Event::Ended(source) => progress.say(&report::ended(source)),
    });
    progress.finish();
    let summary = summary?;
    if arguments.store_fen && summary.tally.games > 0 {
        // What was imported stays, whatever becomes of the table beside it.
        materialize(&database, Some(&format!("id >= {first_game}")))?;
    }
    Ok(summary)
}

fn progress(arguments: &args::Import, inputs: &[Input]) -> Progress {
    match () {
        () if arguments.quiet => Progress::none(),
        () if arguments.progress => Progress::in_lines(inputs),
        () => Progress::of_inputs(inputs),
    }
}

/// Has the work done by so many threads, by one for each processor if nothing is said.
pub(super) fn use_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // When it fails, the default pool does the work.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
}

/// `true` when there may be a game in one of some inputs; else says why there is none.
///
/// A database without games would be left, and whoever named it wrongly would wonder.
fn any_has_game(inputs: &mut [Input], options: ReadOptions) -> bool {
    let mut reasons = Vec::new();
    for input in inputs {
        match has_game(input, options) {
            Ok(true) => return true,
            Ok(false) => reasons.push(Error::NoGames(input.name().to_owned())),
            Err(error) => reasons.push(error),
        }
    }
    reasons.iter().for_each(complain);
    false
}

fn bytes(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

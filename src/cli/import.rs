//! `stamma import`

mod report;
mod watch;

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::meant::quoted;
use super::output::{is_sqlite, problem_file};
use super::progress::Progress;
use super::{Outcome, WritableDatabase, args, complain, materialize, say, stop};
pub(super) use report::{problems, say_problems};
use stamma::error::{Error, Result};
use stamma::game::Ply;
use stamma::import::{
    Event, ImportOptions, ProblemLog, ReadOptions, Summary, Tally, has_game, import,
};
use stamma::input::Input;
use stamma::replay::Effect;
use stamma::report::counted;
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Import) -> Result<Outcome> {
    if let Some(advice) = misplaced_database(arguments) {
        say!("stamma: {advice}");
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    if arguments.watch {
        return watch::run(arguments);
    }
    let mut failures = Vec::new();
    let mut inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    let started = Instant::now();
    let options = arguments.read_from.options(arguments.games_read.input_encoding);
    if !arguments.database.exists() && !any_has_game(&mut inputs, options) {
        return Ok(Outcome::Failed);
    }
    let problems = problem_file(
        arguments.problems.as_deref(),
        &arguments.database,
        inputs.iter().filter_map(Input::path),
    )?;
    let (problem_file, problem_log) = problems.unzip();
    let summary = import_and_report(arguments, inputs, problem_log, started)?;
    let outcome = outcome(&summary, summary.failures.len() + failures.len(), arguments.strict_exit);
    problem_file.map_or(Ok(()), |file| file.finish(outcome))?;
    Ok(outcome)
}

/// Imports the inputs, and reports what was imported.
fn import_and_report(
    arguments: &args::Import,
    inputs: Vec<Input>,
    problem_log: Option<ProblemLog>,
    started: Instant,
) -> Result<Summary> {
    let (summary, made_up) = import_all(arguments, inputs, problem_log)?;
    summary.failures.iter().for_each(complain);
    if !arguments.quiet {
        arguments.read_from.say_of_databases(&summary.tally);
        report::say_all(&summary, started.elapsed(), &arguments.database);
        if made_up > 0 {
            let games = counted(made_up, "game", "games");
            say!("position_fen: the positions of {games} written that were imported before");
        }
    }
    if arguments.json {
        report::print_json(&summary, started.elapsed(), &arguments.database)?;
    }
    Ok(summary)
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
        return Some(format!("the database comes first: stamma import {database} {source}"));
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
    let Tally { games, passed_over, .. } = summary.tally;
    let has_imported = games > 0 || passed_over > 0 || !summary.earlier.is_empty();
    match (has_imported, counting_problems(&summary.tally, is_strict), failures) {
        _ if summary.is_interrupted => Outcome::Failed,
        (false, ..) => Outcome::Failed,
        (true, 0, 0) => Outcome::Done,
        _ => Outcome::DataProblems,
    }
}

/// The problems that cause exit code 1: those with unreadable text, or all if `--strict` is given.
pub(super) fn counting_problems(tally: &Tally, is_strict: bool) -> u64 {
    if is_strict { tally.problem_count() } else { tally.problems_with(Effect::Unread) }
}

fn import_all(
    arguments: &args::Import,
    inputs: Vec<Input>,
    problem_log: Option<ProblemLog>,
) -> Result<(Summary, u64)> {
    let opened = Database::open_or_create_within(&arguments.database, arguments.wait)?;
    let mut database = WritableDatabase::new(opened);
    let options = ImportOptions {
        memory: arguments.read_from.memory,
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(arguments.games_read.input_encoding),
        index_variations: arguments.index_variations,
        index_plies: arguments.index_plies.map(Ply::new),
        filter: arguments.filter(),
        unique: arguments.is_unique(),
        limit: arguments.limit(),
        again: arguments.again,
        stop: Some(stop::stop_flag_before("indexing what has been read")),
        problem_log,
        ..ImportOptions::default()
    };
    let mut progress = progress(arguments, &inputs);
    // The single source is reported at the end; one that has just appeared needs its name.
    let is_named = inputs.len() == 1 && !arguments.watch;
    let only = inputs.first().filter(|_| is_named).map(|input| input.name().to_owned());
    let summary = import(&mut database, inputs, options, |event| match event {
        Event::CaughtUp { games, all } => progress.show_caught_up(games, all),
        Event::Written(tally) => progress.show(tally),
        Event::Ended(source) if only.as_ref() == Some(&source.path) => {}
        Event::Ended(source) => progress.say(&report::ended(source)),
    });
    progress.finish();
    let summary = summary?;
    let made_up = match arguments.store_fen && !summary.is_interrupted {
        true => store_fens(&database, &summary)?,
        false => 0,
    };
    Ok((summary, made_up))
}

/// Writes the positions of all games of the sources that are not in the table yet. On failure, the import is kept, and
/// running the same command again writes them. Returns how many of the games were imported before.
fn store_fens(database: &Database, summary: &Summary) -> Result<u64> {
    let write = |progress: &mut dyn FnMut(u64, u64)| {
        database.materialize_sources(&summary.sources, progress)
    };
    let written = materialize::with_progress(write)?;
    Ok(written.games.saturating_sub(summary.tally.games))
}

fn progress(arguments: &args::Import, inputs: &[Input]) -> Progress {
    match () {
        () if arguments.quiet => Progress::none(),
        () if arguments.progress => Progress::in_lines(inputs).with_index(),
        () => Progress::of_inputs(inputs).with_index(),
    }
}

/// Sets the number of threads, by default one per processor.
pub(super) fn use_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // On failure, the default pool is used.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
}

/// `true` if some input may contain a game; otherwise reports why none does.
///
/// Otherwise a misspelt path would leave an empty database behind.
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

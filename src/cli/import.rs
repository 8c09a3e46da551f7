//! `stamma import`

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::materialize::materialize;
use super::output::problem_log;
use super::progress::Progress;
use super::terminal::{counted, grouped, size};
use super::{Outcome, args, complain, say};
use crate::error::{Error, Result};
use crate::import::{Met, Options, Summary, has_game, import};
use crate::input::{Encoding, Input};
use crate::storage::Database;

pub(super) fn run(arguments: &args::Import) -> Result<Outcome> {
    let mut failures = Vec::new();
    let mut inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    let started = Instant::now();
    let encoding = arguments.games_read.input_encoding;
    if !arguments.database.exists() && !any_has_game(&mut inputs, encoding) {
        return Ok(Outcome::Failed);
    }
    let read = inputs.iter().filter_map(Input::path).chain([arguments.database.as_path()]);
    let problem_log = problem_log(arguments.problems.as_deref(), read)?;
    let mut database = Database::open_or_create(&arguments.database)?;
    let first_game = database.number_after_games()?;
    let progress = Progress::of_inputs(&inputs);
    let (memory, readings) = (arguments.memory, arguments.games_read.readings());
    let index_variations = arguments.index_variations;
    let options =
        Options { memory, readings, encoding, index_variations, problem_log, ..Options::default() };
    let summary = import(&mut database, inputs, options, |tally| progress.show(tally));
    progress.finish();
    let fens = match &summary {
        Ok(summary) if arguments.store_fen && summary.tally.games > 0 => {
            materialize(&database, Some(&format!("id >= {first_game}"))).map(drop)
        }
        _ => Ok(()),
    };
    drop(database);
    let imported =
        matches!(&summary, Ok(summary) if summary.tally.games > 0 || !summary.met.is_empty());
    let summary = summary?;
    summary.failures.iter().for_each(complain);
    summary.met.iter().for_each(report_met);
    report(&summary, started.elapsed(), arguments);
    // What was imported stays, whatever became of the table beside it.
    fens?;
    Ok(match (imported, summary.tally.problem_count(), summary.failures.len() + failures.len()) {
        (false, ..) => Outcome::Failed,
        (true, 0, 0) => Outcome::Done,
        _ => Outcome::DataProblems,
    })
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
fn any_has_game(inputs: &mut [Input], encoding: Option<Encoding>) -> bool {
    let mut reasons = Vec::new();
    for input in inputs {
        match has_game(input, encoding) {
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

fn report_met(met: &Met) {
    match met {
        Met::Known(path) => say!("{}: imported before, passed over", path.display()),
        Met::Unfinished { path, bytes } => {
            say!("{}: gone on behind {} imported before", path.display(), size(*bytes));
        }
        Met::Grown { path, known } => {
            say!(
                "{}: begins with {known}, which was imported before; only the rest was read",
                path.display()
            );
        }
    }
}

fn report(summary: &Summary, time: Duration, arguments: &args::Import) {
    let tally = &summary.tally;
    if tally.games == 0 {
        return;
    }
    report_problems(summary, ", all in the table `problem`");
    let seconds = time.as_secs_f64();
    say!(
        "{}, {}, {} in {seconds:.2} s ({} games/s); {} is {}",
        counted(tally.games, "game", "games"),
        counted(tally.positions, "position", "positions"),
        counted(tally.problem_count(), "problem", "problems"),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
        arguments.database.display(),
        size(bytes(&arguments.database)),
    );
}

/// Says the first problems, and when there are more, how many of each kind and `where_all` are.
pub(super) fn report_problems(summary: &Summary, where_all: &str) {
    let tally = &summary.tally;
    for line in &summary.first_problems {
        say!("{line}");
    }
    let shown = summary.first_problems.len() as u64;
    if tally.problem_count() > shown {
        let more = counted(tally.problem_count() - shown, "more problem", "more problems");
        say!("… and {more}{where_all}:");
        for (kind, &count) in &tally.problems {
            say!("{:>9}  {kind}", grouped(count));
        }
    }
}

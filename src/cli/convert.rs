//! `stamma convert`

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::import::{bytes, files, report_problems, use_threads};
use super::output::{is_same_file, problem_log, replace_file};
use super::progress::Progress;
use super::terminal::{counted, grouped};
use super::{Outcome, args, complain, say};
use crate::convert::{Source, convert};
use crate::error::{Error, Result};
use crate::import::{ProblemLog, Summary};

pub(super) fn run(arguments: &args::Convert) -> Result<Outcome> {
    let mut failures = Vec::new();
    let sources = sources(&arguments.paths, &mut failures);
    failures.iter().for_each(complain);
    if sources.is_empty() {
        return Ok(Outcome::Failed);
    }
    let read = sources.iter().map(Source::name);
    let log = problem_log(arguments.problems.as_deref(), read.chain(arguments.output.as_deref()))?;
    use_threads(arguments.threads);
    let started = Instant::now();
    let summary = match &arguments.output {
        Some(path) => {
            refuse_own_input(path, &sources)?;
            replace_file(path, |out| write(arguments, &sources, log.as_ref(), true, out))
        }
        None => write(arguments, &sources, log.as_ref(), false, &mut io::stdout().lock()),
    }?;
    summary.failures.iter().for_each(complain);
    report(&summary, started.elapsed());
    Ok(match (summary.tally.games, summary.tally.problem_count(), summary.failures.len()) {
        (0, ..) => Outcome::Failed,
        (_, 0, 0) if failures.is_empty() => Outcome::Done,
        _ => Outcome::DataProblems,
    })
}

/// All that is to be read, in its order; standard input when nothing is named and something is there.
fn sources(paths: &[PathBuf], failures: &mut Vec<Error>) -> Vec<Source> {
    if paths.is_empty() {
        if io::stdin().is_terminal() {
            failures.push(Error::NoInput);
            return Vec::new();
        }
        return vec![Source::StandardInput];
    }
    let mut sources = Vec::new();
    for path in paths {
        match path.as_os_str() == "-" {
            true => sources.push(Source::StandardInput),
            false => sources
                .extend(files(std::slice::from_ref(path), failures).into_iter().map(Source::File)),
        }
    }
    sources
}

fn refuse_own_input(path: &Path, sources: &[Source]) -> Result<()> {
    let is_input =
        |source: &Source| matches!(source, Source::File(file) if is_same_file(file, path));
    match sources.iter().any(is_input) {
        true => Err(Error::WouldOverwriteInput(path.to_owned())),
        false => Ok(()),
    }
}

fn write(
    arguments: &args::Convert,
    sources: &[Source],
    log: Option<&ProblemLog>,
    with_progress: bool,
    out: &mut impl Write,
) -> Result<Summary> {
    let (readings, style) = (arguments.moves_read.readings(), arguments.written.style());
    let is_known = !sources.contains(&Source::StandardInput);
    if !with_progress || !is_known {
        return convert(sources, &readings, &style, out, log, |_| {});
    }
    let progress = Progress::new(sources.iter().map(|source| bytes(source.name())).sum());
    let summary = convert(sources, &readings, &style, out, log, |tally| progress.show(tally));
    progress.finish();
    summary
}

fn report(summary: &Summary, time: Duration) {
    let tally = &summary.tally;
    if tally.games == 0 {
        return;
    }
    report_problems(summary, "");
    let seconds = time.as_secs_f64();
    say!(
        "{}, {} in {seconds:.2} s ({} games/s)",
        counted(tally.games, "game", "games"),
        counted(tally.problem_count(), "problem", "problems"),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
    );
}

//! `stamma convert`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::import::{say_problems, use_threads};
use super::output::{is_same_file, replace_file};
use super::progress::Progress;
use super::remarks::Remarks;
use super::terminal::{counted, grouped};
use super::{Outcome, args, complain, report_replaced, say};
use crate::convert::{Conversion, Note, Options, convert};
use crate::error::{Error, Result};
use crate::import::Summary;
use crate::input::Input;

pub(super) fn run(arguments: &args::Convert) -> Result<Outcome> {
    let mut failures = Vec::new();
    let inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    for path in arguments.output.iter().map(PathBuf::as_path).chain(arguments.form.problems()) {
        refuse_own_input(path, &inputs)?;
    }
    arguments.form.refuse_problems_in(arguments.output.as_deref())?;
    arguments.form.with_remarks(|remarks| {
        let done = write_all(arguments, &inputs, remarks)?;
        Ok(outcome(&done, remarks.has_faults() || !failures.is_empty()))
    })
}

/// Writes all games, and says what is to be said of them.
fn write_all(
    arguments: &args::Convert,
    inputs: &[Input],
    remarks: &mut Remarks<'_>,
) -> Result<Conversion> {
    let started = Instant::now();
    let done = match &arguments.output {
        Some(path) => replace_file(path, |out| write(arguments, inputs, true, out, remarks)),
        None => write(arguments, inputs, false, &mut io::stdout().lock(), remarks),
    }?;
    done.summary.failures.iter().for_each(complain);
    remarks.report();
    report(&done.summary, started.elapsed());
    report_replaced(&done.replaced, arguments.written.byte_style().encoding);
    Ok(done)
}

fn outcome(done: &Conversion, has_faults: bool) -> Outcome {
    let Conversion { summary, replaced } = done;
    let problems = summary.tally.problem_count() + replaced.count;
    match (summary.tally.games, problems, summary.failures.len()) {
        (0, ..) => Outcome::Failed,
        (_, 0, 0) if !has_faults => Outcome::Done,
        _ => Outcome::DataProblems,
    }
}

fn refuse_own_input(path: &Path, inputs: &[Input]) -> Result<()> {
    match inputs.iter().filter_map(Input::path).any(|file| is_same_file(file, path)) {
        true => Err(Error::WouldOverwriteInput(path.to_owned())),
        false => Ok(()),
    }
}

fn write(
    arguments: &args::Convert,
    inputs: &[Input],
    with_progress: bool,
    out: &mut impl Write,
    remarks: &mut Remarks<'_>,
) -> Result<Conversion> {
    let options = Options {
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(arguments.games_read.input_encoding),
        memory: arguments.read_from.memory,
        writer: arguments.form.writer(&arguments.written),
        bytes: arguments.written.byte_style(),
    };
    let note = |note: Note<'_>| match note {
        Note::Problem(line) => remarks.problem(&line),
        Note::Remark(game, remark) => remarks.note(game, remark),
    };
    if !with_progress {
        return convert(inputs, &options, out, note, |_| {});
    }
    let mut progress = Progress::of_inputs(inputs);
    let done = convert(inputs, &options, out, note, |tally| progress.show(tally));
    progress.finish();
    done
}

fn report(summary: &Summary, time: Duration) {
    let tally = &summary.tally;
    if tally.games == 0 {
        return;
    }
    say_problems(summary, "");
    let seconds = time.as_secs_f64();
    say!(
        "{}, {} in {seconds:.2} s ({} games/s)",
        counted(tally.games, "game", "games"),
        counted(tally.problem_count(), "problem", "problems"),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
    );
}

//! `stamma convert`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::import::{counting_problems, problems, say_problems, use_threads};
use super::output::{OutputFile, refuse_any_of, standard_output};
use super::progress::Progress;
use super::remarks::Remarks;
use super::terminal::{counted, grouped};
use super::{Outcome, args, complain, name_tags, report_replaced, say};
use stamma::convert::{Conversion, Note, Options, Summary, convert};
use stamma::error::{Error, Result};
use stamma::export::PgnWriter;
use stamma::input::Input;
use stamma::storage::OpeningTable;

pub(super) fn run(arguments: &args::Convert) -> Result<Outcome> {
    let mut failures = Vec::new();
    let inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    for path in arguments.output.iter().map(PathBuf::as_path).chain(arguments.form.problems()) {
        // Input without a path comes from standard input, which may be a file with a path.
        let of_input = |input| Input::path(input).unwrap_or(Path::new("/dev/stdin"));
        refuse_any_of(path, inputs.iter().map(of_input))?;
    }
    arguments.form.refuse_problems_in(arguments.output.as_deref())?;
    arguments.form.with_remarks(|remarks| {
        let done = write_all(arguments, &inputs, remarks)?;
        let has_faults = remarks.has_faults() || !failures.is_empty();
        Ok(outcome(&done, has_faults, arguments.strict_exit))
    })
}

/// Writes all games, and reports problems and remarks.
fn write_all(
    arguments: &args::Convert,
    inputs: &[Input],
    remarks: &mut Remarks<'_>,
) -> Result<Conversion> {
    let started = Instant::now();
    let done = match &arguments.output {
        Some(path) => {
            let mut out = OutputFile::create(path)?;
            let done = write(arguments, inputs, !arguments.quiet, &mut out, remarks)?;
            out.finish(outcome(&done, false, arguments.strict_exit))?;
            done
        }
        None => {
            let mut out = standard_output().map_err(Error::Output)?;
            write(arguments, inputs, false, &mut out, remarks)?
        }
    };
    done.summary.failures.iter().for_each(complain);
    if !arguments.quiet {
        remarks.report();
        report(&done.summary, remarks, started.elapsed());
    }
    report_replaced(&done.replaced, arguments.written.byte_style().encoding);
    Ok(done)
}

fn outcome(done: &Conversion, has_faults: bool, is_strict: bool) -> Outcome {
    let Conversion { summary, replaced } = done;
    let problems = counting_problems(&summary.tally, is_strict) + replaced.count;
    match (summary.tally.games, problems, summary.failures.len()) {
        (0, ..) => Outcome::Failed,
        (_, 0, 0) if !has_faults => Outcome::Done,
        _ => Outcome::DataProblems,
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
        writer: PgnWriter {
            names: name_tags::of_conversion(&arguments.name_tags)?,
            ..arguments.form.writer(&arguments.written, OpeningTable::Standard)
        },
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

fn report(summary: &Summary, remarks: &Remarks<'_>, time: Duration) {
    let tally = &summary.tally;
    if tally.games == 0 {
        return;
    }
    say_problems(tally, &summary.first_problems, "");
    let seconds = time.as_secs_f64();
    let changes = |count: u64, one: &str, many: &str| match count {
        0 => String::new(),
        _ => format!(", {}", counted(count, one, many)),
    };
    let repairs = changes(remarks.repairs(), "repair by --fix", "repairs by --fix");
    let openings = changes(remarks.openings(), "tag of openings", "tags of openings");
    let names = changes(remarks.names(), "tag of names", "tags of names");
    say!(
        "{}, {}{repairs}{openings}{names} in {seconds:.2} s ({} games/s)",
        counted(tally.games, "game", "games"),
        problems(tally),
        grouped((tally.games as f64 / seconds.max(0.001)) as u64),
    );
}

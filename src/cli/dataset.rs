//! `stamma dataset`

use std::time::{Duration, Instant};

use super::import::{counting_problems, say_problems, use_threads};
use super::progress::Progress;
use super::terminal::{counted, size};
use super::{Outcome, args, complain, say, stop};
use stamma::dataset::{Options, Written, write};
use stamma::error::Result;
use stamma::input::Input;

pub(super) fn run(arguments: &args::Dataset) -> Result<Outcome> {
    let mut failures = Vec::new();
    let inputs = arguments.read_from.inputs(&mut failures);
    failures.iter().for_each(complain);
    if inputs.is_empty() {
        return Ok(Outcome::Failed);
    }
    use_threads(arguments.threads);
    let started = Instant::now();
    let written = write_all(arguments, &inputs)?;
    written.summary.failures.iter().for_each(complain);
    if !arguments.quiet && !written.tables.is_empty() {
        report(&written, started.elapsed());
    }
    let failures = failures.len() + written.summary.failures.len();
    let problems = counting_problems(&written.summary.tally, arguments.strict_exit);
    Ok(match (written.tables.is_empty(), problems, failures) {
        (true, ..) => Outcome::Failed,
        (false, 0, 0) => Outcome::Done,
        _ => Outcome::DataProblems,
    })
}

fn write_all(arguments: &args::Dataset, inputs: &[Input]) -> Result<Written> {
    let options = Options {
        readings: arguments.games_read.readings(),
        read: arguments.read_from.options(arguments.games_read.input_encoding),
        memory: arguments.read_from.memory,
        query: arguments.games.query(),
        layout: arguments.layout(),
        buckets: arguments.buckets,
        max_ply: arguments.max_ply,
        bloom: arguments.bloom,
        name: arguments.name.clone(),
        id_salt: arguments.id_salt.clone(),
        stop: stop::stop_flag(),
        ..Options::default()
    };
    if arguments.quiet {
        return write(inputs, &arguments.output, &options, |_| {});
    }
    let mut progress = Progress::of_inputs(inputs);
    let written = write(inputs, &arguments.output, &options, |tally| progress.show(tally));
    progress.finish();
    written
}

fn report(written: &Written, time: Duration) {
    let tally = &written.summary.tally;
    say_problems(tally, &written.summary.first_problems, ", all in the table `problems`");
    for table in &written.tables {
        let rows = counted(table.rows, "row", "rows");
        say!("{}: {rows}, {}", table.name, size(table.bytes));
    }
    say!("{} in {:.1} s", written.name, time.as_secs_f64());
}

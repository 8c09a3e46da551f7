//! Position searches as whole processes `stamma search DB FEN --format count`, for 1,000 positions of `questions`, with
//! every count checked against `pgn-reader` and `shakmaty` playing the whole file.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench search [-- FILE] [--database DB]` (default `archive.pgn`; without a database
//! the file is imported into a temporary one). Each position is searched once to warm up and three times to be timed;
//! the median is reported. The exit code is 1 if any count differs.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Parser;

#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
mod questions;
#[path = "../chess/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests draw more than positions")]
mod random;
mod timing;
mod truth;

use peer::{corpus_file, median, time};
use process::{STAMMA, named_or_imported};
use questions::{Question, questions};
use timing::{milliseconds, quantile};
use truth::truth;

/// The number of positions to search.
const COUNT: usize = 1_000;
/// The number of timed runs of a search.
const RUNS: usize = 3;
/// The number of wrong counts to print.
const SHOWN: usize = 20;

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive.pgn")]
    file: String,
    /// A database of this file alone, imported before
    #[arg(long, value_name = "DB")]
    database: Option<PathBuf>,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// An answer of Stamma.
struct Answer {
    /// `None` if the output is not a number.
    count: Option<u64>,
    /// The median of the timed runs.
    time: Duration,
}

/// Searches a position.
fn search(database: &Path, fen: &str) -> Answer {
    let mut command = Command::new(STAMMA);
    command.arg("search");
    command.arg(database);
    command.arg(fen);
    command.args(["--format", "count"]);
    let mut run = || command.output().expect("stamma runs");

    // The first run warms up.
    let output = run();
    let mut times = [Duration::ZERO; RUNS];
    for taken in &mut times {
        (_, *taken) = time(&mut run);
    }

    let printed = str::from_utf8(&output.stdout).unwrap_or_default();
    Answer {
        count: printed.trim().parse().ok(),
        time: median(&mut times),
    }
}

/// Prints quantiles of the times, and the slowest query.
fn print_times(questions: &[Question], answers: &[Answer]) {
    let mut times = Vec::new();
    for answer in answers {
        times.push(answer.time);
    }
    times.sort_unstable();
    let median = milliseconds(quantile(&times, 0.5));
    let percentile = milliseconds(quantile(&times, 0.99));
    println!("{:<24} {median:>8.2} ms", "median");
    println!("{:<24} {percentile:>8.2} ms", "99th percentile");

    let (question, slowest) = questions
        .iter()
        .zip(answers)
        .max_by_key(|(_, answer)| answer.time)
        .expect("a position");
    let worst = milliseconds(slowest.time);
    let fen = &question.fen;
    let count = slowest.count;
    println!("{:<24} {worst:>8.2} ms   {fen}   {count:?}", "worst");
}

/// The number of wrong answers; the first ones are printed.
fn differences(questions: &[Question], answers: &[Answer], truth: &[u64]) -> usize {
    let mut wrong = 0;
    for ((question, answer), truth) in questions.iter().zip(answers).zip(truth) {
        let count = answer.count;
        if count == Some(*truth) {
            continue;
        }

        wrong += 1;
        if wrong <= SHOWN {
            let fen = &question.fen;
            println!("different: {fen}   stamma {count:?}, peer {truth}");
        }
    }
    wrong
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(path) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    let pgn = fs::read(&path).expect("the corpus holds the file");
    let questions = questions(&pgn, COUNT);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = named_or_imported(arguments.database, &path, folder.path());

    let mut answers = Vec::new();
    for question in &questions {
        answers.push(search(&database, &question.fen));
    }
    println!("{}, {} positions", path.display(), questions.len());
    print_times(&questions, &answers);

    // Behind all searches, which are timed.
    let games = truth(&pgn, questions.iter().map(|question| question.key));
    let mut truth = Vec::new();
    for question in &questions {
        truth.push(games[&question.key].len() as u64);
    }

    let all: u64 = truth.iter().sum();
    println!("{:<24} {all:>8}", "games, all positions");
    let never = truth.iter().filter(|&&games| games == 0).count();
    println!("{:<24} {never:>8}", "positions of no game");
    let different = differences(&questions, &answers, &truth);
    println!("{:<24} {different:>8}", "counts that differ");
    if different == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

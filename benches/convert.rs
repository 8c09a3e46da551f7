//! A conversion as people run it: the whole process `stamma convert FILE`, to SAN and to long algebraic,
//! in turn with another program that does the same.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench convert [-- FILE] [--runs N] [--peer COMMAND] [--peer-lan COMMAND]`
//! (default `archive-100k.pgn`, five runs, `pgn-extract`). A peer's command is given the path of the file as its
//! last argument, and skipped where there is no such program. Medians count. What is written is checked: SAN is that of
//! an import and an export, and long algebraic has as many games. The exit code is 1 when it is not so.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use clap::Parser;

#[allow(dead_code, reason = "other benches read games with the peer")]
mod peer;

use peer::{corpus_file, median, time};

const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// How often each program is timed
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The other program, to SAN
    #[arg(long, value_name = "COMMAND", default_value = "pgn-extract -s -o/dev/null")]
    peer: String,
    /// The other program, to long algebraic
    #[arg(long, value_name = "COMMAND", default_value = "pgn-extract -Wlalg -s -o/dev/null")]
    peer_lan: String,
    /// What Cargo says to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// Runs a command with nothing of what it says; `false` when there is no such program.
fn runs(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok()
}

fn stamma(pgn: &Path, notation: &str) -> Command {
    let mut command = Command::new(STAMMA);
    command.arg("convert").arg(pgn).args(["--notation", notation]);
    command
}

fn peer_command(line: &str, pgn: &Path) -> Command {
    let mut words = line.split_ascii_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(pgn);
    command
}

/// Times both programs in turn, and prints their medians and how they compare.
fn compare(name: &str, runs_of_each: u32, mut own: Command, mut other: Command) {
    let (mut own_times, mut other_times): (Vec<Duration>, Vec<Duration>) = Default::default();
    for _ in 0..runs_of_each {
        own_times.push(time(|| runs(&mut own)).1);
        if let (true, taken) = time(|| runs(&mut other)) {
            other_times.push(taken);
        }
    }
    let own = median(&mut own_times).as_secs_f64();
    if other_times.is_empty() {
        println!("{name:<8} {own:>8.3} s   {:>8}", "no peer");
        return;
    }
    let other = median(&mut other_times).as_secs_f64();
    println!("{name:<8} {own:>8.3} s   peer {other:>8.3} s   {:>6.1} times", other / own);
}

/// What `stamma` prints.
fn output(arguments: &[&Path]) -> Vec<u8> {
    let output = Command::new(STAMMA).args(arguments).output().expect("stamma runs");
    // 1 says that some games have faults, and they have.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}");
    output.stdout
}

fn games(text: &[u8]) -> usize {
    memchr::memmem::find_iter(text, "\n[Result \"").count()
}

/// `true` when what is written is what it should be.
fn is_right(pgn: &Path) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (database, exported) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    output(&["import".as_ref(), &database, pgn]);
    output(&["export".as_ref(), &database, "-o".as_ref(), &exported]);
    let exported = fs::read(exported).expect("an export");
    let san = output(&["convert".as_ref(), pgn]);
    let lan = output(&["convert".as_ref(), pgn, "--notation".as_ref(), "lan".as_ref()]);
    println!("{} games, SAN as exported: {}", games(&san), san == exported);
    println!("{} games in long algebraic", games(&lan));
    san == exported && games(&lan) == games(&san)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else { return ExitCode::SUCCESS };
    println!("{}, {} runs", pgn.display(), arguments.runs);
    let runs = arguments.runs;
    compare("san", runs, stamma(&pgn, "san"), peer_command(&arguments.peer, &pgn));
    compare("lan", runs, stamma(&pgn, "lan"), peer_command(&arguments.peer_lan, &pgn));
    if is_right(&pgn) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

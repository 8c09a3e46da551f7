//! Conversions as whole processes, `stamma convert FILE` to SAN and to long algebraic, in turn with another program
//! that does the same.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench convert [-- FILE] [--runs N] [--peer COMMAND] [--peer-lan COMMAND]` (default
//! `archive-100k.pgn`, five runs, `pgn-extract`). The path of the file is appended to a peer's command; a missing peer
//! is skipped. Medians are reported. The output is checked: SAN must equal that of an import and an export, and long
//! algebraic must have as many games; otherwise the exit code is 1.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Parser;

#[allow(dead_code, reason = "other benches read games with the peer")]
mod peer;
#[allow(dead_code, reason = "other benches look at memory")]
mod process;

use peer::corpus_file;
use process::{STAMMA, compare, of_line, runs};

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
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

fn stamma(pgn: &Path, notation: &str) -> Command {
    let mut command = Command::new(STAMMA);
    command.arg("convert").arg(pgn).args(["--notation", notation]);
    command
}

/// The output of `stamma`.
fn output(arguments: &[&Path]) -> Vec<u8> {
    let output = Command::new(STAMMA).args(arguments).output().expect("stamma runs");
    // The exit code is 1 because some games have faults.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}");
    output.stdout
}

fn games(text: &[u8]) -> usize {
    memchr::memmem::find_iter(text, "\n[Result \"").count()
}

/// `true` if the output is correct.
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
    for (notation, peer) in [("san", &arguments.peer), ("lan", &arguments.peer_lan)] {
        let own = || self::runs(&mut stamma(&pgn, notation));
        compare(notation, runs, own, &mut of_line(peer, &pgn));
    }
    if is_right(&pgn) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! Stamma and its peers as whole processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::peer::{median, time};

/// The program that is measured.
pub(crate) const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");

/// A command without input, whose output is discarded.
pub(crate) fn quiet(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

/// Runs a command and discards its output; `false` if there is no such program.
pub(crate) fn runs(command: &mut Command) -> bool {
    quiet(command).status().is_ok()
}

/// Runs a command of Stamma and discards its output.
///
/// # Panics
/// If the command fails.
pub(crate) fn run_stamma(command: &mut Command) {
    let status = quiet(command).status().expect("stamma runs");
    let code = status.code();

    // The exit code is 1 because some games have faults.
    let is_done = matches!(code, Some(0 | 1));
    assert!(is_done, "{command:?} ends with {code:?}");
}

/// Imports a file into a database.
pub(crate) fn import(pgn: &Path, database: &Path) {
    let mut command = Command::new(STAMMA);
    command.arg("import");
    command.arg(database);
    command.arg(pgn);
    run_stamma(&mut command);
}

/// The named database. Without a name, a PGN file is imported into a new database in a folder.
pub(crate) fn named_or_imported(named: Option<PathBuf>, pgn: &Path, folder: &Path) -> PathBuf {
    if let Some(database) = named {
        return database;
    }
    let database = folder.join("games.db");
    import(pgn, &database);
    database
}

/// A command line, with the path of a file as its last argument.
pub(crate) fn command_of_line(line: &str, file: &Path) -> Command {
    let mut words = line.split_ascii_whitespace();
    let program = words.next().unwrap_or_default();

    let mut command = Command::new(program);
    command.args(words);
    command.arg(file);
    command
}

/// Times some work and another program in turn, and prints their medians and ratio.
pub(crate) fn compare(name: &str, runs_of_each: u32, own: impl Fn() -> bool, other: &mut Command) {
    let mut own_times: Vec<Duration> = Vec::new();
    let mut other_times: Vec<Duration> = Vec::new();
    // In turn, so that a machine that slows down slows down both.
    for _ in 0..runs_of_each {
        let (is_done, taken) = time(&own);
        assert!(is_done, "stamma runs");
        own_times.push(taken);

        let (is_there, taken) = time(|| runs(other));
        if is_there {
            other_times.push(taken);
        }
    }

    let own = median(&mut own_times).as_secs_f64();
    if other_times.is_empty() {
        println!("{name:<24} {own:>8.3} s   {:>8}", "no peer");
        return;
    }
    let other = median(&mut other_times).as_secs_f64();
    let ratio = other / own;
    println!("{name:<24} {own:>8.3} s   peer {other:>8.3} s   {ratio:>6.1} times");
}

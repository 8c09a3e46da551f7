//! Stamma and its peers as whole processes, and their memory use.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::peer::{median, time};

/// The program that is measured.
pub(crate) const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");
/// The interval between samples of the peak.
const PAUSE: Duration = Duration::from_millis(2);

/// Runs a command and discards its output; `false` if there is no such program.
pub(crate) fn runs(command: &mut Command) -> bool {
    quiet(command).status().is_ok()
}

/// A command without input, whose output is discarded.
pub(crate) fn quiet(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

/// Imports a file into a database.
pub(crate) fn import(pgn: &Path, database: &Path) {
    let mut command = Command::new(STAMMA);
    command.arg("import").arg(database).arg(pgn);

    let status = quiet(&mut command).status().expect("stamma runs");
    let code = status.code();
    // The exit code is 1 because some games have faults.
    assert!(matches!(code, Some(0 | 1)), "import ends with {code:?}");
}

/// A command line, with the path of a file as its last argument.
pub(crate) fn command_of_line(line: &str, file: &Path) -> Command {
    let mut words = line.split_ascii_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(file);
    command
}

/// Times some work and another program in turn, and prints their medians and ratio.
pub(crate) fn compare(name: &str, runs_of_each: u32, own: impl Fn() -> bool, other: &mut Command) {
    let mut own_times: Vec<Duration> = Vec::new();
    let mut other_times: Vec<Duration> = Vec::new();
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

/// Waits for a child process to end, and returns its highest resident set in bytes; `None` if the system does not tell.
///
/// # Panics
/// If the process fails.
pub(crate) fn peak(child: Child) -> Option<u64> {
    highest(child, "VmHWM:")
}

/// Like [`peak`], for memory that is not part of a file.
///
/// # Panics
/// If the process fails.
pub(crate) fn peak_anonymous(child: Child) -> Option<u64> {
    highest(child, "RssAnon:")
}

fn highest(mut child: Child, measure: &str) -> Option<u64> {
    let mut peak = None;
    loop {
        peak = peak.max(memory(child.id(), measure));
        if let Some(status) = child.try_wait().expect("a process of our own") {
            // Exit code 1 means that some games have faults, 2 that there is no game.
            assert!(
                matches!(status.code(), Some(0..=2)),
                "stamma ends with {status:?}"
            );
            return peak;
        }
        std::thread::sleep(PAUSE);
    }
}

/// The bytes of memory of a process by a measure of `/proc`, like `VmRSS:`; `None` if the system does not tell.
pub(crate) fn memory(process: u32, measure: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mut lines = status.lines();
    let value = lines.find_map(|line| line.strip_prefix(measure))?;

    let number = value.trim().strip_suffix("kB")?;
    let kib: u64 = number.trim().parse().ok()?;
    Some(kib * 1024)
}

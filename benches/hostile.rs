//! Scaling on files made to be slow, each in growing sizes: time must be linear in the bytes, and memory must stay
//! under the limit of the import.
//!
//! `cargo bench --bench hostile [-- KIND] [--mebibytes N] [--runs N]` (all kinds, 4 MiB, three runs). Each kind is
//! imported as files of N, 2 N and 4 N MiB, and the fastest run of each counts; the exponent relates time to bytes,
//! from N to 4 N. The exit code is 1 if one exceeds its limit. Needs no corpus.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use clap::Parser;

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[allow(dead_code, reason = "other benches measure more")]
mod usage;

use process::{STAMMA, quiet};
use usage::peak;

/// The greatest exponent that counts as linear, with a margin for caches and full disks.
const MAX_EXPONENT: f64 = 1.3;
const GROWTH: [usize; 3] = [1, 2, 4];

#[derive(Parser)]
struct Arguments {
    /// Only the kinds in whose names this stands
    #[arg(default_value = "")]
    kind: String,
    /// The size of the smallest file
    #[arg(long, value_name = "N", default_value_t = 4)]
    mebibytes: usize,
    /// How often each file is imported
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A kind of file: its beginning, the repeated part, and its end.
struct Kind {
    name: &'static str,
    begin: &'static [u8],
    again: &'static [u8],
    end: &'static [u8],
}

macro_rules! kinds {
    ($($name:literal: $begin:expr, $again:expr, $end:expr;)*) => {
        &[$(Kind { name: $name, begin: $begin, again: $again, end: $end }),*]
    };
}

const KINDS: &[Kind] = kinds! {
    "one long game": b"[Event \"a\"]\n\n", b"Nf3 Nf6 Ng1 Ng8 ", b"*\n";
    "one long comment": b"[Event \"a\"]\n\n1. e4 {", b"[Event \"b\"] and so on\n", b"} *\n";
    "one long tag value": b"[Event \"", b"abc ", b"\"]\n\n1. e4 *\n";
    "one line": b"", b"abc ", b"";
    "empty tags": b"", b"[A \"\"]\n", b"";
    "tags of other names": b"[Event \"a\"]\n", b"[A \"\"][B \"\"][C \"x\"]\n", b"\n1. e4 *\n";
    "empty games": b"", b"[Event \"\"]\n\n*\n\n", b"";
    "tags without moves": b"", b"[Event \"\"]\n\n", b"";
    "games on one line": b"", b"[Event \"\"] 1. e4 * ", b"";
    "games without tags": b"", b"1. e4 e5 *\n\n", b"";
    "unclosed comments": b"", b"[Event \"\"]\n\n1. e4 {abc\n\n", b"";
    "unclosed comments, no blank lines": b"", b"[Event \"\"]\n1. e4 {abc\n", b"";
    "unclosed tags": b"", b"[Event \"\n", b"";
    "unclosed tags on one line": b"", b"[Event \"", b"";
    "variations in variations": b"[Event \"a\"]\n\n1. e4 ", b"(1. d4 ", b"*\n";
    "closed variations in variations": b"[Event \"a\"]\n\n1. e4 e5 ", b"(1... c5 2. d4 (2. c4) ", b"*\n";
    "ends of variations": b"[Event \"a\"]\n\n1. e4 ", b") ", b"*\n";
    "comments": b"[Event \"a\"]\n\n1. e4 ", b"{a} ", b"*\n";
    "comments to the line's end": b"[Event \"a\"]\n\n1. e4 ", b";a\n", b"*\n";
    "escaped lines": b"[Event \"a\"]\n\n1. e4 ", b"\n%a", b"\n*\n";
    "ends of comments": b"[Event \"a\"]\n\n1. e4 ", b"} ", b"*\n";
    "signs": b"[Event \"a\"]\n\n1. e4 ", b"$1 !? ", b"*\n";
    "words": b"[Event \"a\"]\n\n1. e4 ", b"word ", b"*\n";
    "terminators": b"[Event \"a\"]\n\n1. e4 ", b"1-0 ", b"*\n";
    "repeated tags": b"[Event \"a\"]\n", b"[Event \"b\"]\n", b"\n1. e4 *\n";
    "faulty games": b"", b"[Event \"\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n", b"";
    "games of no language": b"", b"[Event \"\"]\n\n1. e4 e5 2. Xf3 Zc6 *\n\n", b"";
    "games of several languages": b"", b"[Event \"\"]\n\n1. Sf3 Sf6 2. Sg1 Sg8 *\n\n", b"";
    "a game of mixed languages": b"[Event \"a\"]\n\n", b"Nf3 Sf6 Cg1 Sg8 ", b"*\n";
    "a long game with a fault at its end": b"[Event \"a\"]\n\n", b"Sf3 Sf6 Sg1 Sg8 ", b"Dh5 *\n";
    "set-up positions": b"", b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n", b"";
    "zeros": b"", b"\0", b"";
    "zeros in games": b"", b"[Event \"\0\"]\n\n1. e4\0 *\n\n", b"";
    "bytes of no encoding": b"[Event \"a\"]\n\n1. e4 {", b"\x81\xff\xfe\x9d ", b"} *\n";
    "games of no encoding": b"", b"[Event \"\xe4\x81\"]\n\n1. e4 {\xd0\xff} *\n\n", b"";
    "halves of UTF-16": b"\xff\xfe[\0E\0", b"\xd8\xd8", b"";
    "carriage returns": b"", b"[Event \"\"]\r\r1. e4 *\r\r", b"";
    "blank lines": b"[Event \"a\"]\n\n1. e4 *", b"\n", b"[Event \"b\"]\n\n1. d4 *\n";
};

impl Kind {
    /// A file of about this size.
    fn bytes(&self, size: usize) -> Vec<u8> {
        let repeated = self.again.repeat(size / self.again.len());
        [self.begin, &repeated, self.end].concat()
    }
}

/// The time of an import, and its highest resident set in bytes.
fn import(pgn: &Path, folder: &Path) -> (Duration, Option<u64>) {
    // The output of an earlier run.
    let database = folder.join("games.db");
    let _ = fs::remove_file(&database);

    let mut command = Command::new(STAMMA);
    command.args(["import", "--memory", "256M"]);
    command.arg(&database);
    command.arg(pgn);

    let start = Instant::now();
    let child = quiet(&mut command).spawn().expect("stamma runs");
    let peak = peak(child);
    (start.elapsed(), peak)
}

/// Imports a kind in all sizes; `true` if its time is linear.
fn measure(kind: &Kind, arguments: &Arguments) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut highest = None;
    let times = GROWTH.map(|growth| {
        let pgn = folder.path().join(format!("{growth}.pgn"));
        let mebibytes = growth * arguments.mebibytes;
        fs::write(&pgn, kind.bytes(mebibytes << 20)).expect("a place for a file");

        // The fastest run is the one that other processes have disturbed least.
        let mut fastest = Duration::MAX;
        for _ in 0..arguments.runs {
            let (taken, peak) = import(&pgn, folder.path());
            fastest = fastest.min(taken);
            highest = highest.max(peak);
        }
        fastest.as_secs_f64()
    });

    // The last file is four times as large as the first one: two doublings.
    let [one, two, four] = times;
    let exponent = (four / one).log2() / 2.0;
    let is_linear = exponent <= MAX_EXPONENT;

    let mark = if is_linear { " " } else { "!" };
    let megabytes = highest.map_or(0, |bytes| bytes / 1_000_000);
    println!(
        "{:<36} {one:>7.3} {two:>7.3} {four:>7.3} s   exponent {exponent:>5.2}{mark}   {megabytes:>5} MB",
        kind.name
    );
    is_linear
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut slow = 0;
    for kind in KINDS {
        if kind.name.contains(&arguments.kind) && !measure(kind, &arguments) {
            slow += 1;
        }
    }

    println!("{slow} of them slower than linear");
    if slow == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

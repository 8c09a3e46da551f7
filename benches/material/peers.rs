//! Scid and scoutfish over their own copies of the games, which they open once before all queries, as intended.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::RUNS;

/// The folder of games in Debian, which is not always in the `PATH`.
const SCID: [&str; 2] = ["tkscid", "/usr/games/tkscid"];
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/scid.tcl");

/// The number of games found, and the time of each run.
pub(crate) struct Answer {
    pub(crate) games: u64,
    pub(crate) times: Vec<Duration>,
}

/// Scid with a base.
pub(crate) struct Scid {
    program: &'static str,
    base: PathBuf,
}

impl Scid {
    /// Makes it read a file; reports and returns `None` if it is not installed.
    pub(crate) fn import(pgn: &Path) -> Option<Scid> {
        let base = pgn.with_extension("scid");
        let program = SCID.into_iter().find(|program| {
            Command::new(program)
                .args([SCRIPT, "none"])
                .stdout(Stdio::null())
                .status()
                .is_ok()
        });
        let Some(program) = program else {
            println!("no peer: tkscid is not installed");
            return None;
        };
        let mut command = Command::new(program);
        let output = command
            .arg(SCRIPT)
            .arg("import")
            .arg(&base)
            .arg(pgn)
            .output();
        let output = output.expect("Scid runs");
        println!(
            "Scid has {} games",
            String::from_utf8_lossy(&output.stdout).trim()
        );
        Some(Scid { program, base })
    }

    /// The answer of a search by material.
    pub(crate) fn material(&self, options: &str) -> Option<Answer> {
        let mut command = Command::new(self.program);
        command.arg(SCRIPT).arg("material").arg(&self.base);
        command.arg(RUNS.to_string()).args(words(options));
        let output = command.output().expect("Scid runs");
        let text = String::from_utf8_lossy(&output.stdout);

        // A line has the number of games and the microseconds of a run.
        let runs: Vec<(u64, u64)> = text.lines().filter_map(pair).collect();
        let times = runs.iter().map(|&(_, taken)| Duration::from_micros(taken));
        let (games, _) = *runs.first()?;
        Some(Answer {
            games,
            times: times.collect(),
        })
    }
}

/// The words of a line of Tcl, in which braces group words.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for part in line.split_ascii_whitespace() {
        let word = part.trim_matches(['{', '}']);
        match words.last_mut().filter(|_| is_open) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
        is_open = (is_open || part.starts_with('{')) && !part.ends_with('}');
    }
    words
}

/// The two numbers of a line.
fn pair(line: &str) -> Option<(u64, u64)> {
    let (first, second) = line.split_once(' ')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// Scoutfish with its copy of the games.
pub(crate) struct Scoutfish {
    program: OsString,
    games: PathBuf,
}

impl Scoutfish {
    /// Makes it read a file; reports and returns `None` if it is not installed.
    pub(crate) fn make(pgn: &Path) -> Option<Scoutfish> {
        let program = env::var_os("STAMMA_SCOUTFISH").unwrap_or_else(|| "scoutfish".into());
        let mut command = Command::new(&program);
        command.arg("make").arg(pgn).stderr(Stdio::null());
        let Ok(output) = command.output() else {
            println!("no peer: scoutfish is not installed");
            return None;
        };

        let report = String::from_utf8_lossy(&output.stdout);
        let games = number_after(&report, "\"Games\": ").unwrap_or_default();
        println!("scoutfish has {games} games");
        Some(Scoutfish {
            program,
            games: pgn.with_extension("scout"),
        })
    }

    /// The answer of a query, on all threads.
    pub(crate) fn scout(&self, query: &str) -> Option<Answer> {
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("scoutfish runs");
        let mut input = child.stdin.take().expect("a pipe");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        writeln!(input, "setoption name threads value {threads}").expect("scoutfish reads");

        let mut runs = Vec::new();
        for _ in 0..=RUNS {
            // The time of a query includes waiting for another one to end.
            writeln!(input, "scout {} {query}", self.games.display()).expect("scoutfish reads");
            let readable = lines.by_ref().map_while(Result::ok);
            let answer: Vec<String> = readable.take_while(|line| line != "}").collect();
            runs.push(answer.join("\n"));
        }
        drop(input);
        child.wait().expect("scoutfish ends");

        // The first run warms up.
        let mut times = Vec::new();
        for run in &runs[1..] {
            let taken = number_after(run, "\"processing time (ms)\": ");
            times.extend(taken.map(Duration::from_millis));
        }
        Some(Answer {
            games: number_after(&runs[0], "\"match count\": ")?,
            times,
        })
    }
}

/// The number after a name.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let start = text.find(name)? + name.len();
    let rest = &text[start..];
    let end = rest.find(|letter: char| !letter.is_ascii_digit());
    rest[..end.unwrap_or(rest.len())].parse().ok()
}

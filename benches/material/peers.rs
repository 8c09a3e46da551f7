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
        let Some(program) = SCID.into_iter().find(|program| is_installed(program)) else {
            println!("no peer: tkscid is not installed");
            return None;
        };

        let base = pgn.with_extension("scid");
        let mut import = Command::new(program);
        import.args([SCRIPT, "import"]);
        import.arg(&base);
        import.arg(pgn);

        let output = import.output().expect("Scid runs");
        let games = String::from_utf8_lossy(&output.stdout);
        println!("Scid has {} games", games.trim());
        Some(Scid { program, base })
    }

    /// The answer of a search by material.
    pub(crate) fn material(&self, options: &str) -> Option<Answer> {
        let mut command = Command::new(self.program);
        command.args([SCRIPT, "material"]);
        command.arg(&self.base);
        command.arg(RUNS.to_string());
        command.args(words(options));
        let output = command.output().expect("Scid runs");
        let text = String::from_utf8_lossy(&output.stdout);

        // A line has the number of games and the microseconds of a run.
        let mut found = None;
        let mut times = Vec::new();
        for (games, taken) in text.lines().filter_map(pair) {
            found.get_or_insert(games);
            times.push(Duration::from_micros(taken));
        }
        Some(Answer {
            games: found?,
            times,
        })
    }
}

/// `true` if Scid can be started by this name.
fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    // The script does nothing at a command that it does not know.
    command.args([SCRIPT, "none"]);
    command.stdout(Stdio::null());
    command.status().is_ok()
}

/// The words of a line of Tcl, in which braces group words.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_in_group = false;
    for part in line.split_ascii_whitespace() {
        let word = part.trim_matches(['{', '}']);
        match words.last_mut() {
            Some(group) if is_in_group => {
                group.push(' ');
                group.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }

        if part.starts_with('{') {
            is_in_group = true;
        }
        if part.ends_with('}') {
            is_in_group = false;
        }
    }
    words
}

/// The two numbers of a line.
fn pair(line: &str) -> Option<(u64, u64)> {
    let (first, second) = line.split_once(' ')?;
    let first = first.parse().ok()?;
    let second = second.parse().ok()?;
    Some((first, second))
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
        let mut make = Command::new(&program);
        make.arg("make");
        make.arg(pgn);
        make.stderr(Stdio::null());
        let Ok(output) = make.output() else {
            println!("no peer: scoutfish is not installed");
            return None;
        };

        let report = String::from_utf8_lossy(&output.stdout);
        let games = number_after(&report, "\"Games\": ").unwrap_or_default();
        println!("scoutfish has {games} games");

        // Scoutfish writes its copy beside the file.
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
        let output = child.stdout.take().expect("a pipe");
        let mut lines = BufReader::new(output).lines();

        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        writeln!(input, "setoption name threads value {threads}").expect("scoutfish reads");

        let games = self.games.display();
        let mut answers = Vec::new();
        for _ in 0..=RUNS {
            // The time of a query includes waiting for another one to end, so each answer is read first.
            writeln!(input, "scout {games} {query}").expect("scoutfish reads");
            let readable = lines.by_ref().map_while(Result::ok);
            let answer: Vec<String> = readable.take_while(|line| line != "}").collect();
            answers.push(answer.join("\n"));
        }

        // Scoutfish ends at the end of its input.
        drop(input);
        child.wait().expect("scoutfish ends");

        // The first run warms up.
        let mut times = Vec::new();
        for answer in &answers[1..] {
            let taken = number_after(answer, "\"processing time (ms)\": ");
            times.extend(taken.map(Duration::from_millis));
        }
        Some(Answer {
            games: number_after(&answers[0], "\"match count\": ")?,
            times,
        })
    }
}

/// The number after a name.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let (_, rest) = text.split_once(name)?;
    let digits = match rest.find(|letter: char| !letter.is_ascii_digit()) {
        Some(end) => &rest[..end],
        None => rest,
    };
    digits.parse().ok()
}

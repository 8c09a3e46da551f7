//! Imports that are killed, stopped and left without room at random moments, each followed by the same command: is what
//! comes out in the end what an undisturbed import makes?
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench kills [-- FILE] [--kills N] [--stops N] [--full N] [--seed N]` (default
//! `archive-100k.pgn`, 200 times SIGKILL, 30 times SIGINT, 30 times a limit to the size of files). The file is cut into
//! sources of different sizes. Databases are compared by `stamma check --digest`. The exit code is 1 when one is another. Needs
//! `sh` and `kill`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::thread::sleep;
use std::time::Duration;

use clap::Parser;
use tempfile::TempDir;

#[allow(dead_code, reason = "other benches read games with the peer")]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[path = "../tests/random/mod.rs"]
#[allow(dead_code, reason = "the tests draw more than numbers")]
mod random;

use peer::{corpus_file, time};
use process::{STAMMA, quiet};
use random::Random;

/// The parts of the file that are sources of their own, in hundredths.
const CUTS: [usize; 3] = [50, 75, 78];

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// How often an import is killed
    #[arg(long, value_name = "N", default_value_t = 200)]
    kills: u32,
    /// How often one is asked to stop
    #[arg(long, value_name = "N", default_value_t = 30)]
    stops: u32,
    /// How often one finds no room for its files
    #[arg(long, value_name = "N", default_value_t = 30)]
    full: u32,
    /// Which random moments are chosen
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// What Cargo says to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// The sources, and what an undisturbed import of them makes.
struct Bench {
    folder: TempDir,
    sources: Vec<PathBuf>,
    digest: String,
    taken: Duration,
    bytes: u64,
}

/// How an import ended.
enum Ended {
    /// By itself, with all that it was to do.
    Done,
    /// By what was done to it.
    Disturbed,
}

impl Bench {
    fn new(pgn: &Path) -> Bench {
        let text = fs::read(pgn).expect("a file of the corpus");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut bench = Bench {
            sources: cut(&text, folder.path()),
            folder,
            digest: String::new(),
            taken: Duration::ZERO,
            bytes: 0,
        };
        let database = bench.database();
        bench.taken = time(|| bench.run(&mut bench.import(&database))).1;
        bench.digest = digest(&database);
        bench.bytes = fs::metadata(&database).expect("the database").len();
        bench
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("games.db")
    }

    fn import(&self, database: &Path) -> Command {
        let mut command = Command::new(STAMMA);
        command.arg("import").arg(database).args(&self.sources);
        command
    }

    fn run(&self, command: &mut Command) -> Ended {
        match quiet(command).status().expect("stamma runs").code() {
            // 1 says that some games have faults, and they have.
            Some(0 | 1) => Ended::Done,
            _ => Ended::Disturbed,
        }
    }

    /// Disturbs imports so many times, each of which goes on with what the one before has left, until one comes to its end
    /// all the same, or `in_a_row` were disturbed; then begins anew. Gives how many databases are not what they should be.
    fn disturb(
        &self,
        name: &str,
        (times, in_a_row): (u32, u32),
        mut disturbed: impl FnMut(&Path) -> Ended,
    ) -> u32 {
        let (mut left, mut databases, mut wrong) = (times, 0, 0);
        while left > 0 {
            let database = self.database();
            remove(&database);
            let last = left.saturating_sub(in_a_row);
            while left > last
                && let Ended::Disturbed = disturbed(&database)
            {
                left -= 1;
            }
            self.run(&mut self.import(&database));
            databases += 1;
            wrong += u32::from(digest(&database) != self.digest);
        }
        println!("{name:<28} {times:>4} times, {databases:>4} databases, {wrong} of them wrong");
        wrong
    }

    /// An import that gets a signal at a random moment.
    fn signalled(&self, signal: &str, database: &Path, random: &mut Random) -> Ended {
        let mut command = self.import(database);
        let child = quiet(&mut command).spawn().expect("stamma runs");
        sleep(self.taken.mul_f64(random.below(1000) as f64 / 1000.0));
        send(signal, &child);
        ended(child)
    }

    /// An import of which no file may be larger than a random size.
    fn limited(&self, database: &Path, random: &mut Random) -> Ended {
        // The shell counts in units of 512 or of 1,024 bytes.
        let blocks = random.below(self.bytes as usize / 512);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh", STAMMA, "import"]);
        self.run(command.arg(database).args(&self.sources))
    }
}

/// Cuts a file into sources between games.
fn cut(text: &[u8], folder: &Path) -> Vec<PathBuf> {
    let mut start = 0;
    let mut sources = Vec::new();
    for (number, part) in CUTS.into_iter().chain([100]).enumerate() {
        let at = text.len() / 100 * part;
        let next = memchr::memmem::find(&text[at..], b"\n[Event ").filter(|_| part < 100);
        let end = next.map_or(text.len(), |next| at + next + 1);
        let path = folder.join(format!("{number}.pgn"));
        fs::write(&path, &text[start..end]).expect("a place for the sources");
        sources.push(path);
        start = end;
    }
    sources
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    // It may have come to its end by then.
    let _ = quiet(Command::new("kill").args(["-s", signal, &id])).status();
}

fn ended(mut child: Child) -> Ended {
    match child.wait().expect("a process of our own").code() {
        Some(0 | 1) => Ended::Done,
        _ => Ended::Disturbed,
    }
}

fn remove(database: &Path) {
    for name in ["", "-journal", "-wal", "-shm", ".lock"] {
        let mut path = database.as_os_str().to_owned();
        path.push(name);
        // Most of them are not there.
        let _ = fs::remove_file(path);
    }
}

fn digest(database: &Path) -> String {
    let mut check = Command::new(STAMMA);
    let output = check.args(["check", "--digest"]).arg(database).output().expect("stamma runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else { return ExitCode::SUCCESS };
    let bench = Bench::new(&pgn);
    println!("{}, undisturbed {:.2} s", pgn.display(), bench.taken.as_secs_f64());
    assert!(!bench.digest.trim().is_empty(), "a digest");
    let mut random = Random::new(arguments.seed);
    let (kills, stops, full) = (arguments.kills, arguments.stops, arguments.full);
    let mut wrong = bench
        .disturb("killed", (kills, u32::MAX), |path| bench.signalled("KILL", path, &mut random));
    wrong += bench
        .disturb("stopped", (stops, u32::MAX), |path| bench.signalled("INT", path, &mut random));
    // Where there is never room enough, no import would come to its end.
    wrong += bench.disturb("no room", (full, 1), |path| bench.limited(path, &mut random));
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

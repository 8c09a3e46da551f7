//! Commands killed, stopped and left without disk space at random moments, each followed by the same command. The final
//! result must equal the result of an undisturbed command, and all other files must be unchanged.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench kills [-- FILE] [--kills N] [--stops N] [--full N] [--only NAME] [--seed N]`
//! (default `archive-100k.pgn`, 450 times SIGKILL, 45 times SIGINT, 45 times a limit of file sizes, spread over all
//! commands that change databases). The file is cut into sources of different sizes, which an import gets as files,
//! streams and compressed, in turn. Databases are compared by `stamma check --digest` and by their tables of positions;
//! decoy files beside them by their metadata and content. The exit code is 1 if anything differs. Needs `sh`, `kill`
//! and `mkfifo`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::thread::sleep;

use clap::Parser;

#[path = "../tests/support/decoys.rs"]
mod decoys;
#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[path = "../chess/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests draw more than numbers")]
mod random;
#[path = "kills/task.rs"]
mod task;

use decoys::Decoys;
use peer::corpus_file;
use process::{STAMMA, quiet};
use random::Random;
use task::{State, Task, tasks};

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// How often commands are killed, all together
    #[arg(long, value_name = "N", default_value_t = 450)]
    kills: u32,
    /// How often they are asked to stop
    #[arg(long, value_name = "N", default_value_t = 45)]
    stops: u32,
    /// How often they find no room for their files
    #[arg(long, value_name = "N", default_value_t = 45)]
    full: u32,
    /// Only what has this in its name, like `merge`
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,
    /// Which random moments are chosen
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// The exit code of `stamma` if it cannot do what it is told.
const FAILURE: i32 = 2;
/// The blocks of `ulimit -f` have at least this size; some shells count in 1,024 bytes.
const MIN_BLOCK_BYTES: usize = 512;

/// The end of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// By itself.
    Done,
    /// By the disturbance, or with an error; the exit code, if it has one.
    Disturbed(Option<i32>),
}

/// A disturbance of a command.
#[derive(Clone, Copy)]
enum Disturbance {
    Signal(&'static str),
    /// A limit of file sizes, chosen at random.
    NoRoom,
}

/// The faults of all runs.
#[derive(Default)]
struct Faults {
    /// Databases with a wrong result.
    wrong: u32,
    /// Decoys that were changed.
    touched: usize,
    /// Unexpected files.
    left: usize,
}

impl Faults {
    fn are_none(&self) -> bool {
        self.wrong == 0 && self.touched == 0 && self.left == 0
    }
}

/// The folder of the disturbed database and its decoys.
struct Place {
    folder: PathBuf,
    decoys: Decoys,
    /// The names that a command may leave.
    files: BTreeSet<OsString>,
}

impl Place {
    /// An empty folder with its decoys.
    fn new(folder: PathBuf) -> Place {
        fs::create_dir(&folder).expect("a new folder");

        // Decoys have the names of the database, of a database without extension, and of a source.
        let decoys = Decoys::new(&folder, &["games.db", "games", "0.pgn"]);
        let mut files = names(&folder);
        files.insert("games.db".into());
        Place {
            folder,
            decoys,
            files,
        }
    }

    fn database(&self) -> PathBuf {
        self.folder.join("games.db")
    }

    /// Disturbs a command a number of times, repeating it each time; starts over whenever a run completes.
    fn disturb(
        &self,
        task: &Task,
        times: u32,
        disturbance: Disturbance,
        random: &mut Random,
    ) -> Faults {
        const MAX_IN_VAIN: u32 = 20;

        let mut faults = Faults::default();
        let mut left = times;
        let mut in_vain = 0;
        while left > 0 {
            task.begin(&self.database());

            // With too small a limit, no command would ever complete: the limit is set once, and then lifted.
            let last = match disturbance {
                Disturbance::NoRoom => left - 1,
                Disturbance::Signal(_) => 0,
            };
            while left > last {
                let outcome = self.run(task, Some(disturbance), random);
                if outcome == Outcome::Done {
                    break;
                }
                left -= 1;
                in_vain = 0;
            }

            self.complete(task, random, &mut faults);
            in_vain += 1;
            // A command may need no space at all.
            if in_vain > MAX_IN_VAIN {
                break;
            }
        }
        faults
    }

    /// Lets a command complete, and checks the result.
    fn complete(&self, task: &Task, random: &mut Random, faults: &mut Faults) {
        self.run(task, None, random);

        let state = State::read(&self.database());
        if state != task.expected {
            faults.wrong += 1;
            println!("{}: {state:?} instead of {:?}", task.name, task.expected);
        }

        for path in self.decoys.changed() {
            faults.touched += 1;
            println!("{}: {path}", task.name);
        }

        // A file that is left is reported once.
        let files = names(&self.folder);
        for name in files.difference(&self.files) {
            faults.left += 1;
            println!("{}: left {}", task.name, name.display());
            let _ = fs::remove_file(self.folder.join(name));
        }
    }

    /// Runs a command, disturbed or not.
    fn run(&self, task: &Task, disturbance: Option<Disturbance>, random: &mut Random) -> Outcome {
        // Any number will do: it selects one of the few equivalent lists of arguments.
        let turn = random.below(1 << 16);
        let arguments = task.arguments(&self.database(), turn);

        let mut command = match disturbance {
            Some(Disturbance::NoRoom) => {
                // Less than the database needs, if blocks have this size.
                let max_blocks = task.bytes as usize / MIN_BLOCK_BYTES;
                with_little_room(random.below(max_blocks))
            }
            Some(Disturbance::Signal(_)) | None => Command::new(STAMMA),
        };
        command.args(&arguments);
        let child = quiet(&mut command).spawn().expect("stamma or sh runs");

        if let Some(Disturbance::Signal(signal)) = disturbance {
            // Any moment of an undisturbed run.
            let part = random.below(1000) as f64 / 1000.0;
            sleep(task.taken.mul_f64(part));
            send(signal, &child);
        }
        let outcome = outcome(child);

        // A source that has been forgotten cannot be forgotten again.
        let is_killed = matches!(disturbance, Some(Disturbance::Signal(_)));
        let has_failed = outcome == Outcome::Disturbed(Some(FAILURE));
        if is_killed && has_failed && task.name == "forget" {
            return Outcome::Done;
        }
        outcome
    }
}

/// `stamma` in a shell that limits the size of its files. Its arguments follow.
fn with_little_room(blocks: usize) -> Command {
    // The shell takes its first argument for its own name, and becomes the program that follows.
    let script = format!("ulimit -f {blocks}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]);
    shell.args(["sh", STAMMA]);
    shell
}

/// The names of the files in a folder.
fn names(folder: &Path) -> BTreeSet<OsString> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        let entry = entry.expect("an entry");
        names.insert(entry.file_name());
    }
    names
}

/// Sends a signal to a process.
fn send(signal: &str, child: &Child) {
    let mut kill = Command::new("kill");
    kill.args(["-s", signal]);
    kill.arg(child.id().to_string());

    // The process may have ended by then.
    let _ = quiet(&mut kill).status();
}

/// Waits for a process to end.
fn outcome(mut child: Child) -> Outcome {
    let status = child.wait().expect("a process of our own");
    match status.code() {
        // The exit code is 1 because some games have faults.
        Some(0 | 1) => Outcome::Done,
        code => Outcome::Disturbed(code),
    }
}

/// The part of a total that one of `count` commands gets; the first commands share the remainder.
fn share(total: u32, number: u32, count: u32) -> u32 {
    let has_one_more = number < total % count;
    total / count + u32::from(has_one_more)
}

fn print_row(task: &Task, disturbance: &str, times: u32, faults: &Faults) {
    let name = &task.name;
    let seconds = task.taken.as_secs_f64();
    let Faults {
        wrong,
        touched,
        left,
    } = faults;
    println!(
        "{name:<24} {seconds:>10.2} s {disturbance:>9} {times:>7} {wrong:>7} {touched:>7} {left:>7}"
    );
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    let text = fs::read(&pgn).expect("a file of the corpus");
    let folder = tempfile::tempdir().expect("a temporary folder");

    let mut tasks = tasks(&text, folder.path());
    tasks.retain(|task| task.name.contains(&arguments.only));
    let place = Place::new(folder.path().join("place"));

    println!("{}, {} decoys", pgn.display(), place.decoys.count());
    println!(
        "{:<24} {:>12} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "", "undisturbed", "", "times", "wrong", "touched", "left"
    );
    let disturbances = [
        ("killed", arguments.kills, Disturbance::Signal("KILL")),
        ("stopped", arguments.stops, Disturbance::Signal("INT")),
        ("no room", arguments.full, Disturbance::NoRoom),
    ];
    let mut random = Random::new(arguments.seed);
    let mut is_well = true;
    for (name, total, disturbance) in disturbances {
        for (number, task) in (0..).zip(&tasks) {
            let times = share(total, number, tasks.len() as u32);
            let faults = place.disturb(task, times, disturbance, &mut random);
            print_row(task, name, times, &faults);
            is_well &= faults.are_none();
        }
    }

    if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

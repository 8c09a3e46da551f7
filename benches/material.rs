//! Queries for material, patterns and sequences of moves, beside Scid and scoutfish over the same games.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench material [-- FILE]` (default `archive-100k.pgn`). scoutfish is found
//! in the `PATH` or as `STAMMA_SCOUTFISH`, Scid as Debian has it; without them, their columns stay empty.
//!
//! The games are those of standard chess from the usual start with one to a thousand half-moves and no null moves:
//! scoutfish omits others, and stops at longer ones; Scid omits some. Each query runs once to warm up and five times to
//! be timed; the median is reported. Stamma is timed as a whole process, the peers within their own, which have opened
//! their copy of the games. The exit code is 1 if Stamma and Scid find different numbers of games; `queries` says where
//! scoutfish's queries differ in meaning.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;

#[allow(dead_code, reason = "other benches play games")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[path = "material/peers.rs"]
mod peers;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
#[path = "material/queries.rs"]
mod queries;

use peer::{corpus_file, median, time};
use peers::{Answer, Scid, Scoutfish};
use process::{STAMMA, import, run_stamma};
use queries::{Query, queries};

/// The number of timed runs of a query.
pub(crate) const RUNS: usize = 5;
/// Games that not all programs read.
const OTHERS: &str = "fen IS NOT NULL OR variant IS NOT NULL OR ply_count NOT BETWEEN 1 AND 1000 OR moves LIKE '%--%'";

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive-100k.pgn")]
    file: String,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// The programs, each with the same games.
struct Programs {
    database: PathBuf,
    scid: Option<Scid>,
    scoutfish: Option<Scoutfish>,
}

impl Programs {
    /// Imports the games that all programs read from a file into each program.
    fn import(pgn: &Path, folder: &Path) -> Programs {
        let database = folder.join("games.db");
        let plain = folder.join("plain.pgn");
        import_common_games(pgn, &database);
        export_plain(&database, &plain);

        Programs {
            database,
            scid: Scid::import(&plain),
            scoutfish: Scoutfish::make(&plain),
        }
    }

    /// Stamma's answer; `None` for a query that it does not support.
    fn search(&self, options: &[&str]) -> Option<Answer> {
        let mut command = Command::new(STAMMA);
        command.arg("search");
        command.arg(&self.database);
        command.args(options);
        command.args(["--format", "count"]);
        let mut search = || command.output().expect("stamma runs");

        // The first run warms up.
        let output = search();
        let printed = str::from_utf8(&output.stdout).ok()?;
        let games = printed.trim().parse().ok()?;

        let mut times = Vec::new();
        for _ in 0..RUNS {
            let (_, taken) = time(&mut search);
            times.push(taken);
        }
        Some(Answer { games, times })
    }

    /// Prints a row; `false` if Stamma and Scid differ.
    fn compare(&self, query: &Query) -> bool {
        let stamma = self.search(query.stamma);
        let scid = match (&self.scid, query.scid) {
            (Some(scid), Some(options)) => scid.material(options),
            _ => None,
        };
        let scoutfish = match (&self.scoutfish, &query.scoutfish) {
            (Some(scoutfish), Some(text)) => scoutfish.scout(text),
            _ => None,
        };

        // The queries of scoutfish differ in meaning.
        let is_same = match (&stamma, &scid) {
            (Some(stamma), Some(scid)) => stamma.games == scid.games,
            _ => true,
        };
        let cells = [stamma, scid, scoutfish].map(cell);
        println!("{:<24}{}", query.name, cells.concat());
        is_same
    }
}

/// Imports a file, and deletes the games that not all programs read.
fn import_common_games(pgn: &Path, database: &Path) {
    import(pgn, database);

    let mut delete = Command::new(STAMMA);
    delete.arg("delete");
    delete.arg(database);
    delete.args(["--yes", "--where", OTHERS]);
    run_stamma(&mut delete);

    // As if the other games had never been there.
    let mut optimize = Command::new(STAMMA);
    optimize.arg("optimize");
    optimize.arg(database);
    run_stamma(&mut optimize);
}

/// Exports the mainlines of a database.
fn export_plain(database: &Path, plain: &Path) {
    let mut export = Command::new(STAMMA);
    export.arg("export");
    export.arg(database);
    export.arg("-o");
    export.arg(plain);
    for part in ["--comments", "--variations", "--nags"] {
        export.args([part, "drop"]);
    }
    run_stamma(&mut export);
}

/// The cell of an answer in the table.
fn cell(answer: Option<Answer>) -> String {
    match answer {
        Some(mut answer) if !answer.times.is_empty() => {
            let median = median(&mut answer.times);
            let milliseconds = median.as_secs_f64() * 1_000.0;
            format!("{:>9} {milliseconds:>9.1} ms", answer.games)
        }
        _ => format!("{:>9} {:>9}   ", "-", "-"),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(path) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let programs = Programs::import(&path, folder.path());

    println!(
        "{:<24}{:>22}{:>22}{:>22}",
        "games, median", "Stamma", "Scid", "scoutfish"
    );
    let mut are_same = true;
    for query in queries() {
        are_same &= programs.compare(&query);
    }
    if are_same {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

//! Filters by players, dates, ratings and other attributes, as whole processes `stamma search` and `stamma moves`, each
//! count checked against plain SQL over the rows.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench filters [-- FILE] [--database DB]` (default `archive.pgn`; without a database
//! the file is imported into a temporary one). Each query runs once to warm up and five times to be timed; the median
//! is reported. The exit code is 1 if a count differs or a limit is exceeded.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Parser;
use rusqlite::{Connection, OpenFlags};

#[allow(dead_code, reason = "other benches play games")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;

use peer::{corpus_file, median, time};
use process::{STAMMA, named_or_imported};

/// The number of timed runs of a query.
const RUNS: usize = 5;

/// The limits, for a million games on two cores.
const FIRST_GAMES: Duration = Duration::from_millis(100);
const FILTERED_MOVES: Duration = Duration::from_millis(300);
const MANY_REPLAYED: Duration = Duration::from_secs(3);
const FEW_REPLAYED: Duration = Duration::from_millis(500);

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "archive.pgn")]
    file: String,
    /// A database of this file alone, imported before
    #[arg(long, value_name = "DB")]
    database: Option<PathBuf>,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// Filters, each with an equivalent condition over the view `games`.
const FILTERS: &[(&[&str], &str)] = &[
    (
        &["--player", "carlsen, magnus", "--exact"],
        "white = 'carlsen, magnus' OR black = 'carlsen, magnus'",
    ),
    (&["--white", "Carlsen,M", "--exact"], "white = 'Carlsen,M'"),
    (
        &["--elo", "2600..", "--ending", "stalemate"],
        "white_elo >= 2600 AND black_elo >= 2600 AND ending = 'stalemate'",
    ),
    (
        &[
            "--eco", "B90-B99", "--since", "2010", "--until", "2012", "--plies", "100..",
        ],
        "substr(eco, 1, 3) BETWEEN 'B90' AND 'B99' AND substr(date, 1, 4) BETWEEN '2010' AND '2012' AND ply_count >= 100",
    ),
    (
        &["--mean-elo", "2750..", "--result", "draw"],
        "white_elo > 0 AND black_elo > 0 AND white_elo + black_elo >= 5500 AND result = '1/2-1/2'",
    ),
    (
        &[
            "--result",
            "1-0",
            "--ending",
            "checkmate",
            "--plies",
            "..40",
        ],
        "result = '1-0' AND ending = 'checkmate' AND ply_count <= 40",
    ),
    (
        &["--ending", "threefold", "--since", "2020"],
        "threefold_ply IS NOT NULL AND date GLOB '[0-9]*' AND substr(date, 1, 4) >= '2020'",
    ),
    (
        &["--line", "1. e4 c5 2. Nf3 d6 3. d4"],
        "fen IS NULL AND moves || ' ' GLOB 'e4 c5 Nf3 d6 d4 *'",
    ),
    (
        &["--line", "1. Nf3 d5 2. d4", "--elo", "2500.."],
        "fen IS NULL AND moves || ' ' GLOB 'Nf3 d5 d4 *' AND white_elo >= 2500 AND black_elo >= 2500",
    ),
    (&["--tag", "Round=7.4"], "round = '7.4'"),
    (&["--where", "white = black"], "white = black"),
    (
        &["--annotated", "--result", "0-1", "--variant", "chess960"],
        "false",
    ),
];

/// Queries for which most games are replayed.
const MANY: &[&[&str]] = &[
    &["--pattern", "*/*/*/3p*/2PP*"],
    &[
        "--pattern",
        "*R*/*R*/*/*/*/*/*/*K*",
        "--flip",
        "colour,left-right",
    ],
    &["--material", "Q>=1 q=0 R=0 r>=2"],
    &["--moves-through", "Bxh7+ Kxh7 Ng5+"],
];
/// Queries for which few games are replayed.
const FEW: &[&[&str]] = &[
    &["--material", "KRPkr", "--for", "20"],
    &["--material", "KBNk"],
    &["--material", "Q>=2 q>=2"],
    &["--material", "bishops=opposite pieces<=8 difference=0"],
];
/// Filters of the moves that were played from the start.
const MOVES: &[&[&str]] = &[
    &["--elo", "2600.."],
    &["--result", "1-0"],
    &["--player", "carlsen"],
    &["--line", "1. e4"],
    &["--since", "2000", "--eco", "B"],
];

/// The median time of a command, and its output.
fn run(command: &str, database: &Path, arguments: &[&str]) -> (Duration, String) {
    let mut stamma = Command::new(STAMMA);
    stamma.arg(command);
    stamma.arg(database);
    stamma.args(arguments);
    let mut run = || {
        let output = stamma.output().expect("stamma runs");
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };

    // The first run warms up.
    let printed = run();
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let (_, taken) = time(&mut run);
        times.push(taken);
    }
    (median(&mut times), printed)
}

/// Prints a time; `true` if it is under its limit.
fn report(taken: Duration, limit: Duration, what: &str) -> bool {
    let is_met = taken < limit;
    let verdict = if is_met { "" } else { "  over the limit" };
    let milliseconds = 1000.0 * taken.as_secs_f64();
    println!("{milliseconds:8.1} ms  {what}{verdict}");
    is_met
}

/// The median time of a count of games, and the count.
fn count(database: &Path, arguments: &[&str]) -> (Duration, u64) {
    let mut with_format = arguments.to_vec();
    with_format.extend(["--format", "count"]);

    let (taken, printed) = run("search", database, &with_format);
    let games = printed.trim().parse().expect("a number");
    (taken, games)
}

/// Counts the games of some queries; `true` if each count is under the limit.
fn counts(database: &Path, queries: &[&[&str]], limit: Duration) -> bool {
    let mut are_met = true;
    for query in queries {
        let (taken, found) = count(database, query);
        let what = format!("{found:7}  {}", query.join(" "));
        are_met &= report(taken, limit, &what);
    }
    are_met
}

/// `true` if each filter finds as many games as SQL, and its first games in time.
fn filters(database: &Path) -> bool {
    println!("the first 20 games, and how many there are");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(database, flags).expect("a database");

    let mut is_right = true;
    for (arguments, condition) in FILTERS {
        let (taken, _) = run("search", database, arguments);
        let (_, found) = count(database, arguments);
        let what = format!("{found:7}  {}", arguments.join(" "));
        is_right &= report(taken, FIRST_GAMES, &what);

        let sql = format!("SELECT count(*) FROM games WHERE {condition}");
        let result = connection.query_row(&sql, [], |row| row.get(0));
        let expected: i64 = result.expect("a count");
        if found != expected.cast_unsigned() {
            println!("             {expected} by SQL: {condition}");
            is_right = false;
        }
    }
    is_right
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let database = named_or_imported(arguments.database, &pgn, folder.path());

    let mut is_right = filters(&database);

    println!("all games in which something stands somewhere, most of them replayed");
    is_right &= counts(&database, MANY, MANY_REPLAYED);

    println!("the same, most of them ruled out without replay");
    is_right &= counts(&database, FEW, FEW_REPLAYED);

    println!("moves of the start");
    for query in MOVES {
        let (taken, _) = run("moves", &database, query);
        is_right &= report(taken, FILTERED_MOVES, &query.join(" "));
    }

    if is_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

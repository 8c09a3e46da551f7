//! Conversions as whole processes, `stamma convert FILE` to SAN and to long algebraic, with filters and without equal
//! games, in turn with another program that does the same.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench convert [-- FILE] [--runs N] [--peer COMMAND] [--peer-lan COMMAND]` (default
//! `archive-100k.pgn`, five runs, `pgn-extract`). The path of the file is appended to a peer's command; a missing peer
//! is skipped. Medians are reported. The output is checked: SAN must equal the SAN of an import and an export, with
//! each filter, too, and long algebraic must have as many games; otherwise the exit code is 1. With filters, and
//! without equal games, the numbers of games are printed beside the peer's numbers. The peer's criteria differ
//! slightly.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use clap::Parser;
use memchr::memmem;

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches look at memory")]
mod process;

use peer::corpus_file;
use process::{STAMMA, command_of_line, compare, import, runs};

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
    #[arg(
        long,
        value_name = "COMMAND",
        default_value = "pgn-extract -s -o/dev/null"
    )]
    peer: String,
    /// The other program, to long algebraic
    #[arg(
        long,
        value_name = "COMMAND",
        default_value = "pgn-extract -Wlalg -s -o/dev/null"
    )]
    peer_lan: String,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// Filters, and the nearly equivalent criteria files and options of the peer.
const FILTERED: [(&str, &str, &str); 7] = [
    ("--player kasparov", "Player \"Kasparov\"", ""),
    (
        "--white karpov --result 1-0",
        "White \"Karpov\"\nResult \"1-0\"",
        "",
    ),
    (
        "--since 1990 --until 1999",
        "Date >= \"1990\"\nDate <= \"1999\"",
        "",
    ),
    ("--eco B90-B99", "ECO \"B9\"", ""),
    ("--white-elo 2600", "WhiteElo >= \"2600\"", ""),
    ("--ending checkmate", "", "-M"),
    ("--plies ..40", "", "-bu20"),
];

/// The peer; `-s` omits its report.
const PEER: &str = "pgn-extract -s";

/// A conversion of the games that a filter finds.
fn with_filter(pgn: &Path, filter: &str) -> Command {
    let mut command = Command::new(STAMMA);
    command.arg("convert");
    command.arg(pgn);
    command.args(filter.split(' '));
    command
}

/// Times all filters and the search for equal games; `true` if each conversion with a filter of [`FILTERED`] equals an
/// export.
fn are_filters_right(pgn: &Path, database: &Path, runs_of_each: u32) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let criteria = folder.path().join("criteria");
    let mut are_right = true;
    for (filter, text, options) in FILTERED {
        // The peer has some criteria as options, and reads the others from a file.
        fs::write(&criteria, text).expect("a file");
        let peer_line = if text.is_empty() {
            format!("{PEER} {options}")
        } else {
            format!("{PEER} -t{}", criteria.display())
        };
        let mut peer = command_of_line(&peer_line, pgn);
        let own = compare_filter(pgn, filter, runs_of_each, &mut peer);

        let mut export = Command::new(STAMMA);
        export.arg("export");
        export.arg(database);
        export.args(filter.split(' '));
        let exported = export.output().expect("stamma runs").stdout;
        are_right &= exported == own;
    }

    // The peer's `-D` omits games that it has read before.
    let mut peer = command_of_line(&format!("{PEER} -D"), pgn);
    compare_filter(pgn, "--unique", runs_of_each, &mut peer);
    println!("games with filters as exported: {are_right}");
    are_right
}

/// Times a filter beside the peer, prints the numbers of games, and returns the games.
fn compare_filter(pgn: &Path, filter: &str, runs_of_each: u32, peer: &mut Command) -> Vec<u8> {
    let is_done = || runs(&mut with_filter(pgn, filter));
    compare(filter, runs_of_each, is_done, peer);

    // Once more for the games, since the output of timed runs is discarded.
    let output = with_filter(pgn, filter).output().expect("stamma runs");
    let own_games = games(&output.stdout);
    let peer_games = peer_games(peer);
    println!("{:<24} {own_games} games, peer {peer_games}", "");
    output.stdout
}

/// The number of games that the peer writes; 0 without it.
fn peer_games(peer: &mut Command) -> usize {
    peer.stdout(Stdio::piped());
    match peer.output() {
        Ok(output) => games(&output.stdout),
        Err(_) => 0,
    }
}

/// A conversion to a notation.
fn to_notation(pgn: &Path, notation: &str) -> Command {
    let mut command = Command::new(STAMMA);
    command.arg("convert");
    command.arg(pgn);
    command.args(["--notation", notation]);
    command
}

/// The output of a command of Stamma.
///
/// # Panics
/// If the command fails.
fn output(command: &mut Command) -> Vec<u8> {
    let output = command.output().expect("stamma runs");
    let code = output.status.code();

    // The exit code is 1 because some games have faults.
    let is_done = matches!(code, Some(0 | 1));
    assert!(is_done, "{command:?} ends with {code:?}");
    output.stdout
}

/// The number of games in a text, each of which has a `Result` tag.
fn games(text: &[u8]) -> usize {
    memmem::find_iter(text, "\n[Result \"").count()
}

/// `true` if the output is correct; `database` has the games.
fn is_right(pgn: &Path, database: &Path) -> bool {
    let mut export = Command::new(STAMMA);
    export.arg("export");
    export.arg(database);
    let exported = output(&mut export);

    let mut convert = Command::new(STAMMA);
    convert.arg("convert");
    convert.arg(pgn);
    let san = output(&mut convert);
    let lan = output(&mut to_notation(pgn, "lan"));

    let is_as_exported = san == exported;
    let san_games = games(&san);
    println!("{san_games} games, SAN as exported: {is_as_exported}");
    let lan_games = games(&lan);
    println!("{lan_games} games in long algebraic");
    is_as_exported && lan_games == san_games
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    println!("{}, {} runs", pgn.display(), arguments.runs);

    let notations = [("san", &arguments.peer), ("lan", &arguments.peer_lan)];
    for (notation, peer_line) in notations {
        let is_done = || runs(&mut to_notation(&pgn, notation));
        let mut peer = command_of_line(peer_line, &pgn);
        compare(notation, arguments.runs, is_done, &mut peer);
    }

    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("games.db");
    import(&pgn, &database);
    let are_filters_right = are_filters_right(&pgn, &database, arguments.runs);
    if is_right(&pgn, &database) && are_filters_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

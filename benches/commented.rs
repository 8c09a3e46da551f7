//! Games full of comments: read and replayed on one thread, and imported, each in turn with another program that only
//! checks them.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench commented [-- FILE] [--runs N] [--peer COMMAND]` (default `engines.pgn`, five
//! runs, `pgn-extract -r -s`). The path of the file is appended to the peer's command; a missing peer is skipped.
//! Medians are reported. Every byte of the comments must be read, and all games imported; otherwise the exit code is 1.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use clap::Parser;
use rusqlite::Connection;
use stamma::pgn::{Span, split};
use stamma::replay::replay;

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches look at memory")]
mod process;

use peer::corpus_file;
use process::{STAMMA, command_of_line, compare, runs};

#[derive(Parser)]
struct Arguments {
    /// The file of the corpus
    #[arg(default_value = "engines.pgn")]
    file: String,
    /// How often each program is timed
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The other program
    #[arg(long, value_name = "COMMAND", default_value = "pgn-extract -r -s")]
    peer: String,
    /// The flag that Cargo passes to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// The sizes of a file. Its database must have the same sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Totals {
    games: i64,
    /// The bytes of the moves, and the number of annotations.
    bytes: i64,
}

/// The games of a file, and the sizes of the moves and annotations that their replay yields.
fn replay_all(file: &str) -> Totals {
    let mut totals = Totals { games: 0, bytes: 0 };
    for span in split(file.as_bytes()) {
        let Span::Game(range) = span else {
            continue;
        };

        // The compiler must not skip the parts of a replay that nothing uses.
        let replayed = black_box(replay(&file[range]));
        let game = &replayed.game;
        totals.games += 1;
        totals.bytes += game.moves.len() as i64;
        totals.bytes += game.annotations.len() as i64;
    }
    totals
}

/// Imports a file into a new database; `false` if the program does not run.
fn import(pgn: &Path, database: &Path) -> bool {
    // The output of an earlier run.
    let _ = fs::remove_file(database);

    let mut command = Command::new(STAMMA);
    command.arg("import");
    command.arg(database);
    command.arg(pgn);
    runs(&mut command)
}

/// The games of a database, and the sizes of their moves and annotations.
fn read_stored(database: &Path) -> Totals {
    let connection = Connection::open(database).expect("a database");
    let sql = "SELECT count(*), sum(octet_length(moves) + coalesce((SELECT sum(json_array_length(at.value))
        FROM json_each(annotations) AS at), 0)) FROM movetext";
    let row = connection.query_row(sql, [], |row| {
        Ok(Totals {
            games: row.get(0)?,
            bytes: row.get(1)?,
        })
    });
    row.expect("the games")
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(pgn) = corpus_file(&arguments.file) else {
        return ExitCode::SUCCESS;
    };
    println!("{}, {} runs", pgn.display(), arguments.runs);

    let file = fs::read_to_string(&pgn).expect("a file in UTF-8");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("games.db");

    let mut peer = command_of_line(&arguments.peer, &pgn);
    let is_replayed = || black_box(replay_all(&file)).games > 0;
    let name = "read, replay, one thread";
    compare(name, arguments.runs, is_replayed, &mut peer);
    let is_imported = || import(&pgn, &database);
    compare("import", arguments.runs, is_imported, &mut peer);

    let stored = read_stored(&database);
    let Totals { games, bytes } = stored;
    println!("{games} games, {bytes} bytes of moves and annotations in all");

    let replayed = replay_all(&file);
    if replayed != stored {
        let Totals { games, bytes } = replayed;
        println!("not what is replayed: {games} games, {bytes}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

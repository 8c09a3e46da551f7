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

/// The games of a file, and the sizes of the moves and annotations that their replay yields.
fn replayed(file: &str) -> (i64, i64) {
    let (mut games, mut bytes) = (0, 0);
    for span in split(file.as_bytes()) {
        let Span::Game(range) = span else { continue };
        let replayed = black_box(replay(&file[range]));
        let game = &replayed.game;
        games += 1;
        bytes += (game.moves.len() + game.annotations.len()) as i64;
    }
    (games, bytes)
}

fn import(pgn: &Path, database: &Path) -> bool {
    // The output of an earlier run.
    let _ = fs::remove_file(database);
    runs(Command::new(STAMMA).arg("import").arg(database).arg(pgn))
}

fn stored(database: &Path) -> (i64, i64) {
    let connection = Connection::open(database).expect("a database");
    let sql = "SELECT count(*), sum(octet_length(moves) + coalesce((SELECT sum(json_array_length(at.value))
        FROM json_each(annotations) AS at), 0)) FROM movetext";
    let row = connection.query_row(sql, [], |row| {
        let (games, bytes) = (row.get(0)?, row.get(1)?);
        Ok((games, bytes))
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

    let is_replayed = || black_box(replayed(&file)).0 > 0;
    let name = "read, replay, one thread";
    compare(name, arguments.runs, is_replayed, &mut peer);
    let is_imported = || import(&pgn, &database);
    compare("import", arguments.runs, is_imported, &mut peer);

    let (replayed, stored) = (replayed(&file), stored(&database));
    let (games, bytes) = stored;
    println!("{games} games, {bytes} bytes of moves and annotations in all");
    if replayed != stored {
        println!("not what is replayed: {} games, {}", replayed.0, replayed.1);
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

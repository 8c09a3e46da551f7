//! Copies of a database that are made while a command writes are distinguished from whole databases.

use std::fs;

use crate::support::program::{Workplace, stderr_of};
use rusqlite::Connection;

const FAULT: &str = "it was copied while a command wrote to the original, without the log beside that, so that games may be \
    missing; copy the original again";

/// A database whose last import has left games in the log, since a reader has kept an earlier state; and the reader.
fn with_a_log() -> (Workplace, Connection) {
    let work = Workplace::new();
    work.import("[White \"A\"]\n\n1. e4 *\n");

    let reader = Connection::open(work.path("games.db")).expect("a database");
    reader
        .pragma_update(None, "journal_mode", "wal")
        .expect("a log");
    work.write("more.pgn", "[White \"B\"]\n\n1. d4 *\n");

    // The mark of a writer is committed into the file before its log begins. The reader keeps what follows in the log.
    (work, reader)
}

#[test]
fn a_copy_without_the_log_is_a_fault() {
    let (work, reader) = with_a_log();
    let mark = "INSERT INTO counter VALUES ('writing', 1)";
    reader
        .execute_batch(&format!("{mark}; PRAGMA wal_checkpoint(TRUNCATE)"))
        .expect("a mark");
    reader
        .execute_batch("BEGIN; SELECT * FROM game")
        .expect("a snapshot");
    fs::copy(work.path("games.db"), work.path("copy.db")).expect("a copy");

    let stderr = stderr_of(&work.stamma("check copy.db").code(1));
    assert_eq!(stderr, format!("the file: {FAULT}\n"));

    for command in ["info copy.db", "moves copy.db"] {
        let stderr = stderr_of(&work.stamma(command).success());
        assert!(
            stderr.starts_with("copy.db: copied while a command wrote to the original"),
            "{stderr}"
        );
    }
}

#[test]
fn a_finished_import_beside_a_reader_leaves_no_mark() {
    let (work, reader) = with_a_log();
    reader
        .execute_batch("BEGIN; SELECT * FROM game")
        .expect("a snapshot");
    work.stamma("import games.db more.pgn").success();

    assert_eq!(
        work.query("SELECT count(*) FROM counter WHERE name = 'writing'"),
        "0"
    );
    work.stamma("check games.db --full").success();

    reader.execute_batch("COMMIT").expect("no snapshot");
    drop(reader);
    fs::copy(work.path("games.db"), work.path("copy.db")).expect("a copy");

    work.stamma("check copy.db --full").success();
    assert_eq!(work.output("search copy.db --format count"), "2\n");
}

#[test]
fn a_change_leaves_no_mark() {
    let work = Workplace::new();
    work.import("[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n");

    for command in [
        "delete games.db --games 1 --yes",
        "optimize games.db",
        "materialize games.db",
    ] {
        work.stamma(command).success();
        assert_eq!(
            work.query("SELECT count(*) FROM counter WHERE name = 'writing'"),
            "0",
            "{command}"
        );
    }
}

//! Databases of every released version open as their program left them. Databases of unreleased versions are refused.

use std::path::Path;

use crate::support::column_value::value;
use crate::support::index_oracle::{compare, replay_all};
use crate::support::program::{Workplace, stderr_of};
use rusqlite::Connection;

/// The version that this program writes.
const CURRENT: u32 = 1;

/// A database from its SQL text in `tests/data/databases`.
fn kept_database(work: &Workplace, version: u32) -> Connection {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/databases");
    let path = data.join(format!("version-{version}.sql"));
    let sql = std::fs::read_to_string(path).expect("the kept text");

    let connection = Connection::open(work.path("games.db")).expect("a new database");
    connection.execute_batch(&sql).expect("the kept database");

    connection
}

#[test]
fn the_current_version_answers_at_once() {
    let work = Workplace::new();
    let connection = kept_database(&work, CURRENT);
    let known = replay_all(&connection);

    // It was made with --index-variations.
    let mut games = known.values().flat_map(|known| &known.games);
    assert!(games.any(|found| found.in_variation));

    compare(&connection, &known, 1);
    work.stamma("check games.db --full").success();
}

#[test]
fn the_current_version_is_added_to() {
    let work = Workplace::new();
    let connection = kept_database(&work, CURRENT);
    work.import("[Event \"new\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Sf3 Sc6 1-0\n");

    compare(&connection, &replay_all(&connection), 1);
    assert_eq!(work.query("SELECT count(*) FROM games"), "40");
    assert_eq!(work.query("SELECT language FROM games WHERE id > 40"), "de");
    work.stamma("check games.db --full").success();
}

/// A released version is never changed: a change of its tables needs a new version.
#[test]
fn the_schema_is_that_of_the_kept_database() {
    let schema = |work: &Workplace| {
        work.query(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name",
        )
    };

    let (work, new) = (Workplace::new(), Workplace::new());
    let _kept = kept_database(&work, CURRENT);
    new.import("1. e4 *\n");

    assert_eq!(schema(&work), schema(&new));
}

/// The meaning of column values, and the choice of indexed words, are part of the format: if this fails, raise the
/// number in `columns/mod.rs` and `docs/columns.md`, so that databases are described again.
#[test]
fn the_columns_match_their_format() {
    let work = Workplace::new();
    let _kept = kept_database(&work, CURRENT);
    let words = "SELECT rowid FROM comment_text('often') ORDER BY rowid";
    let changed = work.query("SELECT group_concat(id) FROM stale_game");

    let unchanged = format!("SELECT id FROM game WHERE id NOT IN ({changed}) ORDER BY id");
    let values_before = values(&work, &unchanged);
    let words_before = work.query(words);

    let format = "SELECT value FROM counter WHERE name = 'column_format'";
    assert_eq!(work.query(format), "3");

    // A format of another version of the program, and no columns.
    let forget =
        "UPDATE counter SET value = 99 WHERE name = 'column_format'; DELETE FROM game_column";
    work.run(["sql", "games.db", "--write", forget]).success();

    let stderr = stderr_of(&work.stamma("check games.db").code(1));
    assert_eq!(
        stderr,
        "game_column: it is of another format; `stamma optimize` makes it again\n"
    );
    assert_eq!(work.output("search games.db --format count").trim(), "39");

    work.stamma("optimize games.db").success();
    work.stamma("check games.db --full").success();
    assert_eq!(values(&work, &unchanged), values_before);
    assert_eq!(work.query(words), words_before);
    assert_eq!(work.query(format), "3");
}

/// The values of some games in all columns.
fn values(work: &Workplace, games: &str) -> Vec<u64> {
    let connection = Connection::open(work.path("games.db")).expect("a database");

    // The column is in the upper bits of a block's id.
    let last = "SELECT max(id) >> 52 FROM game_column";
    let last_column: i64 = connection
        .query_row(last, [], |row| row.get(0))
        .expect("SQL");

    let mut select = connection.prepare(games).expect("SQL");
    let games: Vec<i64> = select
        .query_map([], |row| row.get(0))
        .expect("games")
        .map(|game| game.expect("a game"))
        .collect();

    let mut values = Vec::new();
    for column in 0..=last_column {
        for &game in &games {
            values.push(value(&connection, column, game));
        }
    }

    values
}

/// Removes the numbers that identify the file as Stamma's, as `.dump` does.
fn without_numbers(work: &Workplace, version: u32) {
    let connection = kept_database(work, version);
    connection
        .execute_batch("PRAGMA application_id = 0; PRAGMA user_version = 0")
        .expect("SQL");
}

#[test]
fn a_database_that_has_lost_its_numbers_is_recognized() {
    for version in 1..=CURRENT {
        let work = Workplace::new();
        without_numbers(&work, version);

        let stderr = stderr_of(&work.stamma("optimize games.db").success());
        let expected = "games.db: recognized by its tables; application id and version restored\n";
        assert!(stderr.starts_with(expected), "{version}: {stderr}");
        assert_eq!(work.query("PRAGMA application_id"), "1400139105");
        assert_eq!(work.query("PRAGMA user_version"), CURRENT.to_string());
        work.stamma("check games.db --full").success();

        // Once is enough.
        let second_run = work.stamma("optimize games.db").success();
        let stderr = stderr_of(&second_run);
        assert!(!stderr.contains("recognized"), "{stderr}");
    }
}

#[test]
fn a_database_that_has_lost_its_numbers_answers_unchanged() {
    let work = Workplace::new();
    without_numbers(&work, CURRENT);

    assert_eq!(work.output("search games.db --format count").trim(), "39");
    work.stamma("check games.db --full").success();

    // A query writes nothing.
    assert_eq!(work.query("PRAGMA application_id"), "0");
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let work = Workplace::new();
    kept_database(&work, CURRENT)
        .pragma_update(None, "user_version", CURRENT + 1)
        .expect("a number");

    for command in ["info games.db", "optimize games.db"] {
        let stderr = stderr_of(&work.stamma(command).code(2));
        assert_eq!(
            stderr,
            "stamma: games.db: this database was written by a newer Stamma (version 2, this program supports 1); \
             update Stamma\n"
        );
    }
}

/// The tables that all versions before the first release had, with two sources.
const UNRELEASED: &str = "
    CREATE TABLE source (id INTEGER PRIMARY KEY, path TEXT NOT NULL);
    CREATE TABLE game (id INTEGER PRIMARY KEY);
    CREATE TABLE movetext (game_id INTEGER PRIMARY KEY, moves TEXT NOT NULL);
    CREATE TABLE position_segment (id INTEGER PRIMARY KEY);
    CREATE TABLE position_block (id INTEGER PRIMARY KEY);
    INSERT INTO source VALUES (1, 'old/a.pgn'), (2, 'b.pgn');";

macro_rules! unreleased {
    ($($name:ident: $numbers:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.write("a.pgn", "1. e4 *\n");

            let connection = Connection::open(work.path("games.db")).expect("a new database");
            connection.execute_batch(UNRELEASED).expect("tables");
            connection.execute_batch($numbers).expect("numbers");
            drop(connection);

            let before = std::fs::read(work.path("games.db")).expect("the file");

            for command in ["info games.db", "optimize games.db", "import games.db a.pgn", "check games.db"] {
                assert_eq!(
                    stderr_of(&work.stamma(command).code(2)),
                    "stamma: games.db: this database was made by an unreleased Stamma; import its sources into a new \
                     one: old/a.pgn, b.pgn\n"
                );
            }

            assert!(std::fs::read(work.path("games.db")).expect("the file") == before);
        }
    )*};
}

unreleased! {
    the_last_unreleased_version: "PRAGMA application_id = 1400136045; PRAGMA user_version = 13";
    the_first_unreleased_version: "PRAGMA application_id = 1400136045; PRAGMA user_version = 1";
    an_unreleased_version_without_its_number: "PRAGMA application_id = 1400136045";
    a_dump_of_an_unreleased_version: "PRAGMA user_version = 0";
}

#[test]
fn incomplete_databases_are_refused() {
    for (change, command) in [
        ("PRAGMA application_id = 252006673", "info games.db"),
        (
            "PRAGMA application_id = 0; DROP TABLE source_text",
            "info games.db",
        ),
        (
            "PRAGMA application_id = 0; DROP TRIGGER game_is_deleted",
            "optimize games.db",
        ),
        (
            "PRAGMA application_id = 0; ALTER TABLE game RENAME COLUMN eco TO e",
            "import games.db a.pgn",
        ),
    ] {
        let work = Workplace::new();
        work.write("a.pgn", "1. e4 *\n");
        kept_database(&work, CURRENT)
            .execute_batch(change)
            .expect("SQL");

        let before = std::fs::read(work.path("games.db")).expect("the file");
        let stderr = stderr_of(&work.stamma(command).code(2));
        assert!(
            stderr.contains("not a Stamma database"),
            "{change}: {stderr}"
        );

        let after = std::fs::read(work.path("games.db")).expect("the file");
        assert!(after == before, "{change}");
    }
}

#[test]
fn a_copy_by_vacuum_or_with_a_log_is_a_database() {
    let work = Workplace::new();
    let connection = kept_database(&work, CURRENT);
    let copy = work.path("copy.db");

    connection
        .execute("VACUUM INTO ?1", [copy.to_str()])
        .expect("a copy");
    work.stamma("check copy.db --full").success();

    // As copies by Litestream are.
    let copy = Connection::open(copy).expect("a database");
    copy.pragma_update(None, "journal_mode", "wal")
        .expect("a log");
    drop(copy);

    work.stamma("check copy.db --full").success();

    work.stamma("optimize copy.db").success();
}

/// Makes `new.db` from the output of a command of the system's `sqlite3` on `games.db`, if that supports it.
#[expect(
    clippy::print_stderr,
    reason = "a skipped test tells the one who runs it"
)]
fn written_by_sqlite3(work: &Workplace, command: &str) -> bool {
    let mut dump = std::process::Command::new("sqlite3");
    let output = dump.arg(work.path("games.db")).arg(command).output();
    let sql = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());

    // Some builds lack `.recover`.
    let Some(sql) = sql.ok().filter(|sql| sql.contains("movetext")) else {
        eprintln!("skipped: there is no program sqlite3 with {command}");
        return false;
    };

    work.write("new.sql", sql);
    let mut read = std::process::Command::new("sqlite3");
    read.current_dir(work.path(""))
        .args(["new.db", ".read new.sql"]);

    let status = read.status().expect("sqlite3");
    assert!(status.success());

    true
}

#[test]
fn a_dump_is_a_database() {
    for command in [".dump", ".recover"] {
        let work = Workplace::new();
        drop(kept_database(&work, CURRENT));

        let digest = work.output("check games.db --digest");
        if !written_by_sqlite3(&work, command) {
            continue;
        }
        assert_eq!(work.output("check new.db --digest"), digest, "{command}");
        work.stamma("check new.db --full").success();

        work.write("a.pgn", "[White \"New\"]\n\n1. e4 *\n");
        work.stamma("import new.db a.pgn").success();
        work.stamma("check new.db --full").success();
        assert_eq!(
            work.output("search new.db --player new --format count"),
            "1\n"
        );
    }
}

#[test]
fn every_table_and_view_can_be_counted_and_read() {
    let work = Workplace::new();
    let connection = kept_database(&work, CURRENT);
    work.stamma("materialize games.db").success();

    let sql = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')";
    let mut names = connection.prepare(sql).expect("SQL");
    let names = names.query_map([], |row| row.get(0)).expect("names");
    let names = names
        .collect::<rusqlite::Result<Vec<String>>>()
        .expect("names");

    // The tables of SQLite's own for texts are among them.
    let has_texts = names.contains(&"comment_text".to_owned());
    assert!(names.len() > 25 && has_texts, "{names:?}");

    for name in names {
        let sql = format!("SELECT count(*) FROM \"{name}\"");
        let count: i64 = connection
            .query_row(&sql, [], |row| row.get(0))
            .expect(&name);

        let sql = format!("SELECT * FROM \"{name}\"");
        let mut select = connection.prepare(&sql).expect(&name);
        let columns = select.column_count();
        let mut rows = select.query([]).expect(&name);

        let mut read = 0;
        while let Some(row) = rows.next().expect(&name) {
            for column in 0..columns {
                assert!(row.get_ref(column).is_ok(), "{name}");
            }
            read += 1;
        }
        assert_eq!(read, count, "{name}");
    }
}

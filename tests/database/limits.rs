//! Numbers beyond 32 bits work like others, and reached limits are reported.

use crate::support::index_oracle::{compare, replay_all};
use crate::support::program;
use crate::support::program::{Workplace, games, stderr_of};
use rusqlite::Connection;

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
/// The number of the first game, above 2^32.
const FIRST: i64 = (1 << 32) + 5;

fn open(work: &Workplace) -> Connection {
    Connection::open(work.path("games.db")).expect("a database")
}

/// The historical games, numbered from above 2^32.
fn with_high_numbers() -> Workplace {
    let work = Workplace::new();

    // An emptied database, whose counter can be set to any number.
    work.import("[Event \"gone\"]\n\n1. e4 *\n");
    work.stamma("forget games.db in.pgn").success();
    work.stamma("optimize games.db").success();
    open(&work)
        .execute(
            "UPDATE counter SET value = ?1 WHERE name = 'next_game'",
            [FIRST],
        )
        .expect("SQL");

    let games = games();
    let import = ["import".as_ref(), "games.db".as_ref(), games.as_os_str()];
    work.run(import).success();

    work
}

#[test]
fn games_beyond_32_bits_are_found_and_written() {
    let work = with_high_numbers();
    assert_eq!(work.query("SELECT min(id) FROM game"), FIRST.to_string());

    let connection = open(&work);
    compare(&connection, &replay_all(&connection), 1);
    work.stamma("check games.db --full").success();

    let last = FIRST + 110;
    let sql = format!("SELECT max(game_id) FROM position('{AFTER_E4}')");
    let run = work
        .run(["sql", "games.db", &sql, "--format", "csv"])
        .success();
    let found = program::stdout_of(&run);

    let expected = work.query("SELECT max(game_id) FROM movetext WHERE moves GLOB 'e4 *'");
    assert!(found.trim().ends_with(&expected), "{sql}");

    work.stamma(&format!("moves games.db {AFTER_E4}")).success();
    let pgn = work.output(&format!("export games.db --games {last}"));
    assert_eq!(pgn.matches("[Event ").count(), 1);

    work.stamma("materialize games.db").success();
    let tenth = FIRST + 9;
    let delete = format!("delete games.db --yes --games {FIRST}-{tenth}");
    work.stamma(&delete).success();

    compare(&connection, &replay_all(&connection), 1);

    work.stamma("optimize games.db").success();
    compare(&connection, &replay_all(&connection), 1);
    work.stamma("check games.db --full").success();
}

#[test]
fn databases_with_high_numbers_are_merged() {
    let work = with_high_numbers();
    work.write("one.pgn", "[Event \"new\"]\n\n1. e4 *\n");
    work.stamma("import other.db one.pgn").success();
    work.stamma("merge other.db games.db").success();
    work.stamma("merge games.db other.db").success();

    for name in ["games.db", "other.db"] {
        work.stamma(&format!("check {name} --full")).success();
        let connection = Connection::open(work.path(name)).expect("a database");
        compare(&connection, &replay_all(&connection), 1);
    }

    assert_eq!(
        work.query("SELECT max(id) FROM game"),
        (FIRST + 111).to_string()
    );
}

#[test]
fn offsets_and_sizes_beyond_32_bits_are_reported_correctly() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 Ke7 *\n");
    open(&work)
        .execute_batch(
            "UPDATE source SET bytes = 1 << 40, problems = 1;
             UPDATE game SET byte_offset = 1 << 39;
             UPDATE problem SET byte_offset = byte_offset + (1 << 39), line = 1 << 35",
        )
        .expect("SQL");

    work.stamma("check games.db --full").success();
    assert!(work.output("info games.db").contains("1,099,511,627,776"));

    open(&work)
        .execute("UPDATE position_segment SET postings = 1 << 40", [])
        .expect("SQL");

    let info = work.output("info games.db");
    assert!(info.contains("1,099,511,627,776 positions"));
}

#[test]
fn too_many_segments_are_refused() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 *\n");
    open(&work)
        .execute_batch(
            "WITH RECURSIVE n (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM n WHERE id < 8191)
             INSERT INTO position_segment SELECT n.id, format, variations, n.id, n.id, 0, key_bits, game_bits
             FROM n, position_segment;
             UPDATE counter SET value = 8192",
        )
        .expect("SQL");
    work.write("more.pgn", "[Event \"B\"]\n\n1. d4 *\n");

    let run = work.stamma("import games.db more.pgn").code(2);
    let expected =
        "the position index is full: it has 8191 segments; `stamma optimize` joins them\n";
    let stderr = stderr_of(&run);
    assert!(stderr.ends_with(expected), "{stderr}");
    assert_eq!(work.query("SELECT count(*) FROM game"), "1");

    work.stamma("optimize games.db").success();
    work.stamma("import games.db more.pgn").success();
    work.stamma("check games.db --full").success();
}

#[test]
fn exhausted_game_numbers_are_reported() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 *\n");

    for last in [(1_i64 << 62) + 1, i64::MAX] {
        // All counters, the one of the next game among them.
        let counters = "UPDATE counter SET value = ?1";
        open(&work).execute(counters, [last]).expect("SQL");
        work.write("more.pgn", "[Event \"B\"]\n\n1. d4 *\n");

        let run = work.stamma("import games.db more.pgn").code(2);
        let stderr = stderr_of(&run);
        let expected = "game numbers have reached their limit, 2^62\n";
        assert!(stderr.ends_with(expected), "{stderr}");
        assert_eq!(work.query("SELECT count(*) FROM game"), "1");
    }
}

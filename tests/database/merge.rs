//! Merged databases equal one import, and stay unchanged if the merge fails.

use std::fs;

use crate::support::index_oracle::{compare, replay_all};
use crate::support::program::{Workplace, stderr_of, text_of_games};
use rusqlite::Connection;

/// Writes the historical games as files of eight games, `0.pgn` and so on; returns the number of files.
fn parts(work: &Workplace) -> usize {
    let games: Vec<String> = text_of_games()
        .split("[Event ")
        .skip(1)
        .map(|game| format!("[Event {game}"))
        .collect();

    for (number, part) in games.chunks(8).enumerate() {
        let faults = if number == 2 {
            "\nnews of the day\n\n[Event \"?\"]\n\n1. e4 Ke7 *\n"
        } else {
            ""
        };
        work.write(&format!("{number}.pgn"), part.concat() + faults);
    }

    games.len().div_ceil(8)
}

fn import(work: &Workplace, name: &str, files: impl IntoIterator<Item = usize>) {
    for file in files {
        let run = work.stamma(&format!("import {name} {file}.pgn"));
        let code = run.get_output().status.code();
        assert!(
            matches!(code, Some(0 | 1)),
            "the import ended with {code:?}"
        );
    }
}

fn digest(work: &Workplace, name: &str) -> String {
    work.output(&format!("check {name} --digest"))
}

/// Asserts that a full check finds no fault, and that the index answers as a replay of all games does.
fn assert_exact(work: &Workplace, name: &str) {
    work.stamma(&format!("check {name} --full")).success();
    let connection = Connection::open(work.path(name)).expect("a database");
    compare(&connection, &replay_all(&connection), 1);
}

#[test]
fn equals_one_import() {
    let work = Workplace::new();
    let all = parts(&work);
    import(&work, "all.db", 0..all);
    import(&work, "a.db", 0..3);
    import(&work, "b.db", 3..4);
    import(&work, "c.db", 4..all);

    let before = fs::read(work.path("c.db")).expect("a file");
    let run = work.stamma("merge a.db b.db c.db").success();
    assert_eq!(
        stderr_of(&run),
        "b.db: 8 games of 1 source taken\nc.db: 79 games of 10 sources taken\n"
    );
    assert_eq!(digest(&work, "a.db"), digest(&work, "all.db"));

    assert_exact(&work, "a.db");
    let after = fs::read(work.path("c.db")).expect("a file");
    assert!(after == before, "the other was written to");

    let names = |name: &str| {
        let connection = Connection::open(work.path(name)).expect("a database");
        let sql = "SELECT (SELECT count(*) FROM player) + (SELECT count(*) FROM event)
            + (SELECT count(*) FROM site) + (SELECT count(*) FROM tag_order)";
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .expect("a number")
    };

    assert_eq!(names("a.db"), names("all.db"));

    // Later imports are appended.
    work.import("[Event \"new\"]\n\n1. e4 *\n");
    work.stamma("import a.db in.pgn").success();
    assert_exact(&work, "a.db");
}

#[test]
fn many_at_once_into_a_new_database() {
    let work = Workplace::new();
    let all = parts(&work);
    import(&work, "all.db", 0..all);

    // A database for each part of the games, all of them merged at once.
    let mut names = Vec::new();
    for number in 0..all {
        let name = format!("{number}.db");
        import(&work, &name, [number]);
        names.push(name);
    }
    assert!(all > 10, "{all} parts");

    // Merged, they are what one import of all games is.
    let merge = format!("merge games.db {}", names.join(" "));
    work.stamma(&merge).success();
    assert_eq!(digest(&work, "games.db"), digest(&work, "all.db"));

    assert_exact(&work, "games.db");

    // A merge joins segments, as imports do.
    let count = work.query("SELECT count(*) FROM position_segment");
    let segments: u32 = count.parse().expect("a number");
    assert!(segments <= 7, "{segments} segments of {all} parts");
}

#[test]
fn known_sources_are_skipped() {
    let work = Workplace::new();
    parts(&work);
    import(&work, "all.db", 0..7);
    import(&work, "a.db", 0..3);

    // One segment of known and unknown files, one of unknown files only.
    work.stamma("import b.db 2.pgn 3.pgn 1.pgn 4.pgn").code(1);
    import(&work, "b.db", 5..7);

    let run = work.stamma("merge a.db b.db").success();
    assert_eq!(
        stderr_of(&run),
        "b.db: 2.pgn: already imported, skipped\n\
         b.db: 1.pgn: already imported, skipped\n\
         b.db: 32 games of 4 sources taken; 16 games indexed again\n"
    );
    assert_eq!(digest(&work, "a.db"), digest(&work, "all.db"));

    assert_exact(&work, "a.db");
    let index = || {
        let connection = Connection::open(work.path("a.db")).expect("a database");
        let page = "SELECT rootpage FROM sqlite_schema WHERE name = 'game_address'";
        connection
            .query_row(page, [], |row| row.get::<_, i64>(0))
            .expect("the index")
    };

    let before = index();
    let run = work.stamma("merge a.db b.db").success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.ends_with("b.db: 0 games of 0 sources taken\n"),
        "{stderr}"
    );
    assert_eq!(
        index(),
        before,
        "indexes are built again only for many games"
    );
    assert_eq!(digest(&work, "a.db"), digest(&work, "all.db"));
}

#[test]
fn changed_and_deleted_games_are_merged_unchanged() {
    let work = Workplace::new();
    parts(&work);
    import(&work, "a.db", 0..2);
    import(&work, "b.db", 1..5);
    Connection::open(work.path("b.db"))
        .and_then(|connection| {
            connection.execute_batch(
                "DELETE FROM game WHERE id IN (1, 3, 12);
                 UPDATE game SET result = '*' WHERE id IN (4, 14);
                 UPDATE movetext SET moves = 'e4 e5 Nf3' WHERE game_id IN (5, 15, 20);
                 INSERT INTO game (id, source_id, byte_offset, byte_length, result, ply_count,
                    moves_hash, tag_order_id, final_key) VALUES (90, 2, 0, 0, '1-0', 1, 0, 1, 0);
                 INSERT INTO movetext (game_id, moves) VALUES (90, 'Nc3')",
            )
        })
        .expect("SQL");
    work.stamma("merge a.db b.db").success();

    let connection = Connection::open(work.path("a.db")).expect("a database");
    compare(&connection, &replay_all(&connection), 1);

    let games = "SELECT count(*) FROM game";
    let games: i64 = connection
        .query_row(games, [], |row| row.get(0))
        .expect("a number");

    // Two files of eight games, three more with a faulty game, one game deleted from them, and one added by SQL.
    assert_eq!(games, 16 + 25 - 1 + 1);

    work.stamma("optimize a.db").success();
    assert_exact(&work, "a.db");
}

#[test]
fn an_index_of_another_format_is_rebuilt() {
    let work = Workplace::new();
    parts(&work);
    import(&work, "all.db", 0..4);
    import(&work, "a.db", 0..1);
    import(&work, "b.db", 1..4);
    Connection::open(work.path("b.db"))
        .and_then(|connection| {
            connection.execute("UPDATE position_segment SET format = 2 WHERE id = 2", [])
        })
        .expect("SQL");

    let run = work.stamma("merge a.db b.db").success();
    let stderr = stderr_of(&run);
    assert!(stderr.contains("; 9 games indexed again\n"), "{stderr}");
    assert_eq!(digest(&work, "a.db"), digest(&work, "all.db"));

    assert_exact(&work, "a.db");
}

#[test]
fn refuses_what_it_cannot_read() {
    let work = Workplace::new();
    parts(&work);
    import(&work, "a.db", [0]);
    import(&work, "newer.db", [1]);
    Connection::open(work.path("newer.db"))
        .and_then(|connection| connection.pragma_update(None, "user_version", 999))
        .expect("SQL");
    Connection::open(work.path("unreleased.db"))
        .and_then(|old| {
            old.execute_batch(
                "PRAGMA application_id = 1400136045;
                CREATE TABLE source (id INTEGER PRIMARY KEY, path TEXT)",
            )
        })
        .expect("SQL");
    work.write("text.db", "[Event \"?\"]");

    for (other, why) in [
        (
            "unreleased.db",
            "unreleased.db: this database was made by an unreleased Stamma; import its sources into \
             a new one: it lists none",
        ),
        (
            "newer.db",
            "newer.db: this database was written by a newer Stamma",
        ),
        ("text.db", "text.db: not a Stamma database"),
        ("none.db", "none.db: no such database"),
        ("./a.db", "a.db: a database cannot be merged into itself"),
    ] {
        let run = work.stamma(&format!("merge a.db {other}")).code(2);
        let stderr = stderr_of(&run);
        assert!(stderr.starts_with(&format!("stamma: {why}")), "{stderr}");
    }

    fs::copy(work.path("a.db"), work.path("cut.db")).expect("a copy");
    Connection::open(work.path("cut.db"))
        .and_then(|cut| cut.execute_batch("DELETE FROM position_segment"))
        .expect("SQL");

    for others in ["a.db none.db", "a.db cut.db"] {
        work.stamma(&format!("merge fresh.db {others}")).code(2);
        assert!(!work.path("fresh.db").exists(), "{others}");
    }
}

#[test]
fn all_or_nothing() {
    let work = Workplace::new();
    parts(&work);
    import(&work, "a.db", [0]);
    import(&work, "b.db", [1]);
    import(&work, "c.db", [2]);
    Connection::open(work.path("c.db"))
        .and_then(|connection| {
            connection.execute_batch(
                "PRAGMA foreign_keys = 0; UPDATE game SET site_id = 777 WHERE id = 3",
            )
        })
        .expect("SQL");

    let before = digest(&work, "a.db");
    let run = work.stamma("merge a.db b.db c.db").code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: c.db: the database is damaged: a game names site 777, which is not there\n"
    );
    assert_eq!(digest(&work, "a.db"), before);
    work.stamma("check a.db --full").success();
}

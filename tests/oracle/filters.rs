//! Filters, compared by random queries with a plain reading of all games (`tests/support/filter_oracle`): as imported,
//! and after changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::corpus::fewer;
use crate::support::filter_oracle::ask::{compare, compare_commands};
use crate::support::filter_oracle::made_up::{made_up_games, real_and_made_up_games};
use crate::support::filter_oracle::{Known, read_pgn, read_rows};
use crate::support::program::{Workplace, stdout_of};
use crate::support::random::Random;
use rusqlite::Connection;
use stamma::import::{Event, ImportOptions, import};
use stamma::storage::Database;

/// A database of all games, and the oracle's reading of their text.
fn imported() -> (Workplace, Vec<Known>) {
    let text = real_and_made_up_games();
    let work = Workplace::new();
    work.import(&text);

    let known = read_pgn(&text);
    (work, known)
}

#[test]
fn every_filter_beside_the_texts() {
    let (work, games) = imported();
    let path = work.path("games.db");
    let mut random = Random::new(1);

    let counts = compare(&path, &games, 4000, &mut random);

    // Queries that match no game, or every game, would prove little.
    assert!(4 * counts.answered > counts.queries, "{counts:?}");
    assert!(40 * counts.all < counts.queries, "{counts:?}");
}

#[test]
fn on_the_command_line() {
    let (work, games) = imported();
    compare_commands(&work, &games, 60 / fewer(3), &mut Random::new(2));
}

/// The database as another program opens it, without our functions and without enforcing references.
fn open(work: &Workplace) -> Connection {
    let connection = Connection::open(work.path("games.db")).expect("a database");
    connection
        .execute_batch("PRAGMA foreign_keys = 0")
        .expect("a setting");
    connection
}

/// Queries the games as their rows are now.
fn compare_rows(work: &Workplace, connection: &Connection, count: usize, random: &mut Random) {
    let games = read_rows(connection);
    let counts = compare(&work.path("games.db"), &games, count, random);
    assert!(8 * counts.answered > counts.queries, "{counts:?}");
}

/// Makes a random change, as other programs do by SQL.
fn change(connection: &Connection, random: &mut Random) {
    let game = 1 + random.below(511);
    let other = 1 + random.below(511);
    let number = 1 + random.below(40);

    let sql = match random.below(26) {
        0 => format!("UPDATE game SET white_id = {number} WHERE id % 50 = {game} % 50"),
        1 => format!("UPDATE game SET black_id = NULL, site_id = {number} % 9 + 1 WHERE id = {game}"),
        2 => format!("UPDATE game SET event_id = {number} WHERE id IN ({game}, {other})"),
        3 => format!("UPDATE game SET date = '1950.{number}.01', result = '*' WHERE id = {game}"),
        4 => format!("UPDATE game SET white_elo = 2{other}, black_elo = NULL WHERE id = {game}"),
        5 => format!("UPDATE game SET eco = 'B{number}', ply_count = {other} WHERE id = {game}"),
        6 => format!("UPDATE game SET ending = 'stalemate', threefold_ply = 3 WHERE id = {game}"),
        7 => format!("UPDATE game SET variant = 'other' WHERE id = {game}"),
        8 => format!("UPDATE game SET variant = NULL, fivefold_ply = {other} WHERE id = {game}"),
        9 => format!("UPDATE player SET name = 'Novák, ' || name || {other} WHERE id = {number}"),
        10 => format!("UPDATE event SET name = 'Rapid ' || name || {other} WHERE id = {number}"),
        11 => format!("UPDATE site SET name = 'Brno ' || name || {other} WHERE id = {number}"),
        12 => format!("DELETE FROM game WHERE id = {game}"),
        13 => format!("UPDATE movetext SET annotations = NULL WHERE game_id = {game}"),
        14 => format!(
            r#"UPDATE movetext SET annotations = '{{"1":["{{a good novelty [%clk 0:05]","$1"]}}'
             WHERE game_id % 60 = {game} % 60"#
        ),
        15 => format!("UPDATE movetext SET annotations = 'no JSON' WHERE game_id = {game}"),
        16 => format!(
            "UPDATE movetext SET tags = (SELECT json_set(tags, '$.TimeControl', '60+0', '$.WhiteTitle', 'GM')
                FROM games WHERE id = game_id)
             WHERE game_id % 30 = {game} % 30 AND json_valid(tags)"
        ),
        17 => format!("UPDATE movetext SET tags = x'ff00' WHERE game_id = {game}"),
        18 => format!("UPDATE movetext SET tags = NULL WHERE game_id = {game}"),
        19 => format!(
            "REPLACE INTO movetext (game_id, moves, annotations)
             SELECT id, 'e4 e5 Nf3 Nc6 Bb5', '{{\"0\":[\"{{Tal\"]}}' FROM game
             WHERE id = {game} AND fen IS NULL"
        ),
        20 => format!(
            "CREATE TEMP TABLE t AS SELECT * FROM game WHERE id = {game};
             UPDATE t SET result = '0-1', date = '1950', white_id = {number}, eco = 'C50';
             REPLACE INTO game SELECT * FROM t; DROP TABLE t"
        ),
        21 => format!(
            "CREATE TEMP TABLE t AS SELECT * FROM game WHERE id = {game};
             UPDATE t SET id = (SELECT max(id) FROM game) + {number};
             INSERT INTO game SELECT * FROM t;
             INSERT INTO movetext (game_id, moves, tags, annotations) SELECT (SELECT id FROM t), moves,
                tags, annotations FROM movetext WHERE game_id = {game} AND EXISTS (SELECT 1 FROM t);
             DROP TABLE t"
        ),
        22 => format!(
            "INSERT OR IGNORE INTO player (name) SELECT name FROM player WHERE id < {number};
             INSERT OR IGNORE INTO event VALUES ({number}, 'Blitz of Brno');
             DELETE FROM event WHERE id = {number} + 1"
        ),
        23 => format!(
            "PRAGMA ignore_check_constraints = 1;
             UPDATE game SET white_elo = 'abc', date = x'00' WHERE id = {game};
             PRAGMA ignore_check_constraints = 0"
        ),
        24 => format!("UPDATE game SET event_id = 'x', eco = x'42', round = 5 WHERE id = {game}"),
        _ => format!(
            "UPDATE movetext SET moves = (SELECT moves FROM movetext WHERE game_id = {other})
             WHERE game_id = {game} AND EXISTS (SELECT 1 FROM movetext WHERE game_id = {other})
             AND (SELECT final_key IS NOT NULL AND fen IS NULL FROM game WHERE id = {game})
             AND (SELECT fen IS NULL FROM game WHERE id = {other})"
        ),
    };

    connection
        .execute_batch(&sql)
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
}

#[test]
fn after_changes_by_other_programs() {
    let (work, _) = imported();
    let connection = open(&work);
    let mut random = Random::new(3);

    compare_rows(&work, &connection, 300, &mut random);

    // Columns and indexes are older than the rows, and more of the rows change from round to round.
    for round in 0..8 {
        let changes = 1 + 5 * round;
        for _ in 0..changes {
            change(&connection, &mut random);
        }
        compare_rows(&work, &connection, 250, &mut random);
    }

    work.stamma("optimize games.db").success();
    compare_rows(&work, &connection, 500, &mut random);
    work.stamma("check games.db --full");

    work.write("more.pgn", made_up_games(60, 8));
    work.stamma("import games.db more.pgn");
    compare_rows(&work, &connection, 500, &mut random);
}

#[test]
fn renamed_players_are_found_by_their_new_names_alone() {
    let work = Workplace::new();
    work.import("[White \"Tal, Mikhail\"]\n\n1. e4 *\n\n[White \"Tal, M.\"]\n\n1. e4 *\n");

    let connection = open(&work);
    let count = |name: &str| work.output(&format!("search games.db --white {name} --format count"));
    assert_eq!(count("tal"), "2\n");
    assert_eq!(count("mikhail"), "1\n");

    let rename = "UPDATE player SET name = 'Petrosian' WHERE name = 'Tal, Mikhail'";
    connection.execute(rename, []).expect("a change");

    assert_eq!(count("tal"), "1\n");
    assert_eq!(count("mikhail"), "0\n");
    assert_eq!(count("petro"), "1\n");
}

#[test]
fn names_in_scripts_that_sqlite_does_not_know() {
    let work = Workplace::new();
    let names = [
        "हिन्दी, विश्वनाथन",
        "Ⓐlpha Ა",
        "שָׁלוֹם",
        "Ҁ҃a b",
        "😀 smile",
        "a\u{358}b ﬁ",
    ];

    let game = |name: &&str| format!("[White \"{name}\"]\n\n1. e4 *\n\n");
    work.import(names.iter().map(game).collect::<String>());

    for name in names {
        let option = format!("--player={name}");
        let arguments = ["search", "games.db", &option, "--format", "count"];
        let run = work.run(arguments).success();
        assert_eq!(stdout_of(&run), "1\n", "{name}");
    }
}

#[test]
fn numbers_that_no_import_gives() {
    let (work, _) = imported();
    let connection = open(&work);
    let mut random = Random::new(4);

    for number in [-5, 0, 700, 5000, 1 << 40, (1 << 62) - 1, i64::MAX] {
        let sql = format!(
            "CREATE TEMP TABLE t AS SELECT * FROM game WHERE id = 200; UPDATE t SET id = {number};
             INSERT INTO game SELECT * FROM t; DROP TABLE t;
             INSERT INTO movetext (game_id, moves, tags, annotations)
                SELECT {number}, moves, tags, annotations FROM movetext WHERE game_id = 200"
        );
        connection.execute_batch(&sql).expect("a game");
    }

    compare_rows(&work, &connection, 200, &mut random);

    connection
        .execute("DELETE FROM game WHERE id > 1 << 41", [])
        .expect("fewer games");
    compare_rows(&work, &connection, 200, &mut random);

    work.stamma("optimize games.db").success();
    compare_rows(&work, &connection, 200, &mut random);
}

#[test]
fn after_a_merge_and_what_is_forgotten() {
    let work = Workplace::new();
    work.import(real_and_made_up_games());
    work.write("more.pgn", made_up_games(150, 9));
    work.stamma("import more.db more.pgn");
    work.stamma("merge games.db more.db").success();

    let connection = open(&work);
    let mut random = Random::new(5);
    compare_rows(&work, &connection, 300, &mut random);

    work.stamma("forget games.db more.pgn").success();
    compare_rows(&work, &connection, 300, &mut random);
}

#[test]
fn after_an_import_that_was_interrupted() {
    let work = Workplace::new();

    // Long comments, so that the games are several batches.
    let comment = format!("{{{}}}", "a good comment ".repeat(9000));
    let mut text = String::new();
    for number in 0..40 {
        text += &made_up_games(3, number);
        text += &made_up_games(1, number);
        text += &comment;
        text += "\n\n";
    }

    work.write("long.pgn", text);

    // The import stops after its first batch.
    let stop = Arc::new(AtomicBool::new(false));
    let options = ImportOptions {
        step_bytes: 1,
        stop: Some(Arc::clone(&stop)),
        ..ImportOptions::default()
    };

    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    import(&mut database, &[work.path("long.pgn")], options, |event| {
        stop.fetch_or(matches!(event, Event::Written(_)), Ordering::Relaxed);
    })
    .expect("an import");
    drop(database);

    let connection = open(&work);
    let mut random = Random::new(9);
    let before = read_rows(&connection).len();
    compare_rows(&work, &connection, 200, &mut random);

    // Another import adds the rest.
    work.stamma("import games.db long.pgn");
    let after = read_rows(&connection).len();
    assert!(after > before, "{after} games after {before}");
    compare_rows(&work, &connection, 200, &mut random);
}

//! The position index, compared with a replay of all games: after many imports, games changed and deleted by other
//! programs, and compaction.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::annotated_games::annotated_games;
use crate::support::index_oracle::{Known, compare, replay_all};
use crate::support::program::{Workplace, games};
use crate::support::random::Random;
use rusqlite::Connection;
use stamma::board::Position;
use stamma::import::{Event, ImportOptions, Memory, import};
use stamma::maintenance::{Rebuild, optimize};
use stamma::query::PositionSearch;
use stamma::storage::Database;

fn import_with(path: &Path, files: &[PathBuf], options: ImportOptions) {
    let mut database = Database::open_or_create(path).expect("a database");
    import(&mut database, files, options, |_| {}).expect("an import");
}

fn import_all(path: &Path, files: &[PathBuf]) {
    import_with(path, files, ImportOptions::default());
}

/// The historical games in one import.
fn historical(work: &Workplace) -> Connection {
    let files = stamma::input::find_files(&games()).expect("the games are there");
    import_all(&work.path("games.db"), &files);
    Connection::open(work.path("games.db")).expect("the new database")
}

/// The historical games and synthetic ones, imported in two parts with their variations.
fn with_variations(work: &Workplace) -> Connection {
    let files = stamma::input::find_files(&games()).expect("the games are there");
    let options = ImportOptions {
        index_variations: true,
        ..ImportOptions::default()
    };

    import_with(&work.path("games.db"), &files, options);
    work.write("made-up.pgn", annotated_games(400, 3));
    import_all(&work.path("games.db"), &[work.path("made-up.pgn")]);

    Connection::open(work.path("games.db")).expect("the new database")
}

fn segments(connection: &Connection) -> i64 {
    let sql = "SELECT count(*) FROM position_segment";
    connection
        .query_row(sql, [], |row| row.get(0))
        .expect("a number")
}

#[test]
fn historical_games() {
    let work = Workplace::new();
    let connection = historical(&work);
    compare(&connection, &replay_all(&connection), 1);
}

#[test]
fn variations() {
    let work = Workplace::new();
    let connection = with_variations(&work);
    assert_eq!(segments(&connection), 2);

    let known = replay_all(&connection);
    let in_variations = |known: &Known| {
        let games = known.games.iter();
        games.filter(|found| found.in_variation).count()
    };

    // The games must have positions of variations alone, of many variations, and of both kinds.
    let with_variations = known.values().filter(|known| in_variations(known) > 0);
    assert!(with_variations.count() > 2000);
    assert!(known.values().any(|known| in_variations(known) > 32));

    let is_mixed = |known: &Known| {
        let in_variations = in_variations(known);
        let played = known.games.len() - in_variations;
        known.games.len() > 64 && in_variations > 0 && played > 32
    };
    assert!(known.values().any(is_mixed));
    compare(&connection, &known, 1);

    let mut database = Database::open_to_write(work.path("games.db")).expect("a database");
    optimize(&mut database, Memory::default(), Rebuild::IfStale, |_| {}).expect("nothing to do");
    connection
        .execute("DELETE FROM game WHERE id % 7 = 3", [])
        .expect("fewer games");

    compare(&connection, &replay_all(&connection), 5);

    let renewed =
        optimize(&mut database, Memory::default(), Rebuild::IfStale, |_| {}).expect("a new index");
    assert_eq!(renewed.segments, 1);

    // A third of the positions: the index is made by the same code as the first.
    compare(&connection, &replay_all(&connection), 3);
}

#[test]
fn many_imports_leave_few_segments() {
    let work = Workplace::new();
    let mut files = stamma::input::find_files(&games()).expect("the games are there");
    files.sort();

    assert!(files.len() > 1);

    let text: String = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("PGN"))
        .collect();

    let parts: Vec<String> = text
        .split("[Event ")
        .skip(1)
        .map(|game| format!("[Event {game}"))
        .collect();

    for (number, part) in parts.chunks(4).enumerate() {
        work.write("part.pgn", part.concat());
        import_all(&work.path("games.db"), &[work.path("part.pgn")]);

        // Small segments are joined, so that a query reads few segments.
        let connection = Connection::open(work.path("games.db")).expect("a database");
        assert!(segments(&connection) <= 7, "after {number} imports");
    }

    let connection = Connection::open(work.path("games.db")).expect("a database");
    assert!(segments(&connection) > 1);

    let known = replay_all(&connection);
    compare(&connection, &known, 3);

    let mut database = Database::open_to_write(work.path("games.db")).expect("a database");
    let renewed =
        optimize(&mut database, Memory::default(), Rebuild::IfStale, |_| {}).expect("a new index");
    assert_eq!((renewed.segments, renewed.games), (1, parts.len() as u64));
    compare(&connection, &known, 3);

    let again = optimize(&mut database, Memory::default(), Rebuild::IfStale, |_| {})
        .expect("nothing to do");
    assert_eq!(again.games, 0);
}

/// Makes a random change, as other programs do by SQL.
fn change(connection: &Connection, random: &mut Random) {
    let game = 1 + random.below(111);
    let other = 1 + random.below(111);
    let elo = 1000 + random.below(1800);
    let year = 1600 + random.below(500);

    // Results, ratings, dates, moves, variants and annotations; rows replaced whole; and values that the schema
    // forbids.
    let sql = match random.below(18) {
        0 => format!("DELETE FROM game WHERE id = {game}"),
        1 => format!("UPDATE game SET result = '*' WHERE id = {game}"),
        2 => format!("UPDATE game SET white_elo = {elo} WHERE id = {game}"),
        3 => {
            format!("UPDATE game SET black_elo = {elo}, white_elo = NULL WHERE id % 9 = {game} % 9")
        }
        4 => format!("UPDATE game SET date = '{year}.??.??' WHERE id = {game}"),
        5 => format!(
            "UPDATE movetext SET moves = (SELECT moves FROM movetext WHERE game_id = {other})
             WHERE game_id = {game} AND EXISTS (SELECT 1 FROM movetext WHERE game_id = {other})
             AND (SELECT fen FROM game WHERE id = {game}) IS NULL
             AND (SELECT fen FROM game WHERE id = {other}) IS NULL"
        ),
        6 => format!(
            "UPDATE movetext SET moves = 'e4 e5 Qh5 Ke7' WHERE game_id = {game}
             AND (SELECT fen FROM game WHERE id = {game}) IS NULL"
        ),
        7 => format!("UPDATE OR REPLACE game SET result = '1/2-1/2' WHERE id = {game}"),
        8 => format!(
            "REPLACE INTO movetext (game_id, moves) SELECT id, 'd4 d5 c4' FROM game
             WHERE id = {game} AND fen IS NULL"
        ),
        9 => format!(
            "CREATE TEMP TABLE t AS SELECT * FROM game WHERE id = {game};
             UPDATE t SET result = '0-1', date = '{year}';
             REPLACE INTO game SELECT * FROM t; DROP TABLE t"
        ),
        10 => format!(
            "UPDATE movetext SET moves = 'e4 e5 Zz9 Nf3' WHERE game_id = {game}
             AND (SELECT fen FROM game WHERE id = {game}) IS NULL"
        ),
        11 => format!("UPDATE game SET variant = 'other' WHERE id = {game}"),
        13 => {
            format!("UPDATE movetext SET annotations = 'no JSON' WHERE game_id % 9 = {game} % 9")
        }
        14 => format!(
            r#"UPDATE movetext SET annotations = '{{"1":["(","d4","d5","(","Nf6",")",")","("],
             "2":["(","(","d5",")","Ke4","(","c5",")",")","(","c5","Nf3",")"],"900":["(","e4",")"]}}'
             WHERE game_id IN ({game}, {other})"#
        ),
        15 => format!(
            "UPDATE movetext SET annotations =
             (SELECT annotations FROM movetext WHERE game_id = {other}) WHERE game_id = {game}"
        ),
        16 => format!("UPDATE movetext SET annotations = NULL WHERE game_id = {game}"),
        12 => format!(
            "PRAGMA ignore_check_constraints = 1;
             UPDATE game SET white_elo = 'abc', date = x'00' WHERE id = {game};
             PRAGMA ignore_check_constraints = 0"
        ),
        _ => format!(
            "UPDATE game SET fen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1' WHERE id = {game};
             UPDATE movetext SET moves = 'O-O Kd7' WHERE game_id = {game}"
        ),
    };

    connection.execute_batch(&sql).expect("a change");
}

#[test]
fn changed_games_answer_as_they_are() {
    let work = Workplace::new();
    let connection = historical(&work);
    change_and_compare(&work, &connection);
}

#[test]
fn changed_variations_answer_as_they_are() {
    let work = Workplace::new();
    let connection = with_variations(&work);
    change_and_compare(&work, &connection);
}

fn change_and_compare(work: &Workplace, connection: &Connection) {
    // The index is older than the games, and more of them change from round to round.
    let mut random = Random::new(7);
    for round in 0..6 {
        let changes = 1 + round * 6;
        for _ in 0..changes {
            change(connection, &mut random);
        }
        compare(connection, &replay_all(connection), 23);
    }

    // A new index knows all changes.
    let mut database = Database::open_to_write(work.path("games.db")).expect("a database");
    optimize(&mut database, Memory::default(), Rebuild::IfStale, |_| {}).expect("a new index");

    let stale = connection.query_row("SELECT count(*) FROM stale_game", [], |row| row.get(0));
    assert_eq!(stale, Ok(0));
    compare(connection, &replay_all(connection), 5);
}

#[test]
fn numbers_of_games_stay() {
    let work = Workplace::new();
    let connection = historical(&work);

    for sql in [
        "UPDATE game SET id = 1000 WHERE id = 1",
        "UPDATE game SET rowid = 1000 WHERE id = 1",
        "UPDATE movetext SET game_id = 1000 WHERE game_id = 1",
    ] {
        let error = connection.execute(sql, []).expect_err(sql).to_string();
        let expected = "the number of a game cannot be changed";
        assert!(error.contains(expected), "{sql}");
    }

    // A new game takes no number that another one has had.
    connection
        .execute("DELETE FROM game WHERE id > 100", [])
        .expect("fewer games");
    work.write("one.pgn", "[Event \"new\"]\n\n1. e4 *\n");
    import_all(&work.path("games.db"), &[work.path("one.pgn")]);

    let newest = connection.query_row("SELECT max(id) FROM game", [], |row| row.get(0));
    assert_eq!(newest, Ok(112));
    compare(&connection, &replay_all(&connection), 23);
}

#[test]
fn readers_see_the_last_commit_while_an_import_runs() {
    let work = Workplace::new();
    let path = work.path("games.db");
    let old = historical(&work);
    let before = replay_all(&old);
    drop(old);

    let game = "[Event \"new\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n";
    work.write("more.pgn", game.repeat(20_000));

    let mut commits = 0;
    let mut database = Database::open_or_create(&path).expect("a database");
    let files = [work.path("more.pgn")];

    import(&mut database, &files, ImportOptions::default(), |event| {
        let Event::Written(tally) = event else { return };
        assert!(tally.games > 0);

        // A second connection sees the games as they were before the import.
        if commits < 3 {
            let reader = Connection::open(&path).expect("a second connection");
            compare(&reader, &before, 211);
        }
        commits += 1;
    })
    .expect("an import");

    assert!(commits >= 2, "{commits} batches");

    drop(database);
    assert!(!work.path("games.db-wal").exists(), "the file stands alone");

    // The journal of an import is for its time only.
    let after = Connection::open(&path).expect("a database");
    let mode: String = after
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .expect("a word");
    assert_eq!(mode, "delete");

    let start = [Position::start()];
    let search = PositionSearch::new(&after).expect("an index");
    let count = search.count(&after, &start).expect("a count");

    // The start position: all new games, and the old ones that begin there.
    let known = &before["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"];
    assert_eq!(count, 20_000 + known.games.len() as u64);
}

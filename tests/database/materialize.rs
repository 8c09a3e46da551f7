//! The table of all positions of games.

use crate::support::program::{Workplace, games, stderr_of};
use crate::support::start_position::start_position;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{Chess, EnPassantMode, Position as _};

const TWO_GAMES: &str = "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 d5 *\n";

/// The games of the project, imported.
fn real_games(options: &[&str]) -> Workplace {
    let work = Workplace::new();
    let games = games();
    let arguments = ["import".as_ref(), "games.db".as_ref(), games.as_os_str()];

    let options = options.iter().map(AsRef::as_ref);
    work.run(arguments.into_iter().chain(options)).success();

    work
}

/// All rows, as computed by shakmaty.
fn expected_rows(work: &Workplace) -> String {
    let mut rows = Vec::new();
    let games = work.query("SELECT id, coalesce(fen, ''), moves FROM games ORDER BY id");

    for game in games.lines() {
        let [id, fen, moves] = game.split('|').collect::<Vec<&str>>()[..] else {
            panic!("{game}")
        };

        let own_start = Some(fen).filter(|fen| !fen.is_empty());
        let mut position = start_position(own_start);
        let row = |ply: usize, position: &Chess| {
            let fen = Fen::from_position(position, EnPassantMode::Legal);
            format!("{id}|{ply}|{fen}")
        };

        rows.push(row(0, &position));
        for (ply, text) in (1..).zip(moves.split_whitespace()) {
            let unmarked = text.trim_end_matches(['+', '#']);
            let san = San::from_ascii(unmarked.as_bytes()).expect("SAN");
            let mv = san.to_move(&position).expect("a legal move");
            position.play_unchecked(mv);
            rows.push(row(ply, &position));
        }
    }

    rows.join("\n")
}

const ALL: &str = "SELECT game_id, ply, fen FROM position_fen ORDER BY game_id, ply";

#[test]
fn positions_of_real_games_match_shakmaty() {
    let work = real_games(&[]);
    let run = work.stamma("materialize games.db").success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("111 games, 8,043 positions in "),
        "{stderr}"
    );
    assert!(work.query(ALL) == expected_rows(&work));

    let last = "SELECT count(*) FROM games JOIN position_fen ON game_id = id AND ply = ply_count
        WHERE position_fen.fen = final_fen";
    assert_eq!(work.query(last), "111");
}

#[test]
fn an_import_can_do_it_at_once() {
    let work = real_games(&["--store-fen"]);
    assert!(work.query(ALL) == expected_rows(&work));
}

#[test]
fn an_import_does_it_for_its_own_games() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.write("more.pgn", "[Event \"C\"]\n\n1. c4 *\n");
    work.stamma("import games.db more.pgn --store-fen")
        .success();

    assert_eq!(work.query("SELECT DISTINCT game_id FROM position_fen"), "3");

    let again = work
        .stamma("import games.db more.pgn --store-fen")
        .success();
    assert_eq!(stderr_of(&again), "more.pgn: already imported, skipped\n");
}

#[test]
fn an_import_completes_the_table_of_a_killed_one() {
    let work = Workplace::new();
    work.write("other.pgn", "[Event \"C\"]\n\n1. c4 *\n");
    work.stamma("import games.db other.pgn").success();
    work.write("a.pgn", TWO_GAMES);
    work.write("b.pgn", "[Event \"D\"]\n\n1. d4 *\n");

    // The state after a killed import: all games, and no table.
    work.stamma("import games.db a.pgn b.pgn").success();
    let run = work
        .stamma("import games.db a.pgn b.pgn --store-fen")
        .success();

    assert_eq!(
        stderr_of(&run),
        "a.pgn: already imported, skipped\nb.pgn: already imported, skipped\n\
         position_fen: the positions of 3 games written that were imported before\n"
    );
    assert_eq!(
        work.query("SELECT DISTINCT game_id FROM position_fen"),
        "2\n3\n4"
    );

    let rows = work.query(ALL);
    let again = work
        .stamma("import games.db a.pgn b.pgn --store-fen")
        .success();
    let expected = "a.pgn: already imported, skipped\nb.pgn: already imported, skipped\n";

    assert_eq!(stderr_of(&again), expected);
    assert_eq!(work.query(ALL), rows);

    // A file that has grown is two sources, both of which are meant.
    work.write(
        "other.pgn",
        "[Event \"C\"]\n\n1. c4 *\n\n[Event \"E\"]\n\n1. f4 *\n",
    );
    work.stamma("import games.db other.pgn").success();
    work.stamma("import games.db other.pgn --store-fen")
        .success();

    assert_eq!(
        work.query("SELECT count(DISTINCT game_id) FROM position_fen"),
        "5"
    );
}

#[test]
fn for_some_games() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.run(["materialize", "games.db", "--where", "event = 'B'"])
        .success();

    assert_eq!(
        work.query("SELECT game_id, ply FROM position_fen"),
        "2|0\n2|1\n2|2"
    );

    let missing = "id NOT IN (SELECT game_id FROM position_fen)";
    let run = work
        .run(["materialize", "games.db", "--where", missing])
        .success();
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("1 game, 2 positions in "), "{stderr}");
    assert_eq!(work.query("SELECT count(*) FROM position_fen"), "5");
}

#[test]
fn for_games_by_filters_and_patterns() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.stamma("materialize games.db --event b").success();

    assert_eq!(work.query("SELECT DISTINCT game_id FROM position_fen"), "2");

    let run = work
        .stamma("materialize games.db --event a --plies =1 --pattern */*/*/*/????P")
        .success();
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("1 game, 2 positions in "), "{stderr}");

    let condition = "fen_after(moves, 1) IS NULL";
    let run = work
        .run(["materialize", "games.db", "--where", condition])
        .success();
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("0 games, "), "{stderr}");
}

#[test]
fn replaces_what_was_there() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.stamma("materialize games.db").success();

    let before = work.query(ALL);
    let change = "UPDATE position_fen SET fen = 'x'; INSERT INTO position_fen VALUES (2, 9, 'x')";
    let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    database.execute_batch(change).expect("SQL");

    // Only the rows of the chosen game are made anew.
    work.run(["materialize", "games.db", "--where", "id = 2"])
        .success();
    let changed = work.query("SELECT game_id FROM position_fen WHERE fen = 'x'");
    assert_eq!(changed, "1\n1");

    work.stamma("materialize games.db").success();
    assert_eq!(work.query(ALL), before);
}

#[test]
fn deleting_games_deletes_their_positions() {
    let work = Workplace::new();
    work.import(TWO_GAMES);
    work.stamma("materialize games.db").success();
    work.stamma("delete games.db --games 2 --yes").success();
    assert_eq!(work.query("SELECT DISTINCT game_id FROM position_fen"), "1");
}

#[test]
fn a_fault_changes_nothing() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let with_unknown_column = ["materialize", "games.db", "--where", "elo > 1"];
    let run = work.run(with_unknown_column).code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: the condition cannot be used: no such column: elo\n"
    );

    work.stamma("materialize games.db").success();
    let before = work.query(ALL);

    let condition = "white = 1 UNION SELECT 1";
    let run = work
        .run(["materialize", "games.db", "--where", condition])
        .code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("stamma: the condition cannot be used: "));
    assert_eq!(work.query(ALL), before);
}

#[test]
fn edited_moves_are_played_as_far_as_legal() {
    let work = Workplace::new();
    work.import(TWO_GAMES);

    let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    database
        .execute_batch("UPDATE movetext SET moves = 'e4 Ke2' WHERE game_id = 2")
        .expect("SQL");
    work.stamma("materialize games.db").success();

    assert_eq!(
        work.query("SELECT max(ply) FROM position_fen WHERE game_id = 2"),
        "1"
    );
}

/// The query on the SQL page uses the index on `fen`; without the table, games can be deleted.
#[test]
fn shown_look_up_uses_the_index() {
    const PAGE: &str = include_str!("../../docs/sql.md");

    // The first block of SQL after some words of the page.
    let block = |after: &str| {
        let (_, rest) = PAGE.split_once(after).expect("the page says so");
        let (_, rest) = rest.split_once("```sql\n").expect("a block");
        rest.split_once("```").expect("an end of the block").0
    };

    let work = real_games(&["--store-fen"]);
    let (index, question) = block("looks up a position")
        .split_once("\n\n")
        .expect("two statements");
    let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");

    database.execute_batch(index).expect("SQL");
    assert_eq!(work.query(question).lines().count(), 6);

    let plan = work.query(&format!("EXPLAIN QUERY PLAN {question}"));
    assert!(
        plan.contains("position_fen_fen (fen>? AND fen<?)"),
        "{plan}"
    );

    let drop_table = block("drops the table");
    database.execute_batch(drop_table).expect("SQL");
    drop(database);
    work.stamma("delete games.db --games 1 --yes").success();
}

//! `stamma import --index-variations` on the command line.

use crate::support::annotated_games::annotated_games;
use crate::support::program::{Workplace, stderr_of, stdout_of};

const ONE_INSIDE_ANOTHER: &str = "[White \"A\"]\n[Result \"1-0\"]\n
1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 Nc6 1-0\n";
const PLAYED: &str = "[White \"B\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 0-1\n";
const ENDS: &str = "[White \"C\"]\n[Result \"*\"]\n\n1. e4 c5 *\n";

/// The positions after 1. e4 c5, after 2. c3 d5, and after 2. Nf3.
const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
const ALAPIN: &str = "rnbqkbnr/pp2pppp/8/2pp4/4P3/2P5/PP1P1PPP/RNBQKBNR w KQkq -";
const OPEN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -";

/// The three games, indexed with their variations.
fn indexed() -> Workplace {
    let work = Workplace::new();
    work.write("in.pgn", [ONE_INSIDE_ANOTHER, PLAYED, ENDS].join("\n"));
    work.stamma("import games.db in.pgn --index-variations")
        .success();
    work
}

fn count(work: &Workplace, fen: &str) -> String {
    let arguments = ["search", "games.db", fen, "--format", "count"];
    stdout_of(&work.run(arguments).success())
}

/// The answer of a command to a position, in a format for programs.
fn answer(work: &Workplace, command: &str, position: &str, format: &str) -> String {
    let arguments = [command, "games.db", position, "--format", format];
    stdout_of(&work.run(arguments).success())
}

/// The answer to an SQL query, as CSV.
fn sql_answer(work: &Workplace, sql: &str) -> String {
    let arguments = ["sql", "games.db", sql, "--format", "csv"];
    stdout_of(&work.run(arguments).success())
}

/// The content of a database's index.
fn index(work: &Workplace, database: &str) -> String {
    let sql = "SELECT variations, first_game, last_game, postings, hex(data) FROM position_segment
        JOIN position_block ON position_block.id >> 50 = position_segment.id ORDER BY first_game";
    let arguments = ["sql", database, sql, "--format", "csv"];
    stdout_of(&work.run(arguments).success())
}

#[test]
fn the_mainline_alone_is_the_default() {
    let work = Workplace::new();
    work.import(ONE_INSIDE_ANOTHER);
    assert_eq!(count(&work, SICILIAN), "0\n");
    assert_eq!(work.query("SELECT variations FROM position_segment"), "0");
    assert_eq!(
        work.query("SELECT name FROM counter ORDER BY name"),
        "column_format\nnext_game\nopening_table"
    );
}

#[test]
fn games_are_found_by_their_variations() {
    let work = indexed();
    assert_eq!(count(&work, SICILIAN), "3\n");
    assert_eq!(count(&work, ALAPIN), "1\n");

    let info = work.output("info games.db");
    assert!(info.contains("positions, positions in variations included\n"));
}

#[test]
fn what_stands_in_a_variation_is_told_from_what_ends_a_game() {
    let work = indexed();
    let table = stdout_of(&work.run(["search", "games.db", SICILIAN]).success());

    for (white, end) in [("A", "2  (variation)"), ("B", "2  Nf3"), ("C", "2  (end)")] {
        let cell = format!(" {white} ");
        let line = table.lines().find(|line| line.contains(&cell));
        assert!(line.expect("a line").ends_with(end), "{table}");
    }

    let list = answer(&work, "search", ALAPIN, "jsonl");
    assert!(list.starts_with("{\"game\":1,"), "{list}");
    assert!(
        list.ends_with(",\"ply\":4,\"san\":null,\"in_variation\":true}\n"),
        "{list}"
    );

    let list = answer(&work, "search", SICILIAN, "csv");
    let last_column: Vec<&str> = list
        .lines()
        .map(|line| line.rsplit(',').next().expect("a column"))
        .collect();
    assert_eq!(last_column, ["in_variation", "true", "false", "false"]);
}

#[test]
fn what_was_not_played_is_no_move() {
    let work = indexed();
    let moves = answer(&work, "moves", SICILIAN, "csv");

    // A move of a game, and the row without a move for a game that ends here. A variation has no row.
    let rows_after_header = moves.lines().skip(1);
    let rows: Vec<&str> = rows_after_header.map(|line| &line[..8]).collect();
    assert_eq!(rows, ["Nf3,g1f3", ",,1,0,0,"]);

    // Every position of a bare board.
    let board = ALAPIN.split(' ').next().expect("a board");
    assert_eq!(answer(&work, "moves", board, "jsonl"), "");
    assert_eq!(count(&work, board), "1\n");
}

#[test]
fn what_was_played_comes_before_what_was_suggested_earlier() {
    let work = Workplace::new();
    work.write(
        "in.pgn",
        "[White \"A\"]\n\n1. e4 e6 (1... e5) 2. Ke2 e5 3. Ke1 d6 *\n",
    );
    work.stamma("import games.db in.pgn --index-variations")
        .success();

    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    for from in ["", "game JOIN "] {
        // A join looks up the position for one game at a time, by another way than a list of all games.
        let on = if from.is_empty() {
            ""
        } else {
            "ON game_id = id WHERE id = 1"
        };

        let sql = format!("SELECT ply, san, in_variation FROM {from}position('{board}') {on}");
        let found = sql_answer(&work, &sql);
        assert_eq!(found, "ply,san,in_variation\n5,d6,0\n");
    }

    let moves = answer(&work, "moves", board, "csv");
    let last = moves.lines().last().expect("a row");
    assert!(last.starts_with("d6,d7d6,1,"), "{moves}");
}

#[test]
fn sql_tells_what_was_not_played() {
    let work = indexed();
    let ask = |sql: &str| {
        let position = format!("position('{SICILIAN}')");
        sql_answer(&work, &sql.replace('$', &position))
    };

    assert_eq!(
        ask("SELECT * FROM $"),
        "game_id,ply,san,uci,in_variation\n1,2,,,1\n2,2,Nf3,g1f3,0\n3,2,,,0\n"
    );
    assert_eq!(
        ask("SELECT game_id FROM $ WHERE in_variation"),
        "game_id\n1\n"
    );

    let one =
        "SELECT game.id, in_variation FROM game JOIN $ ON game_id = game.id WHERE game.id = 1";
    assert_eq!(ask(one), "id,in_variation\n1,1\n");

    let moves = ask(
        "SELECT sum(games) FROM opening_move('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -')",
    );
    assert_eq!(moves, "sum(games)\n2\n");
    assert_eq!(
        ask("SELECT count(*) FROM game_position(1)"),
        "count(*)\n5\n"
    );
}

#[test]
fn games_without_their_variations_are_left_alone() {
    let work = Workplace::new();
    work.import(PLAYED);
    work.write("more.pgn", ONE_INSIDE_ANOTHER);

    let refused = work
        .stamma("import games.db more.pgn --index-variations")
        .code(2);
    assert_eq!(
        stderr_of(&refused),
        "stamma: games.db: the games in this database are indexed without their variations; \
         --index-variations is for a new one\n"
    );
    assert_eq!(work.query("SELECT count(*) FROM game"), "1");

    work.stamma("import games.db more.pgn").success();
    assert_eq!(count(&work, ALAPIN), "0\n");
}

#[test]
fn later_imports_do_as_the_database_has_it() {
    let work = indexed();
    for (number, option) in ["", "--index-variations"].into_iter().enumerate() {
        // Another round each time, as a file of the same bytes is known.
        let game = format!("[Round \"{number}\"]\n{ONE_INSIDE_ANOTHER}");
        work.write("more.pgn", game);
        work.stamma(&format!("import games.db more.pgn {option}"))
            .success();
    }

    assert_eq!(count(&work, ALAPIN), "3\n");
    assert_eq!(count(&work, OPEN), "4\n");
}

#[test]
fn a_database_whose_games_are_gone_may_begin_anew() {
    let work = Workplace::new();
    work.import(PLAYED);
    work.stamma("delete games.db --games 1 --yes").success();
    work.write("more.pgn", ONE_INSIDE_ANOTHER);
    work.stamma("import games.db more.pgn --index-variations")
        .success();

    assert_eq!(
        work.query("SELECT DISTINCT variations FROM position_segment"),
        "1"
    );
    assert_eq!(count(&work, ALAPIN), "1\n");
}

#[test]
fn an_index_of_other_lines_is_refused_and_renewed() {
    let work = indexed();
    work.query("DELETE FROM counter WHERE name = 'index_variations'");

    let refused = work.run(["search", "games.db", SICILIAN]).code(2);
    assert!(stderr_of(&refused).contains("`stamma optimize` rebuilds it"));

    work.stamma("optimize games.db").success();
    assert_eq!(count(&work, SICILIAN), "2\n");
}

#[test]
fn books_and_tables_of_positions_have_what_was_played() {
    let work = indexed();
    work.stamma("materialize games.db").success();
    assert_eq!(
        work.query("SELECT count(*), max(ply) FROM position_fen"),
        "12|4"
    );

    let lines = work.output("export games.db --format epd --every-position");
    assert_eq!(lines.lines().count(), 12);
    assert!(!lines.contains(ALAPIN.split(' ').next().expect("a board")));
}

#[test]
fn the_index_depends_on_the_games_alone() {
    let work = Workplace::new();
    let [first, second] = [annotated_games(300, 1), annotated_games(200, 2)];
    work.write("first.pgn", &first);
    work.write("second.pgn", &second);

    for threads in [1, 3] {
        let options = format!("--index-variations --threads {threads}");
        let import = format!("import {threads}.db first.pgn second.pgn {options}");
        work.stamma(&import).code(1);
    }

    assert_eq!(index(&work, "1.db"), index(&work, "3.db"));

    work.stamma("import parts.db first.pgn --index-variations")
        .code(1);
    work.stamma("import parts.db second.pgn").code(1);

    // Two segments, which an optimization joins.
    assert_ne!(index(&work, "parts.db"), index(&work, "1.db"));

    work.stamma("optimize parts.db").success();
    assert_eq!(index(&work, "parts.db"), index(&work, "1.db"));
}

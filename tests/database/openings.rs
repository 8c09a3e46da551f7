//! Openings of games: tables of users, changes by other programs, and merges of databases with different tables.

use crate::support::program::{Workplace, stderr_of, stdout_of};
use rusqlite::Connection;

const GAMES: &str = "[White \"A\"]\n\n1. e4 c5 2. Nf3 d6 *\n\n[White \"B\"]\n\n1. d4 d5 2. c4 *\n\n[White \"C\"]\n\n\
    1. Nf3 c5 2. e4 d6 3. a4 *\n";
const OPENINGS: &str =
    "SELECT group_concat(coalesce(opening_eco || ' ' || opening, '-'), '; ') FROM games";
const STANDARD: &str = "B50 Sicilian Defense: Modern Variations; D06 Queen's Gambit; B50 Sicilian Defense: Modern Variations";
const OWN: &str = "eco\tname\tpgn\nB50x\tSizilianisch: Hauptvariante\t1. e4 c5 2. Nf3 d6\n";
const NAMED_BY_OWN: &str = "B50x Sizilianisch: Hauptvariante; -; B50x Sizilianisch: Hauptvariante";

/// A database of [`GAMES`].
fn imported() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work.write("own.tsv", OWN);
    work
}

/// Changes the database as another program does.
fn change(work: &Workplace, sql: &str) {
    let connection = Connection::open(work.path("games.db")).expect("a database");
    connection.execute_batch(sql).expect("SQL");
}

#[test]
fn a_table_of_ones_own_names_all_games_and_those_that_come() {
    let work = imported();
    assert_eq!(work.query(OPENINGS), STANDARD);

    let digest = work.output("check games.db --digest");
    let stderr = stderr_of(&work.stamma("openings games.db --set own.tsv").success());
    assert_eq!(
        stderr,
        "games.db: a table of its own names 1 opening; 2 of 3 games have a name\n"
    );
    assert_eq!(work.query(OPENINGS), NAMED_BY_OWN);
    assert_eq!(work.query("SELECT count(*) FROM opening"), "1");
    assert_eq!(
        work.output("search games.db --opening haupt --format count"),
        "2\n"
    );
    assert_eq!(work.output("check games.db --digest"), digest);

    work.write("more.pgn", "1. e4 c5 2. Nf3 d6 3. d4 *\n\n1. e4 e5 *\n");
    work.stamma("import games.db more.pgn").success();
    assert_eq!(
        work.query(OPENINGS),
        format!("{NAMED_BY_OWN}; B50x Sizilianisch: Hauptvariante; -")
    );
    work.stamma("check games.db --full").success();

    let position = "SELECT opening(fen) FROM game_position(1) WHERE ply = 4";
    let query = ["sql", "games.db", position, "--format", "csv"];
    let named = stdout_of(&work.run(query).success());
    assert_eq!(named.lines().nth(1), Some("Sizilianisch: Hauptvariante"));

    work.stamma("openings games.db --standard").success();
    assert_eq!(
        work.query(OPENINGS),
        format!("{STANDARD}; B50 Sicilian Defense; C20 King's Pawn Game")
    );
    assert_eq!(work.query("SELECT count(*) FROM opening_line"), "0");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_table_that_cannot_be_read_changes_nothing() {
    let work = imported();
    for (table, why) in [
        ("", "line 1: there is no opening in this table"),
        (
            "eco\tname\tpgn\nA00\tx\t1. e5\n",
            "line 2: e5 is not a legal move here",
        ),
    ] {
        work.write("wrong.tsv", table);
        let stderr = stderr_of(&work.stamma("openings games.db --set wrong.tsv").code(2));
        assert_eq!(stderr, format!("stamma: wrong.tsv: {why}\n"));
        assert_eq!(work.query(OPENINGS), STANDARD);
    }
}

#[test]
fn games_that_others_change_are_named_anew_by_optimize() {
    let work = imported();
    change(
        &work,
        "UPDATE movetext SET moves = 'e4 e5' WHERE game_id = 1;
         UPDATE game SET variant = 'other' WHERE id = 2;
         UPDATE game SET opening_id = 2 WHERE id = 3",
    );

    // Until then, a game has the name that its row has.
    let search = ["search", "games.db", "--opening", "queens gam"];
    let count = [&search[..], &["--format", "count"]].concat();
    assert_eq!(stdout_of(&work.run(count).success()), "2\n");
    work.stamma("check games.db --full").success();

    work.stamma("optimize games.db").success();
    assert_eq!(
        work.query(OPENINGS),
        "C20 King's Pawn Game; -; B50 Sicilian Defense: Modern Variations"
    );
    assert_eq!(work.query("SELECT count(*) FROM opening"), "2");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_wrong_name_is_found() {
    let work = imported();
    change(
        &work,
        "DROP TRIGGER game_is_described_otherwise; DROP TRIGGER game_row_is_changed;
         UPDATE game SET opening_id = 2 WHERE id = 3",
    );

    let stderr = stderr_of(&work.stamma("check games.db").code(1));
    let expected = "game 3: its opening is Queen's Gambit, and by its moves Sicilian Defense: Modern Variations\n";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn databases_that_are_joined_have_names_of_one_table() {
    let work = imported();
    work.write(
        "other.pgn",
        "[White \"D\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 *\n\n1. g4 *\n",
    );
    work.stamma("import other.db other.pgn").success();
    work.stamma("merge games.db other.db").success();

    let joined = format!("{STANDARD}; B50 Sicilian Defense; A00 Grob Opening");
    assert_eq!(work.query(OPENINGS), joined);
    work.stamma("check games.db --full").success();

    work.stamma("openings other.db --set own.tsv").success();
    work.write("third.pgn", "[White \"E\"]\n\n1. d4 d5 2. c4 *\n");
    work.stamma("import other.db third.pgn").success();
    work.stamma("import new.db third.pgn").success();
    work.stamma("merge new.db other.db games.db").success();

    work.stamma("check new.db --full").success();
    assert_eq!(
        work.output("search new.db --opening sizilianisch --format count"),
        "0\n"
    );
    assert_eq!(
        work.output("search new.db --opening sicilian --format count"),
        "3\n"
    );
}

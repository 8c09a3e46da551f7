//! Deletion of games, by number and by SQL.

use crate::support::program::{Workplace, stderr_of, stdout_of};

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// Ten games from number 2 on, their first move e4, by Anna and Bert alternately, the last with a fault.
fn ten_games() -> Workplace {
    let game = |white: &str| format!("[Event \"E\"]\n[White \"{white}\"]\n\n1. e4 e5 *\n\n");
    let two_games = ["Bert", "Anna"].map(game).concat();
    let with_a_fault = "[Event \"F\"]\n\n1. e4 Ke7 *\n";

    let work = Workplace::new();
    work.import(two_games.repeat(5) + with_a_fault);

    // The numbers of the games are not their places in the file.
    work.stamma("delete games.db --games 1 --yes").success();

    work
}

/// The numbers of the remaining games.
fn remaining_games(work: &Workplace) -> String {
    work.query("SELECT id FROM game").replace('\n', " ")
}

#[test]
fn by_numbers() {
    let work = ten_games();
    let run = work
        .stamma("delete games.db --games 2,4-6,11 --yes")
        .success();
    assert_eq!(stderr_of(&run), "5 games deleted\n");
    assert_eq!(remaining_games(&work), "3 7 8 9 10");
    assert_eq!(work.query("SELECT count(*) FROM movetext"), "5");
    assert_eq!(
        work.query("SELECT count(*) FROM problem WHERE game_id IS NOT NULL"),
        "0"
    );

    let count = work.output(&format!("search games.db {AFTER_E4} --format count"));
    assert_eq!(count, "5\n");
}

#[test]
fn by_a_condition() {
    let work = ten_games();
    // A comment in the condition must not hide what follows it in the statement.
    let condition = "white = 'Anna' -- not Bert";
    let arguments = ["delete", "games.db", "-y", "--where", condition];
    let run = work.run(arguments).success();

    assert_eq!(stderr_of(&run), "5 games deleted\n");
    assert_eq!(remaining_games(&work), "3 5 7 9 11");
}

#[test]
fn by_both() {
    let work = ten_games();
    let options = ["--games", "2-5,9", "--where", "white = 'Anna'", "--yes"];
    let run = work
        .run(["delete", "games.db"].into_iter().chain(options))
        .success();

    assert_eq!(stderr_of(&run), "2 games deleted\n");
    assert_eq!(remaining_games(&work), "3 5 6 7 8 9 10 11");
}

#[test]
fn missing_numbers_are_listed() {
    let work = ten_games();
    let run = work
        .stamma("delete games.db --games 1,3,3,77,80-99")
        .code(1);
    assert_eq!(
        stderr_of(&run),
        "stamma: there is no game 1 in the database\n\
         stamma: there is no game 77 in the database\n\
         stamma: there is no game 80 in the database\n\
         1 game deleted\n"
    );
}

#[test]
fn a_condition_may_query_all_games() {
    let work = ten_games();
    let not_first = "id NOT IN (SELECT min(id) FROM games GROUP BY white)";
    work.run(["delete", "games.db", "--yes", "--where", not_first])
        .success();
    assert_eq!(remaining_games(&work), "2 3 11");
}

#[test]
fn refuses_invalid_conditions() {
    let work = ten_games();
    for (condition, what) in [
        ("rating > 2700", "no such column: rating"),
        ("", "incomplete input"),
        ("true; DROP TABLE problem", "Multiple statements provided"),
        ("true); DROP TABLE problem; --", "near \")\": syntax error"),
        ("false) OR (true", "near \")\": syntax error"),
        ("false) UNION SELECT 5 --", "near \")\": syntax error"),
        ("false UNION SELECT 5", "near \"UNION\": syntax error"),
        ("true /*", "near \"*\": syntax error"),
        ("true ORDER BY id", "near \"ORDER\": syntax error"),
        ("json_extract(moves, '$') = 1", "malformed JSON"),
    ] {
        let run = work
            .run(["delete", "games.db", "--where", condition])
            .code(2);
        assert_eq!(
            stderr_of(&run),
            format!("stamma: the condition cannot be used: {what}\n")
        );
    }

    assert_eq!(remaining_games(&work), "2 3 4 5 6 7 8 9 10 11");
    assert_eq!(
        work.query("SELECT count(*) FROM problem WHERE game_id IS NOT NULL"),
        "1"
    );
}

#[test]
fn refuses_to_guess() {
    let work = ten_games();
    let run = work.stamma("delete games.db").code(2);

    let stderr = stderr_of(&run);
    let expected = "say which games: --games 5,7, or filters and patterns as for search";
    assert!(stderr.contains(expected), "{stderr}");

    let count = work.query("SELECT count(*) FROM game");
    assert_eq!(count, "10");
}

#[test]
fn by_filters_and_patterns() {
    let work = ten_games();
    let deleted = |options: &str| {
        let delete = format!("delete games.db --yes {options}");
        stderr_of(&work.stamma(&delete).success())
    };

    // An illegal move is not played.
    assert_eq!(deleted("--moves-through Ke7"), "0 games deleted\n");
    assert_eq!(deleted("--player bert --games 2-5"), "2 games deleted\n");
    assert_eq!(remaining_games(&work), "2 4 6 7 8 9 10 11");
    assert_eq!(deleted("--event F"), "1 game deleted\n");
    assert_eq!(
        deleted("--white anna --moves-through e5 --games 1-6"),
        "3 games deleted\n"
    );
    assert_eq!(remaining_games(&work), "7 8 9 10");
    work.stamma("check games.db --full").success();
}

#[test]
fn conditions_may_use_sql_functions() {
    let work = ten_games();
    let condition = "fen_after(moves, 2) LIKE '%/4p3/4P3/%'";
    let run = work
        .run(["delete", "games.db", "--yes", "--where", condition])
        .success();
    assert_eq!(stderr_of(&run), "9 games deleted\n");
}

#[test]
fn a_dry_run_lists_the_games_to_delete() {
    let work = ten_games();
    let before = std::fs::read(work.path("games.db")).expect("a database");
    let run = work
        .stamma("delete games.db --player anna --dry-run --games 1-9")
        .code(0);

    assert_eq!(
        stdout_of(&run),
        "4 of 10 games would be deleted\n\n\
         game  White  Black  result  date  event  ECO  plies\n   \
            2  Anna   ?      *       ?     E      C20      2\n   \
            4  Anna   ?      *       ?     E      C20      2\n   \
            6  Anna   ?      *       ?     E      C20      2\n   \
            8  Anna   ?      *       ?     E      C20      2\n"
    );
    assert_eq!(stderr_of(&run), "");

    let missing = work.stamma("delete games.db -n --games 77").code(1);
    let expected = "stamma: there is no game 77 in the database\n";
    assert_eq!(stderr_of(&missing), expected);

    let after = std::fs::read(work.path("games.db")).expect("a database");
    assert_eq!(after, before);
}

#[test]
fn deleting_more_than_a_tenth_needs_confirmation() {
    let work = ten_games();
    let run = work.stamma("delete games.db --games 2-3").code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: 2 of 10 games would be deleted, more than a tenth; --yes deletes them, --dry-run lists them\n"
    );
    assert_eq!(remaining_games(&work), "2 3 4 5 6 7 8 9 10 11");
    assert_eq!(
        stderr_of(&work.stamma("delete games.db --games 2").success()),
        "1 game deleted\n"
    );

    let run = work.stamma("delete games.db --games 3").code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("1 of 9 games would be deleted"), "{stderr}");
}

#[test]
fn creates_no_database() {
    let work = Workplace::new();
    for command in ["delete games.db --games 1", "materialize games.db"] {
        let run = work.stamma(command).code(2);
        let expected = "stamma: games.db: no such database; `stamma import` creates one\n";
        assert_eq!(stderr_of(&run), expected);
        assert!(!work.path("games.db").exists());
    }
}

#[test]
fn optimize_reclaims_free_space_within_pages() {
    let work = Workplace::new();
    let game = |number: usize| {
        format!(
            "[Event \"E\"]\n[Round \"{number}\"]\n\n{{{}}} 1. e4 *\n\n",
            "a b ".repeat(60)
        )
    };

    work.import((0..4000).map(game).collect::<String>());

    // Every page keeps half of its rows.
    let delete = "DELETE FROM game WHERE id % 2 = 0";
    work.run(["sql", "games.db", delete, "--write"]).success();
    work.stamma("optimize games.db").success();

    let bytes = |name: &str| std::fs::metadata(work.path(name)).expect("a file").len();
    let target = work.path("vacuumed.db").display().to_string();
    work.query(&format!("VACUUM INTO '{target}'"));

    let (optimized, vacuumed) = (bytes("games.db"), bytes("vacuumed.db"));
    assert!(
        optimized * 100 <= vacuumed * 110,
        "{optimized} bytes, {vacuumed} after VACUUM"
    );

    let again = work.stamma("optimize games.db").success();
    assert_eq!(
        stderr_of(&again),
        "games.db: nothing to do: the index is complete\n"
    );
}

/// The line of counts of `stamma info`, without its years.
fn counts(work: &Workplace) -> String {
    let info = work.output("info games.db");
    info.lines().nth(1).expect("a second line").to_owned()
}

#[test]
fn remaining_games_are_counted() {
    for by_sql in [false, true] {
        let work = ten_games();
        assert_eq!(counts(&work), "10 games; 2 players; 29 positions");

        let delete = |condition: &str| {
            if by_sql {
                let sql = format!("DELETE FROM game WHERE {condition}");
                work.run(["sql", "games.db", "--write", &sql]).success()
            } else {
                work.run(["delete", "games.db", "--yes", "--where", condition])
                    .success()
            }
        };

        delete("id IN (SELECT id FROM games WHERE white = 'Anna')");
        assert_eq!(counts(&work), "5 games; 1 player; 14 positions");

        let info = work.output("info games.db");
        let source = info
            .lines()
            .find(|line| line.contains("in.pgn"))
            .expect("a source");

        // The fourth column has the games that are left, the fifth their problems.
        let columns: Vec<&str> = source.split_whitespace().collect();
        assert_eq!(columns[3..5], ["5", "1"], "{source}");

        delete("true");
        assert_eq!(counts(&work), "0 games; 0 players; 0 positions");
        assert!(!work.output("info games.db").contains("illegal-move"));
    }
}

#[test]
fn names_without_games_are_removed() {
    let work = ten_games();
    work.run(["delete", "games.db", "--yes", "--where", "white = 'Anna'"])
        .success();
    assert_eq!(work.query("SELECT name FROM player"), "Bert");
    assert_eq!(work.query("SELECT name FROM player_text('anna*')"), "");
    work.stamma("check games.db --full").success();

    work.run(["sql", "games.db", "--write", "DELETE FROM game"])
        .success();
    assert_eq!(work.query("SELECT name FROM player"), "Bert");

    work.stamma("optimize games.db").success();
    for table in ["player", "event", "site", "tag_order"] {
        let count = work.query(&format!("SELECT count(*) FROM {table}"));
        assert_eq!(count, "0", "{table}");
    }

    work.stamma("check games.db --full").success();
}

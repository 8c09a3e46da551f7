//! Results in tags and after moves, in all common spellings.

use crate::support::program::{Workplace, stderr_of};

/// A game with this Result tag and this end of its movetext.
fn game(tag: &str, end: &str) -> String {
    format!("[Event \"A\"]\n[Result \"{tag}\"]\n\n1. e4 e5 2. Nf3 Nc6 {end}\n\n")
}

/// Results as they are written, with the results of the standard.
const FORMS: [(&str, &str); 25] = [
    ("1-0", "1-0"),
    ("1:0", "1-0"),
    ("1 - 0", "1-0"),
    ("1 : 0", "1-0"),
    ("1 -- 0", "1-0"),
    ("1\u{2013}0", "1-0"),
    ("1\u{2014}0", "1-0"),
    ("White wins", "1-0"),
    ("Black resigns", "1-0"),
    ("0-1", "0-1"),
    ("0:1", "0-1"),
    ("0 \u{2013} 1", "0-1"),
    ("Schwarz gewinnt", "0-1"),
    ("1/2-1/2", "1/2-1/2"),
    ("1/2", "1/2-1/2"),
    ("1/2 - 1/2", "1/2-1/2"),
    ("1/2:1/2", "1/2-1/2"),
    ("\u{bd}-\u{bd}", "1/2-1/2"),
    ("\u{bd} : \u{bd}", "1/2-1/2"),
    ("\u{bd}", "1/2-1/2"),
    ("0.5-0.5", "1/2-1/2"),
    ("remis", "1/2-1/2"),
    ("Nulle", "1/2-1/2"),
    ("tablas", "1/2-1/2"),
    ("ничья", "1/2-1/2"),
];

#[test]
fn tags_are_read_without_a_termination_marker() {
    let work = Workplace::new();
    work.import(FORMS.map(|(form, _)| game(form, "")).concat());

    let results = work.query("SELECT result FROM game ORDER BY id");
    let results: Vec<&str> = results.lines().collect();
    assert_eq!(results, FORMS.map(|(_, result)| result));

    let count = work.output("search games.db --result 1-0 --format count");
    assert_eq!(count.trim(), "9");

    let export = work.output("export games.db");
    for (form, result) in FORMS {
        // The tag is as written, the marker is the standard's.
        let tag = format!("[Result \"{form}\"]");
        assert!(export.contains(&tag), "{form}: {export}");

        let marker = format!("Nc6 {result}\n");
        assert!(export.contains(&marker), "{form}: {export}");
    }
}

#[test]
fn ends_of_games_are_read_and_lose_no_move() {
    let work = Workplace::new();
    let games = FORMS.map(|(form, _)| game("?", form));
    work.import(games.concat());

    let rows = work.query("SELECT result FROM game ORDER BY id");
    let results: Vec<&str> = rows.lines().collect();
    assert_eq!(results, FORMS.map(|(_, result)| result));

    // No form is taken for a move, and no move for a part of a form.
    let moves = work.query("SELECT DISTINCT moves FROM movetext");
    assert_eq!(moves, "e4 e5 Nf3 Nc6");
    assert_eq!(work.query("SELECT count(*) FROM problem"), "0");
}

#[test]
fn contradictions_are_reported_in_all_spellings() {
    let work = Workplace::new();
    let games = [
        game("1:0", "0-1"),
        game("remis", "1 - 0"),
        game("1 : 0", "1-0"),
        game("2-0", "0-1"),
    ];
    work.write("in.pgn", games.concat());

    let stderr = stderr_of(&work.stamma("import games.db in.pgn").success());
    assert!(
        stderr.contains("result-mismatch: the moves end with 0-1, the Result tag says 1-0"),
        "{stderr}"
    );
    assert!(
        stderr.contains("result-mismatch: the moves end with 1-0, the Result tag says 1/2-1/2"),
        "{stderr}"
    );
    assert!(
        stderr.contains("invalid-result: Result \"2-0\""),
        "{stderr}"
    );
    assert_eq!(work.query("SELECT count(*) FROM problem"), "3");
    assert_eq!(
        work.query("SELECT result FROM game ORDER BY id"),
        "1-0\n1/2-1/2\n1-0\n0-1"
    );
}

#[test]
fn fix_writes_standard_results() {
    let work = Workplace::new();
    let games = FORMS.map(|(form, _)| game(form, ""));
    work.write("in.pgn", games.concat());
    work.stamma("convert in.pgn -o out.pgn --fix").success();

    let fixed = work.read("out.pgn");
    let tags: Vec<&str> = fixed
        .lines()
        .filter_map(|line| line.strip_prefix("[Result "))
        .collect();

    assert_eq!(tags, FORMS.map(|(_, result)| format!("\"{result}\"]")));
}

//! What the README shows is what a user gets.

use crate::support::program::{Workplace, games, text};

const README: &str = include_str!("../../README.md");

/// The text of the first block of a kind after a heading or sentence.
fn block(after: &str, kind: &str) -> &'static str {
    let start = README.find(after).unwrap_or_else(|| panic!("the README says: {after}"));
    let fence = format!("```{kind}\n");
    let (_, rest) = README[start..].split_once(&fence).expect("a block");
    rest.split_once("```").expect("an end of the block").0
}

#[test]
fn first_command_finds_what_is_shown() {
    let command = block("With a Rust toolchain", "sh");
    let fen = command.split('\'').nth(1).expect("a FEN in quotes");
    assert!(command.contains("stamma import games.db tests/data/games && "), "{command}");
    let work = Workplace::new();
    work.run(["import".as_ref(), "games.db".as_ref(), games().as_os_str()]).success();
    let found = text(&work.run(["search", "games.db", fen]).success());
    let shown = block("With a Rust toolchain", "text");
    assert!(found.ends_with(shown), "the README shows\n{shown}but a user gets\n{found}");
}

#[test]
fn test_command_is_what_ci_runs() {
    let command = block("This runs all tests", "sh").trim();
    let ci = include_str!("../../.ci/run");
    assert!(ci.lines().any(|line| line == command), "{command}");
}

#[test]
fn columns_are_all_named() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n\n1. e4 *\n");
    let columns = work.query("SELECT name FROM pragma_table_info('games')");
    let ply = ["fivefold_ply", "seventy_five_moves_ply"];
    for column in columns.lines().filter(|column| !ply.contains(column)) {
        assert!(README.contains(&format!("`{column}`")), "{column}");
    }
}

#[test]
fn queries_run() {
    let work = Workplace::new();
    work.run(["import".as_ref(), "games.db".as_ref(), games().as_os_str()]).success();
    let queries: Vec<&str> = README
        .lines()
        .filter_map(|line| line.strip_prefix("sqlite3 games.db \"")?.strip_suffix('"'))
        .filter(|query| !query.starts_with(".load"))
        .collect();
    assert_eq!(queries.len(), 3);
    for query in queries {
        work.query(query);
    }
}

#[test]
fn first_join_finds_what_is_shown() {
    let work = Workplace::new();
    work.run(["import".as_ref(), "games.db".as_ref(), games().as_os_str()]).success();
    let sql = block("## SQL", "sh").split('"').nth(1).expect("SQL in quotes");
    let found = text(&work.run(["sql", "games.db", sql]).success());
    assert_eq!(found, block("## SQL", "text"));
}

#[test]
fn sql_commands_run() {
    let work = Workplace::new();
    work.run(["import".as_ref(), "games.db".as_ref(), games().as_os_str()]).success();
    let (part, _) = README.split_once("\n## Cookbook").expect("a part without the cookbook");
    let commands: Vec<&str> =
        part.lines().filter_map(|line| line.strip_prefix("stamma sql games.db \"")).collect();
    assert_eq!(commands.len(), 5);
    for command in commands {
        let (sql, options) = command.split_once('"').expect("SQL in quotes");
        let run = work.run(["sql", "games.db", sql].into_iter().chain(options.split_whitespace()));
        assert!(text(&run.success()).lines().count() > 1, "{command}");
    }
}

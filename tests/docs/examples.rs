//! The programs in `examples/`, which Cargo builds with the tests, on the games of `tests/data`.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn games(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/games")
        .join(name)
}

/// Runs an example; what it prints.
fn run(name: &str, arguments: &[&Path]) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_stamma"));
    let folder = program.parent().expect("a folder").join("examples");
    let example = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));

    assert!(
        example.exists(),
        "{name} is missing: cargo build --examples"
    );

    let run = Command::new(example).args(arguments).assert().success();
    let printed = run.get_output().stdout.clone();
    String::from_utf8(printed).expect("UTF-8")
}

#[test]
fn a_position_is_found() {
    let moves = Path::new("1. e4 e5 2. Nf3 Nc6 3. Bb5");
    let found = run("find_position", &[&games("modern.pgn"), moves]);

    // The number of games, the games, and the replies with their results.
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.first(), Some(&"4 games"));

    let game = "game 24: Fischer, Robert James - Spassky, Boris";
    let has_game = lines.iter().any(|line| line.starts_with(game));
    assert!(has_game, "{found}");

    let reply = lines.iter().find(|line| line.starts_with("a6:"));
    assert_eq!(reply, Some(&"a6: 4 games, +4 =0 -0"));
}

#[test]
fn games_of_a_player_are_streamed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("games.db");
    let mut import = Command::new(env!("CARGO_BIN_EXE_stamma"));
    import.arg("import").arg(&database).arg(games("modern.pgn"));
    import.assert().success();

    let written = run("player_games", &[&database, Path::new("fischer")]);
    let dates = written.lines().filter(|line| line.starts_with("[Date "));
    // `[Date "1972`, without month and day.
    let years: Vec<&str> = dates.filter_map(|line| line.get(..11)).collect();
    assert!(years.len() > 3, "{years:?}");

    let is_latest_first = years.is_sorted_by(|one, next| one >= next);
    assert!(is_latest_first, "{years:?}");

    // Each game names the player once.
    let games = written.matches("Fischer, Robert James").count();
    assert_eq!(years.len(), games, "{written}");
}

#[test]
fn pgn_is_filtered() {
    let early = run("filter_pgn", &[&games("early.pgn")]);
    let count = early.matches("[Event ").count();
    assert_eq!(count, 10, "{early}");
    assert!(early.contains("Rh8#"), "{early}");

    // No game of this file meets the conditions of the example.
    let today = run("filter_pgn", &[&games("today.pgn")]);
    assert_eq!(today, "");
}

#[test]
fn first_moves_are_counted() {
    let counted = run("first_moves", &[&games("today.pgn")]);

    let mut sum = 0;
    for line in counted.lines() {
        let (_, games) = line.rsplit_once(' ').expect("a move and a number");
        sum += games.parse::<u64>().expect("a number");
    }
    assert_eq!(sum, 28);

    let has_e4 = counted.lines().any(|line| line.starts_with("e4: "));
    assert!(has_e4, "{counted}");
}

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

    let output = Command::new(example)
        .args(arguments)
        .assert()
        .success()
        .get_output()
        .clone();

    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_position_is_found() {
    let moves = Path::new("1. e4 e5 2. Nf3 Nc6 3. Bb5");
    let found = run("find_position", &[&games("modern.pgn"), moves]);

    let line = |start: &str| {
        found
            .lines()
            .find(|line| line.starts_with(start))
            .map(str::to_owned)
    };

    assert_eq!(found.lines().next(), Some("4 games"));
    assert!(
        line("game 24: Fischer, Robert James - Spassky, Boris").is_some(),
        "{found}"
    );
    assert_eq!(line("a6:").as_deref(), Some("a6: 4 games, +4 =0 -0"));
}

#[test]
fn games_of_a_player_are_streamed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let database = folder.path().join("games.db");
    let mut import = Command::new(env!("CARGO_BIN_EXE_stamma"));
    import
        .arg("import")
        .arg(&database)
        .arg(games("modern.pgn"))
        .assert()
        .success();

    let written = run("player_games", &[&database, Path::new("fischer")]);
    let years: Vec<&str> = written.lines().filter_map(|line| line.get(..11)).collect();
    let years: Vec<&str> = years
        .into_iter()
        .filter(|line| line.starts_with("[Date "))
        .collect();

    assert!(
        years.len() > 3 && years.is_sorted_by(|one, next| one >= next),
        "{years:?}"
    );
    assert_eq!(
        years.len(),
        written.matches("Fischer, Robert James").count()
    );
}

#[test]
fn pgn_is_filtered() {
    let written = run("filter_pgn", &[&games("early.pgn")]);
    assert_eq!(written.matches("[Event ").count(), 10, "{written}");
    assert!(written.contains("Rh8#"));
    assert_eq!(run("filter_pgn", &[&games("today.pgn")]), "");
}

#[test]
fn first_moves_are_counted() {
    let counted = run("first_moves", &[&games("today.pgn")]);
    let games = counted
        .lines()
        .map(|line| line.rsplit(' ').next().expect("a number"));
    assert_eq!(
        games
            .map(|games| games.parse::<u64>().expect("a number"))
            .sum::<u64>(),
        28
    );
    assert!(
        counted.lines().any(|line| line.starts_with("e4: ")),
        "{counted}"
    );
}

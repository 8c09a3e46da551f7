//! `position_like` in SQL finds what searches find, also for a few given games.

use crate::support::program::{Workplace, stderr_of, stdout_of};

fn numbers(work: &Workplace, sql: &str) -> Vec<String> {
    let run = work.run(["sql", "games.db", sql, "--format", "csv"]);
    let csv = stdout_of(&run.success());

    let rows_after_header = csv.lines().skip(1);
    rows_after_header.map(str::to_owned).collect()
}

macro_rules! like_a_search {
    ($($name:ident: $options:expr, $arguments:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::with_historical_games();
            let options: &[&str] = &$options;
            let search = ["search", "games.db", "--format", "csv"].iter().chain(options);
            let run = work.run(search.copied().collect::<Vec<_>>()).success();
            let games = stdout_of(&run);
            let mut expected = Vec::new();
            let mut reader = csv::Reader::from_reader(games.as_bytes());
            let header = reader.headers().expect("a header").clone();
            let ply = header.iter().position(|name| name == "ply").expect("a column");

            for game in reader.records() {
                let game = game.expect("a game");
                expected.push(format!("{},{}", &game[0], &game[ply]));
            }

            let sql = format!("SELECT game_id, ply FROM position_like({})", $arguments);
            assert!(!expected.is_empty());
            assert_eq!(numbers(&work, &sql), expected);
        }
    )*};
}

like_a_search! {
    boards: ["--pattern", "*/*/*/3p*/2PP*"], "'*/*/*/3p*/2PP*', '', '', ''";
    men: ["--material", "pieces<=8"], "'', 'pieces<=8', '', ''";
    moves: ["--moves-through", "Nf3 Nc6"], "'', '', 'Nf3 Nc6', ''";
    all_with_a_mirror: ["--pattern", "*/*/*/*/*/2N*", "--material", "Q=1 q=1", "--flip", "colour"],
        "'*/*/*/*/*/2N*', 'Q=1 q=1', '', 'colour'";
}

#[test]
fn finds_a_game_that_is_asked_for() {
    let work = Workplace::with_historical_games();
    let sql = "SELECT game.id FROM game JOIN position_like('', 'pieces=32', '', '') ON game_id = id
        WHERE id IN (5, 70)";
    assert_eq!(numbers(&work, sql), ["5", "70"]);
}

#[test]
fn says_what_it_does_not_understand() {
    let work = Workplace::with_historical_games();
    let run = work
        .run([
            "sql",
            "games.db",
            "SELECT * FROM position_like('x', '', '', '')",
        ])
        .code(2);
    let stderr = stderr_of(&run);

    assert!(stderr.contains("the pattern `x`, character 1"), "{stderr}");

    let run = work
        .run(["sql", "games.db", "SELECT * FROM position_like('', 'Q>1')"])
        .code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("needs four texts"), "{stderr}");
}

/// Games whose moves another program has changed are replayed with checks.
#[test]
fn finds_moves_that_are_written_otherwise() {
    let work = Workplace::new();
    work.import("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n");

    // The moves lack the mark of mate, or have coordinates and no mark of a capture.
    for moves in ["e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7", "e2e4 e5 Bc4 Nc6 Qh5 Nf6 Qf7#"] {
        let sql = format!("UPDATE movetext SET moves = '{moves}'");
        work.run(["sql", "games.db", "--write", &sql]).success();

        for command in ["info games.db", "optimize games.db"] {
            work.stamma(command).success();
            let found = numbers(
                &work,
                "SELECT game_id, ply FROM position_like('', '', 'Qxf7#', '')",
            );
            assert_eq!(found, ["1,6"], "{moves}");
        }
    }
}

//! `stamma export --evaluations`: evaluations of positions written into games, and bad moves marked.

use crate::support::program::{Workplace, stderr_of};

/// Three games: without evaluations, with some, and under other rules.
const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
    1. f3 e5 {[%clk 0:01:00]} 2. g4 {what?} Qh4# 0-1\n\n\
    [White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n\
    1. f3 {[%eval -0.9]} e5 {natural} (1... d5) 2. g4 $4 (2. e3) (2. Nh3) Qh4# 0-1\n\n\
    [White \"E\"]\n[Black \"F\"]\n[Variant \"King of the Hill\"]\n[Result \"*\"]\n\n1. f3 e5 *\n\n";

/// Evaluations of the positions of these games, but the last.
const EVALUATIONS: &str = concat!(
    r#"{"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","evals":[{"pvs":[{"cp":30,"line":"e2e4 e7e5 g1f3"}],"knodes":9,"depth":20}]}"#,
    "\n",
    r#"{"fen":"rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq -","evals":[{"pvs":[{"cp":-85,"line":"e7e5 e2e4"}],"knodes":9,"depth":21}]}"#,
    "\n",
    r#"{"fen":"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq -","evals":[{"pvs":[{"cp":-70,"line":"e2e3 d7d5 d2d4"}],"knodes":9,"depth":22}]}"#,
    "\n",
    r#"{"fen":"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -","evals":[{"pvs":[{"mate":-1,"line":"d8h4"}],"knodes":9,"depth":23}]}"#,
    "\n",
);

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work.write("evaluations.jsonl", EVALUATIONS);
    work.stamma("evaluations games.db evaluations.jsonl --line-moves 8")
        .success();
    work
}

/// The movetexts of an export, each on a line.
fn movetexts(work: &Workplace, options: &str) -> Vec<String> {
    let text = work.output(&format!("export games.db --line-length 0 {options}"));

    let mut movetexts = Vec::new();
    for line in text.lines() {
        let is_tag = line.starts_with('[');
        if !line.is_empty() && !is_tag {
            movetexts.push(line.to_owned());
        }
    }
    movetexts
}

#[test]
fn evaluations_are_written_behind_moves() {
    let found = movetexts(&workplace(), "--evaluations");
    assert_eq!(
        found,
        [
            "1. f3 { [%eval -0.85,21] } 1... e5 { [%eval -0.70,22] [%clk 0:01:00]} \
             2. g4 { [%eval #-1,23] } {what?} 2... Qh4# 0-1",
            "1. f3 {[%eval -0.9]} 1... e5 { [%eval -0.70,22] } {natural} (1... d5) \
             2. g4 $4 { [%eval #-1,23] } (2. e3) (2. Nh3) 2... Qh4# 0-1",
            "1. f3 e5 *",
        ]
    );
}

#[test]
fn bad_moves_are_marked_with_the_better_line() {
    let found = movetexts(&workplace(), "--evaluations --judge");
    assert_eq!(
        found,
        [
            "1. f3 $2 { [%eval -0.85,21] } (1. e4 e5 2. Nf3) 1... e5 { [%eval -0.70,22] [%clk 0:01:00]} \
             2. g4 $4 { [%eval #-1,23] } {what?} (2. e3 d5 3. d4) 2... Qh4# 0-1",
            "1. f3 $2 {[%eval -0.9]} (1. e4 e5 2. Nf3) 1... e5 { [%eval -0.70,22] } {natural} (1... d5) \
             2. g4 $4 { [%eval #-1,23] } (2. e3) (2. Nh3) 2... Qh4# 0-1",
            "1. f3 e5 *",
        ]
    );

    let marked = movetexts(
        &workplace(),
        "--evaluations --judge --nags suffixes --games 1",
    );
    assert!(
        marked[0].starts_with("1. f3? { [%eval -0.85,21] }"),
        "{}",
        marked[0]
    );
}

/// Without the better line in the database, the best move is written.
#[test]
fn the_best_move_stands_for_its_line() {
    let work = Workplace::new();
    work.import(GAMES);
    work.write("evaluations.jsonl", EVALUATIONS);
    work.stamma("evaluations games.db evaluations.jsonl")
        .success();

    let found = movetexts(&work, "--evaluations --judge --games 1");
    assert!(
        found[0].contains("$2 { [%eval -0.85,21] } (1. e4) 1... e5"),
        "{}",
        found[0]
    );
}

/// What is written is read back: the same moves, the same evaluations, and nothing is added to it again.
#[test]
fn a_second_export_is_the_same() {
    let work = workplace();
    let options = "--evaluations --judge";
    let written = work.output(&format!("export games.db {options}"));
    work.write("written.pgn", &written);
    work.stamma("import -q again.db written.pgn").success();

    let moves = "SELECT moves FROM games ORDER BY id";
    let rows = |database: &str, sql: &str| {
        let found = work
            .run(["sql", "--format", "csv", database, sql])
            .success();
        String::from_utf8(found.get_output().stdout.clone()).expect("UTF-8")
    };

    assert_eq!(rows("games.db", moves), rows("again.db", moves));

    // The game's own evaluation of 1. f3 has no depth, so the deeper one of the other game is the one.
    let scores = "SELECT key, coalesce(centipawns, '#' || mate), depth FROM evaluation
        WHERE key <> position_key('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -') ORDER BY key";
    assert_eq!(rows("games.db", scores), rows("again.db", scores));
    assert_eq!(rows("games.db", scores).lines().count(), 4);

    work.stamma("evaluations again.db evaluations.jsonl --line-moves 8")
        .success();
    assert_eq!(work.output(&format!("export again.db {options}")), written);
}

#[test]
fn they_need_comments_and_a_database() {
    let work = workplace();
    for (options, sentence) in [
        (
            "--evaluations --format jsonl",
            "--evaluations needs --format pgn",
        ),
        (
            "--evaluations --format epd",
            "--evaluations needs --format pgn",
        ),
        (
            "--evaluations --comments drop",
            "--evaluations cannot be used with --comments drop",
        ),
        ("--judge", "--evaluations"),
    ] {
        let refused = work.stamma(&format!("export games.db {options}")).code(2);
        let stderr = stderr_of(&refused);
        assert!(stderr.contains(sentence), "{stderr}");
    }

    work.write("a.pgn", GAMES);
    let refused = work.stamma("convert a.pgn --evaluations").code(2);
    let sentence =
        "`stamma export games.db --evaluations --judge` writes the evaluations of a database";

    let stderr = stderr_of(&refused);
    assert!(stderr.contains(sentence), "{stderr}");
}

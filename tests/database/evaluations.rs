//! Evaluations of positions, from comments of games and from files: which evaluation of a position is stored, merged
//! and shown.

use crate::support::program::{self, Workplace, stderr_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
const AFTER_D4: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";

/// Two games with evaluations. The evaluation in a variation is ignored.
const ANALYSED: &str = "[Event \"A\"]\n[White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n\n\
    1. e4 { [%eval 0.25] [%clk 0:03:00] } (1. d4 { [%eval 0.31] }) 1... e5 { [%eval 0.2,22] } 2. Nf3 *\n\n\
    [Event \"A\"]\n[White \"D\"]\n[Black \"C\"]\n[Result \"*\"]\n\n\
    1. e4 { [%eval 0.99] } 1... e5 { [%eval #5,30] } *\n\n";

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.write("a.pgn", ANALYSED);
    work.stamma("import -q games.db a.pgn").success();

    work
}

/// A line of a file of evaluations, of one search.
fn line(fen: &str, score: &str, depth: u32, knodes: u64, moves: &str) -> String {
    let variation = format!("{{{score},\"line\":\"{moves}\"}}");
    let search = format!("{{\"pvs\":[{variation}],\"knodes\":{knodes},\"depth\":{depth}}}");
    format!("{{\"fen\":\"{fen}\",\"evals\":[{search}]}}\n")
}

/// The evaluation of a position: score, depth, best move, line and source.
fn evaluation(work: &Workplace, fen: &str) -> String {
    let sql = format!(
        "SELECT coalesce(centipawns, '#' || mate), depth, best_move, line, kind FROM evaluation
        WHERE key = position_key('{fen}')"
    );

    let query = ["sql", "--format", "csv", "games.db", &sql];
    let csv = program::stdout_of(&work.run(query).success());

    csv.lines().nth(1).unwrap_or_default().to_owned()
}

#[test]
fn comments_of_games_are_read() {
    let work = workplace();

    // The first of equals, and the deeper of two.
    assert_eq!(evaluation(&work, AFTER_E4), "25,,,,games");
    assert_eq!(evaluation(&work, AFTER_E4_E5), "#5,30,,,games");
    assert_eq!(evaluation(&work, AFTER_D4), "");
    assert_eq!(evaluation(&work, START), "");

    let sql = format!("SELECT evaluation('{AFTER_E4} 0 1'), evaluation('{AFTER_E4_E5}')");
    let query = ["sql", "--format", "csv", "games.db", &sql];
    let csv = program::stdout_of(&work.run(query).success());
    assert!(csv.ends_with("\n0.25,#5\n"));
    work.stamma("check games.db --full").success();
}

#[test]
fn threads_and_steps_make_no_difference() {
    let work = Workplace::new();
    let mut games = String::new();
    for number in 0..3000 {
        let evaluation = format!("0.{:02}", number % 100);
        games += &ANALYSED.replace("0.25", &evaluation);
    }
    work.write("a.pgn", games);

    let rows = "SELECT key, data FROM evaluation_row ORDER BY key";
    work.stamma("import -q games.db a.pgn --threads 1")
        .success();
    let one = work.query(rows);

    std::fs::remove_file(work.path("games.db")).expect("a file");
    work.stamma("import -q games.db a.pgn --threads 4")
        .success();
    let four = work.query(rows);
    assert_eq!(four, one);

    // Of the evaluations in games, the first one stays.
    let first = evaluation(&work, AFTER_E4);
    assert!(first.starts_with("0,"), "the first game's");
}

#[test]
fn files_are_read() {
    let work = workplace();
    let lines = [
        line(START, "\"cp\":18", 36, 200_973, "e2e4 c7c5 g1f3"),
        // Several searches: the deepest counts.
        format!(
            "{{\"fen\":\"{AFTER_E4}\",\"evals\":[{}, {}]}}\n",
            "{\"pvs\":[{\"cp\":69,\"line\":\"c7c5\"},{\"cp\":163,\"line\":\"e7e5\"}],\"knodes\":5,\"depth\":30}",
            "{\"pvs\":[{\"cp\":40,\"line\":\"e7e5 g1f3\"}],\"knodes\":9,\"depth\":41}"
        ),
        line(AFTER_E4_E5, "\"mate\":-3", 12, 1, "g1f3"),
        line(AFTER_D4, "\"cp\":22", 50, 1, "d7d5"),
    ];

    work.write("lichess.jsonl", lines.concat());
    let evaluations = "evaluations games.db lichess.jsonl --line-moves 2";
    let stderr = stderr_of(&work.stamma(evaluations).success());
    assert!(
        stderr.contains("4 evaluations, 3 of known positions, 2 stored"),
        "{stderr}"
    );
    assert_eq!(evaluation(&work, START), "18,36,e2e4,e2e4 c7c5,file");
    assert_eq!(evaluation(&work, AFTER_E4), "40,41,e7e5,e7e5 g1f3,file");

    // A game has a deeper one.
    assert_eq!(evaluation(&work, AFTER_E4_E5), "#5,30,,,games");
    assert_eq!(evaluation(&work, AFTER_D4), "");

    // An evaluation has 64 bits, of which nodes have a few.
    let sql = format!("SELECT nodes FROM evaluation WHERE key = position_key('{START}')");
    let query = ["sql", "--format", "csv", "games.db", &sql];
    let nodes = program::stdout_of(&work.run(query).success());
    assert!(nodes.ends_with("\n201326592\n"), "200,973,000 to five bits");

    let stderr = stderr_of(&work.stamma("evaluations games.db lichess.jsonl").success());
    assert!(stderr.contains("0 stored"), "{stderr}");

    let all = "evaluations games.db lichess.jsonl --all";
    let stderr = stderr_of(&work.stamma(all).success());
    assert!(
        stderr.contains("4 of known positions, 1 stored"),
        "{stderr}"
    );
    assert_eq!(evaluation(&work, AFTER_D4), "22,50,d7d5,,file");
    work.stamma("check games.db --full").success();
}

/// Another program may have written any number of half-moves, by which room is made for the positions of games.
#[test]
fn wrong_numbers_of_half_moves_change_nothing() {
    for ply_count in [i64::MIN, i64::MAX / 2, i64::MAX] {
        let work = workplace();
        let path = work.path("games.db");
        let connection = rusqlite::Connection::open(path).expect("a database");
        let sql = format!("UPDATE game SET ply_count = {ply_count}");
        connection.execute(&sql, []).expect("other numbers");

        work.write("a.jsonl", line(START, "\"cp\":18", 36, 1, "e2e4"));
        let run = work.stamma("evaluations games.db a.jsonl").success();

        let stderr = stderr_of(&run);
        let summary = "1 evaluation, 1 of known positions, 1 stored";
        assert!(stderr.contains(summary), "{ply_count}: {stderr}");
    }
}

#[test]
fn castling_and_promotions_are_best_moves() {
    let work = workplace();
    let lines = [
        line("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "\"cp\":1", 9, 1, "e1h1"),
        line("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "\"cp\":1", 9, 1, "e8c8"),
        line("8/P6k/8/8/8/8/8/K7 w - -", "\"mate\":9", 9, 1, "a7a8q"),
        line("8/P6k/8/8/8/8/7p/K7 b - -", "\"cp\":-900", 9, 1, "h2h1n"),
        line("8/P6k/8/8/8/8/7p/K7 w - -", "\"cp\":0", 9, 1, "e2e4"),
    ];

    work.write("a.jsonl", lines.concat());
    work.stamma("evaluations games.db --all a.jsonl").success();

    // Castling is stored as the king's move to its rook, in whatever form it was written.
    for (fen, found) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "1,9,e1h1,,file"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "1,9,e8a8,,file"),
        ("8/P6k/8/8/8/8/8/K7 w - -", "#9,9,a7a8q,,file"),
        ("8/P6k/8/8/8/8/7p/K7 b - -", "-900,9,h2h1n,,file"),
        // A move that nobody can play.
        ("8/P6k/8/8/8/8/7p/K7 w - -", "0,9,,,file"),
    ] {
        assert_eq!(evaluation(&work, fen), found, "{fen}");
    }
}

#[test]
fn epd_is_read_from_the_side_to_move() {
    let work = workplace();
    let lines = [
        format!("{AFTER_E4} ce 31; acd 20; acn 4000; pv c5 Nf3 d6;\n"),
        format!("{START} ce 20; bm e4; acd 9;\n"),
        format!("{AFTER_E4_E5} dm 2; acd 40;\n"),
        format!("{AFTER_D4} ce -32765; acd 3;\n"),
    ];

    work.write("a.epd", lines.concat());
    work.stamma("evaluations games.db --all a.epd --line-moves 9")
        .success();
    assert_eq!(
        evaluation(&work, AFTER_E4),
        "-31,20,c7c5,c7c5 g1f3 d7d6,file"
    );
    assert_eq!(evaluation(&work, START), "20,9,e2e4,e2e4,file");
    assert_eq!(evaluation(&work, AFTER_E4_E5), "#2,40,,,file");
    assert_eq!(evaluation(&work, AFTER_D4), "#1,3,,,file");
}

#[test]
fn what_cannot_be_read_is_reported_with_its_line() {
    let work = workplace();
    let good = line(START, "\"cp\":18", 36, 1, "e2e4");

    let bad = [
        "{\"fen\":\"x\",\"evals\":[]}\n",
        "\n",
        "{}\n",
        "words\n",
        "{\"fen\":\"",
        "\u{fffd}\n",
    ];

    work.write("a.jsonl", [&*bad.concat(), &good].concat());
    let stderr = stderr_of(&work.stamma("evaluations games.db a.jsonl").code(1));
    assert!(
        stderr.contains("a.jsonl, line 1: this is no evaluation"),
        "{stderr}"
    );
    assert!(
        stderr.contains("a.jsonl, line 5: this is no evaluation"),
        "{stderr}"
    );
    assert!(!stderr.contains("line 2:"), "{stderr}");
    assert!(
        stderr.contains("1 evaluation, 1 of known positions, 1 stored"),
        "{stderr}"
    );

    // A line that is too long counts as one line, wherever it ends.
    for megabytes in [17, 40] {
        let long = format!("{}\n", "x".repeat(megabytes << 20));
        work.write("long.jsonl", [&*long, &good, "words\n", &long].concat());

        let stderr = stderr_of(&work.stamma("evaluations games.db long.jsonl").code(1));
        let mut lines = stderr.lines();
        for number in [1, 3, 4] {
            let expected = format!("long.jsonl, line {number}: this is no evaluation");
            assert_eq!(lines.next(), Some(&*expected));
        }
        let summary = lines.next().expect("a summary");
        assert!(summary.starts_with("1 evaluation, "), "{summary}");
    }

    let stderr = stderr_of(&work.stamma("evaluations games.db missing.jsonl").code(1));
    assert!(stderr.contains("missing.jsonl"), "{stderr}");

    let stderr = stderr_of(&work.stamma("evaluations missing.db a.jsonl").code(2));
    assert!(stderr.contains("missing.db"), "{stderr}");
}

#[test]
fn they_are_merged_and_outlive_games() {
    let work = workplace();
    work.write(
        "b.pgn",
        "[Event \"B\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nc3 *\n",
    );
    work.stamma("import -q other.db b.pgn").success();

    let lines = [
        line(START, "\"cp\":18", 36, 1, "e2e4 e7e5"),
        line(AFTER_E4_E5, "\"cp\":7", 40, 1, "g1f3"),
    ];

    work.write("a.jsonl", lines.concat());
    work.stamma("evaluations other.db a.jsonl --line-moves 1")
        .success();
    work.stamma("merge games.db other.db").success();

    assert_eq!(evaluation(&work, START), "18,36,e2e4,e2e4,file");
    assert_eq!(evaluation(&work, AFTER_E4_E5), "7,40,g1f3,g1f3,file");
    assert_eq!(evaluation(&work, AFTER_E4), "25,,,,games");

    // An evaluation is of a position, not of the game that brought it.
    let digest = work.output("check games.db --digest");
    work.stamma("delete games.db --games 1-3 --yes").success();
    assert_eq!(evaluation(&work, AFTER_E4), "25,,,,games");
    assert_ne!(work.output("check games.db --digest"), digest);
    work.stamma("check games.db --full").success();

    let sources = work.output("evaluations games.db --format csv");
    assert!(sources.ends_with("games,,1\nfile,a.jsonl,2\n"));
}

#[test]
fn moves_show_them() {
    let work = workplace();
    work.write("a.jsonl", line(START, "\"cp\":18", 36, 1, "e2e4"));
    work.stamma("evaluations games.db a.jsonl").success();

    let table = work.output("moves games.db");
    assert!(
        table.contains("evaluation +0.18, depth 36, best move e4 (a.jsonl)\n"),
        "{table}"
    );
    assert!(table.contains("e4    +0.25"), "{table}");

    let json = work.output("moves games.db --format jsonl");
    assert!(
        json.contains("\"eval_cp\":25,\"eval_mate\":null,\"eval_depth\":null"),
        "{json}"
    );

    let json = work.output("moves games.db --format jsonl --after e4");
    assert!(
        json.contains("\"eval_cp\":null,\"eval_mate\":5,\"eval_depth\":30"),
        "{json}"
    );

    // Without any, the table has no column for them.
    let after = ["moves", "games.db", "--after", "e4 e5 Nf3"];
    let table = program::stdout_of(&work.run(after).success());
    assert!(!table.contains("eval"), "{table}");
}

#[test]
fn no_bits_of_a_row_are_a_panic() {
    let work = workplace();
    for data in [
        "-1",
        "0",
        "1 << 63",
        "(1 << 63) - 1",
        "32767 << 17",
        "-9223372036854775808",
    ] {
        let sql = format!("UPDATE evaluation_row SET data = {data}");
        work.run(["sql", "--write", "games.db", &sql]).success();
        work.output("moves games.db");
        work.run(["sql", "games.db", "SELECT * FROM evaluation"])
            .success();
    }

    let delete = "DELETE FROM evaluation_source";
    work.run(["sql", "--write", "games.db", delete]).success();

    let stderr = stderr_of(&work.stamma("check games.db").code(1));
    assert!(stderr.contains("evaluations have no source"), "{stderr}");
}

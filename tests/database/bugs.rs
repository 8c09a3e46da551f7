//! Games on which Stamma itself fails: a panic loses its own game only, and is reported with the game's place.
//!
//! Builds for tests panic at the tag `StammaPanicsAt`. Its value names the step that panics.

use crate::support::program::{Workplace, stderr_of};

/// Three games. The second game panics at a step.
fn games(step: &str) -> String {
    format!(
        "[Event \"A\"]\n\n1. e4 e5 1-0\n\n\
        [Event \"B\"]\n[StammaPanicsAt \"{step}\"]\n\n1. d4 {{so}} (1. c4 oops) d5 0-1\n\n\
        [Event \"C\"]\n\n1. Nf3 *\n\n"
    )
}

fn imported(step: &str) -> (Workplace, String) {
    let work = Workplace::new();
    work.write("in.pgn", games(step));

    // The hook of panics prints nothing of a panic that is caught.
    let stderr = stderr_of(&work.stamma("import games.db in.pgn").code(1));
    assert!(!stderr.contains("panicked"), "{stderr}");

    (work, stderr)
}

#[test]
fn a_replay_that_fails_costs_the_moves_of_its_game() {
    for step in ["replay", "row"] {
        let (work, stderr) = imported(step);
        let line = "in.pgn:5:1: bug: Stamma fails on this game; please report it with the game: provoked at";
        assert!(stderr.contains(line), "{stderr}");
        assert_eq!(
            work.query("SELECT id, ply_count FROM game ORDER BY 1"),
            "1|2\n2|0\n3|1"
        );

        let problems = work.query("SELECT game_id, byte_offset FROM problem WHERE kind = 'bug'");
        assert_eq!(problems, "2|27");

        let exported = work.output("export games.db");
        assert!(
            exported.contains("1. d4 {so} (1. c4 oops) d5\n0-1\n"),
            "{exported}"
        );
        assert!(exported.contains("1. Nf3 *\n"), "{exported}");
        work.stamma("check games.db").success();
    }
}

#[test]
fn a_game_that_fails_as_text_too_is_left_out() {
    let (work, stderr) = imported("text");
    assert!(
        stderr.contains("in.pgn:5:1: bug: Stamma fails on this game"),
        "{stderr}"
    );
    assert_eq!(
        work.query("SELECT id, event FROM games ORDER BY 1"),
        "1|A\n2|C"
    );
    work.stamma("check games.db").success();
}

#[test]
fn a_conversion_writes_the_other_games() {
    for step in ["replay", "row", "text", "write"] {
        let work = Workplace::new();
        work.write("in.pgn", games(step));

        let run = work.stamma("convert in.pgn -o out.pgn").code(1);
        let stderr = stderr_of(&run);
        assert!(stderr.contains("in.pgn:5:1: bug: "), "{stderr}");

        let out = work.read("out.pgn");
        let is_left_out = matches!(step, "text" | "write");
        assert_eq!(
            out.contains("1. d4 {so} (1. c4 oops) d5"),
            !is_left_out,
            "{step}: {out}"
        );
        assert!(
            out.contains("1. e4 e5 1-0\n") && out.contains("1. Nf3 *\n"),
            "{step}: {out}"
        );

        work.stamma("convert out.pgn -o again.pgn");
        assert_eq!(work.read("again.pgn"), out, "{step}");
    }
}

#[test]
fn an_export_writes_the_other_games() {
    let work = Workplace::new();
    work.import(games("write"));

    let run = work.stamma("export games.db -o out.pgn").code(1);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("games.db: game 2 is left out, since Stamma fails on it"),
        "{stderr}"
    );

    let out = work.read("out.pgn");
    assert!(!out.contains("1. d4"), "{out}");
    assert!(
        out.contains("1. e4 e5 1-0\n") && out.contains("1. Nf3 *\n"),
        "{out}"
    );
}

#[cfg(feature = "dataset")]
#[test]
fn a_data_set_has_the_other_games() {
    for step in ["replay", "row", "text", "write"] {
        let work = Workplace::new();
        work.write("in.pgn", games(step));

        let run = work.stamma("dataset in.pgn -o data").code(1);
        let stderr = stderr_of(&run);
        assert!(stderr.contains("in.pgn:5:1: bug: "), "{stderr}");

        work.stamma("convert data -o out.pgn");
        let out = work.read("out.pgn");
        let is_left_out = matches!(step, "text" | "write");

        assert_eq!(
            out.contains("1. d4 {so} (1. c4 oops) d5"),
            !is_left_out,
            "{step}: {out}"
        );
        assert!(
            out.contains("1. e4 e5 1-0\n") && out.contains("1. Nf3 *\n"),
            "{step}: {out}"
        );
    }
}

#[cfg(feature = "dataset")]
#[test]
fn a_data_set_of_a_database_has_the_other_games() {
    let work = Workplace::new();
    work.import(games("write"));

    let run = work.stamma("dataset games.db -o data").code(1);
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("games.db: game 2 is left out, since Stamma fails on it"),
        "{stderr}"
    );

    work.stamma("convert data -o out.pgn");
    let out = work.read("out.pgn");
    assert!(
        out.contains("1. e4 e5 1-0\n") && out.contains("1. Nf3 *\n"),
        "{out}"
    );
    assert!(!out.contains("1. d4"), "{out}");
}

//! `stamma convert --analyze`: games annotated by an engine, without a database.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::engine::{asked, write_script, write_stand_in};
use crate::support::program::{Workplace, stderr_of, stdout_of};

/// Transpositions, a game twice, a mate, clock times, a variation, and a variant that engines do not play as chess.
const GAMES: &str = "% a text at the beginning\n\n\
    [White \"Berg\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk 0:01:00]} e5 2. Nf3 Nc6 1-0\n\n\
    [White \"Tal\"]\n[Result \"*\"]\n\n1. Nf3 Nc6 2. e4 e5 (2... d5 {sharp}) 3. Bb5 *\n\n\
    % a text between\n\n\
    [White \"Tal\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
    [White \"Fool\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 {?} Qh4# 0-1\n\n\
    [White \"Berg\"]\n[Variant \"Three-check\"]\n[Result \"*\"]\n\n1. e4 d5 2. Bb5+ *\n\n\
    % a text at the end\n";

/// The only game with evaluations of its own.
const EVALUATED: &str = "[White \"A\"]\n[Result \"*\"]\n\n\
    1. e4 {[%eval 0.5,30] [%clk 0:01:00]} e5 {good [%eval 0.4] move} 2. Nf3 {[%eval 0.3]} Nc6 *\n\n";

fn workplace(games: &str) -> Workplace {
    let work = Workplace::new();
    work.write("games.pgn", games);
    write_stand_in(&work, "engine", Duration::ZERO);
    work
}

fn command(work: &Workplace, options: &str) -> String {
    let engine = work.path("engine");
    format!(
        "convert games.pgn --analyze --engine {} {options}",
        engine.display()
    )
}

/// The movetexts of a text, each on a line.
fn movetexts(text: &str) -> Vec<&str> {
    let is_movetext = |line: &&str| !line.is_empty() && !line.starts_with(['[', '%']);
    text.lines().filter(is_movetext).collect()
}

#[test]
fn it_writes_what_an_analysis_of_a_database_and_an_export_write() {
    for options in ["", "--judge", "--judge --nags suffixes --notation uci"] {
        let work = workplace(GAMES);
        let run = work.stamma(&command(
            &work,
            &format!("{options} --depth 8 --processes 3"),
        ));
        let converted = stdout_of(&run.success());
        let by_conversion = asked(&work);

        let work = workplace(GAMES);
        work.stamma("import -q games.db games.pgn").success();

        let engine = work.path("engine");
        work.stamma(&format!(
            "analyze games.db --depth 8 --line-moves 8 --engine {}",
            engine.display()
        ))
        .success();

        let exported = work.output(&format!("export games.db --evaluations {options}"));
        assert_eq!(converted, exported, "{options}");
        assert_eq!(converted.matches("% a text").count(), 3);

        // The start is of interest only where moves are judged.
        let mut by_database = asked(&work);
        if !options.contains("--judge") {
            by_database.retain(|fen| !fen.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP"));
        }
        assert_eq!(by_conversion, by_database, "{options}");
    }
}

#[test]
fn a_sentence_counts_the_positions() {
    let work = workplace(GAMES);
    let run = work.stamma(&command(&work, "--depth 8 -o out.pgn"));
    let stderr = stderr_of(&run.success());
    let summary = "18 positions: 6 known, 1 without a move, 11 asked of Stand-in 1.0, 0 failed";

    assert!(stderr.contains(summary), "{stderr}");
}

#[test]
fn games_keep_their_evaluations_unless_they_are_replaced() {
    let work = workplace(EVALUATED);
    let adding = command(&work, "--depth 8");
    let written = stdout_of(&work.stamma(&adding).success());
    let found = movetexts(&written).join(" ");

    // Only the position without an evaluation is searched.
    assert_eq!(asked(&work).len(), 1, "{found}");
    assert!(
        found.starts_with(
            "1. e4 {[%eval 0.5,30] [%clk 0:01:00]} 1... e5 {good [%eval 0.4] move} 2. Nf3"
        ),
        "{found}"
    );
    assert!(found.contains("2... Nc6 { [%eval "), "{found}");

    let work = workplace(EVALUATED);
    let replacing = command(&work, "--depth 8 --replace-evaluations");
    let written = stdout_of(&work.stamma(&replacing).success());
    let found = movetexts(&written).join(" ");

    // All are searched; words and clocks stay.
    assert_eq!(asked(&work).len(), 4, "{found}");
    assert_eq!(found.matches("[%eval ").count(), 4, "{found}");
    assert_eq!(found.matches(",8]").count(), 4, "{found}");
    assert!(found.contains("{good move}"), "{found}");
    assert!(found.contains(",8] [%clk 0:01:00]}"), "{found}");
}

/// So that the same command goes on after an interruption.
#[test]
fn nothing_is_searched_in_games_that_are_annotated() {
    let work = workplace(GAMES);
    let options = "--depth 8 --judge";
    let command = command(&work, options);
    let run = work.stamma(&command).success();
    let written = stdout_of(&run);
    let before = asked(&work).len();

    // The output becomes the input.
    work.write("games.pgn", &written);
    let second_run = work.stamma(&command).success();
    assert_eq!(stdout_of(&second_run), written);
    assert_eq!(asked(&work).len(), before);
}

#[test]
fn a_resumed_conversion_has_the_better_lines_of_an_undisturbed_one() {
    let options = "--depth 8 --judge";
    let judged = |work: &Workplace, options: &str| {
        let run = work.stamma(&command(work, options)).success();
        stdout_of(&run)
    };

    let undisturbed = judged(&workplace(GAMES), options);
    assert!(undisturbed.contains(" ("), "{undisturbed}");

    for last in 1..=5 {
        // A conversion that stops within the games, and whose output is converted again.
        let work = workplace(GAMES);
        let partial = judged(&work, &format!("{options} --max-ply {last}"));
        work.write("games.pgn", &partial);

        let resumed = judged(&work, options);
        assert_eq!(resumed, undisturbed, "--max-ply {last}");
    }
}

#[test]
fn bad_moves_of_an_evaluated_game_get_better_lines() {
    let game = "[White \"A\"]\n[Result \"*\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.4]} 2. Ba6 {[%eval -4.0]} \
        Nxa6 {[%eval -4.1]} 3. Qh5 $4 {[%eval -9.0]} (3. Nf3) *\n\n";
    let work = workplace(game);
    let written = stdout_of(&work.stamma(&command(&work, "--depth 8 --judge")).success());
    let found = movetexts(&written).join(" ");

    // The third move has a glyph and a variation of its own.
    let before_bad_move = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(asked(&work), [before_bad_move]);
    assert!(
        found
            .starts_with("1. e4 {[%eval 0.3]} 1... e5 {[%eval 0.4]} 2. Ba6 $4 {[%eval -4.0]} (2. "),
        "{found}"
    );
    assert!(
        found.ends_with("3. Qh5 $4 {[%eval -9.0]} (3. Nf3) *"),
        "{found}"
    );
}

#[test]
fn only_games_that_are_written_are_searched() {
    let evaluated = |work: &Workplace, file: &str| work.read(file).matches("[%eval").count();
    let convert = |work: &Workplace, options: &str| {
        work.stamma(&command(work, &format!("--depth 3 {options}")))
            .success();
    };

    let work = workplace(GAMES);
    convert(&work, "--player berg -o out.pgn --others others.pgn");
    assert_eq!(asked(&work).len(), 4);
    assert_eq!(evaluated(&work, "out.pgn"), 4);
    assert_eq!(evaluated(&work, "others.pgn"), 0);

    let work = workplace(GAMES);
    convert(&work, "--limit 1 -o out.pgn");
    assert_eq!(asked(&work).len(), 4);

    // Short games are not taken for equal ones.
    let to_and_fro = "Nf3 Nf6 Ng1 Ng8 ".repeat(5);
    let twice = format!("[White \"A\"]\n[Result \"*\"]\n\n{to_and_fro}*\n\n").repeat(2);
    let work = workplace(&twice);
    convert(&work, "--unique -o out.pgn --duplicates twice.pgn");
    assert_eq!(asked(&work).len(), 4);
    assert_eq!(evaluated(&work, "out.pgn"), 20);
    assert_eq!(evaluated(&work, "twice.pgn"), 0);

    let work = workplace(GAMES);
    convert(
        &work,
        "--min-ply 2 --max-ply 3 --split-by player -o by/{}.pgn",
    );
    assert_eq!(evaluated(&work, "by/Tal.pgn"), 4);
}

#[test]
fn games_are_written_when_the_engine_fails() {
    let plain = {
        let work = workplace(GAMES);
        work.output("convert games.pgn")
    };
    for (at_go, sentence) in [
        ("exit 9", "ended before it answered `go` (exit status: 9)"),
        ("sleep 100", "has not answered `go` within"),
        (
            "echo 'info depth 5 score cp 1'; echo 'bestmove a1a1'",
            "played `a1a1`, which is illegal",
        ),
    ] {
        let work = workplace(GAMES);
        let script = format!(
            "#!/bin/sh\nwhile read line; do case \"$line\" in\n\
             uci) echo uciok;;\nisready) echo readyok;;\ngo*) {at_go};;\nquit) exit;;\nesac; done\n"
        );
        write_script(&work, "engine", &script);

        let run = work
            .stamma(&command(&work, "-q --engine-timeout 1 -o out.pgn"))
            .code(1);
        let stderr = stderr_of(&run);
        assert!(stderr.contains(sentence), "{stderr}");
        assert!(
            stderr.contains("no engine is left; the rest is written without evaluations"),
            "{stderr}"
        );
        assert_eq!(work.read("out.pgn"), plain);
    }
}

#[test]
fn an_engine_that_cannot_be_started_leaves_the_output() {
    let work = workplace(GAMES);
    work.write("out.pgn", "mine");

    let command = "convert games.pgn --analyze --engine ./nowhere -o out.pgn";
    let run = work.stamma(command).code(2);

    let stderr = stderr_of(&run);
    assert!(stderr.contains("this engine cannot be started"), "{stderr}");
    assert_eq!(work.read("out.pgn"), "mine");
}

#[test]
fn a_signal_ends_the_searches_and_not_the_games() {
    let work = workplace(GAMES);
    write_stand_in(&work, "engine", Duration::from_millis(300));

    let command = command(&work, "--depth 3 -o out.pgn");
    let child = Command::new(env!("CARGO_BIN_EXE_stamma"))
        .args(command.split(' '))
        .current_dir(work.path("."))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let begin = Instant::now();

    while asked(&work).len() < 3 && begin.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }

    // Not an interrupt: a script runs programs in the background with interrupts ignored.
    let kill = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());

    let output = child.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("stopped; the rest is written without evaluations"),
        "{said}"
    );

    let written = work.read("out.pgn");
    assert_eq!(written.matches("[White ").count(), 5, "{written}");

    let evaluated = written.matches("[%eval").count();
    assert!((1..18).contains(&evaluated), "{written}");
}

#[test]
fn options_belong_to_an_analysis() {
    let work = workplace(GAMES);
    for (options, sentence) in [
        ("--depth 3", "--analyze"),
        ("--judge", "--analyze"),
        ("--engine stockfish", "--analyze"),
        ("--analyze", "--engine"),
        (
            "--analyze --engine x --format epd",
            "--analyze needs --format pgn",
        ),
        (
            "--analyze --engine x --comments text-only",
            "--analyze cannot be used with --comments drop",
        ),
        (
            "--analyze --engine x --min-ply 3 --max-ply 2",
            "--max-ply is below --min-ply",
        ),
    ] {
        let stderr = stderr_of(&work.stamma(&format!("convert games.pgn {options}")).code(2));
        assert!(stderr.contains(sentence), "{options}: {stderr}");
    }
}

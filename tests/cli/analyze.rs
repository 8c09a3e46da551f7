//! `stamma analyze` with an engine that behaves: what is asked, what is stored, and what an interruption costs.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use stamma::board::Position;
use stamma::engine::{Bound, Engine, EngineSettings, SearchLimit};
use stamma::pgn::Evaluation;

use crate::support::engine::{NAME, asked, score, write_script, write_stand_in};
use crate::support::program::{Workplace, stderr_of, stdout_of};
use crate::support::random::Random;

/// Transpositions, a game twice, a mate, and a variant that engines do not play as chess.
const GAMES: &str = "[White \"Berg\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
    [White \"Tal\"]\n[Result \"*\"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 *\n\n\
    [White \"Tal\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
    [White \"Fool\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [White \"Berg\"]\n[Variant \"Three-check\"]\n[Result \"*\"]\n\n1. e4 d5 2. Bb5+ *\n\n";

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    write_stand_in(&work, "engine", Duration::ZERO);
    work
}

fn command(work: &Workplace, options: &str) -> String {
    format!(
        "analyze games.db --engine {} {options}",
        work.path("engine").display()
    )
}

fn analyze(work: &Workplace, options: &str) -> String {
    stderr_of(&work.stamma(&command(work, options)).success())
}

/// The positions of the games, as the engine is to be asked about them.
fn positions_of_games() -> BTreeSet<String> {
    let games = ["e4 e5 Nf3 Nc6 Bb5", "Nf3 Nc6 e4 e5 Bb5", "f3 e5 g4"];
    let mut positions = BTreeSet::new();
    for game in games {
        let mut line = stamma::replay::Mainline::new(None, game).expect("a game");
        loop {
            let mut fields = String::new();
            line.position().setup().write_fields(&mut fields);
            positions.insert(format!("{fields} 0 1"));
            let Some((_, mv)) = line.step() else { break };
            line.play(mv);
        }
    }

    positions
}

#[test]
fn each_position_is_asked_about_once_and_none_that_is_known() {
    let work = workplace();
    let said = analyze(&work, "--depth 8 --processes 3");
    let expected: Vec<String> = positions_of_games().into_iter().collect();

    assert_eq!(asked(&work), expected);

    let summary = "22 positions of 4 games, 13 different: 0 known, 1 without a move, 12 asked of Stand-in 1.0, \
        12 stored, 0 failed in ";
    assert!(said.contains(summary), "{said}");
    assert!(
        said.contains("1 game of other variants passed over"),
        "{said}"
    );

    // From White's side, and not the bound that came first.
    for fen in &expected {
        let position = Position::from_fen(fen).expect("a position");
        let sign = if position.turn().is_white() { 1 } else { -1 };
        let centipawns = sign * score(&position);
        let best = position.legal_moves()[0];
        // 1000 nodes are 992 to five bits.
        let expected = format!("{centipawns}|8|992|{best}|NULL|engine|{NAME}");

        let key = position.key().cast_signed();
        let sql = format!(
            "SELECT centipawns, depth, nodes, best_move, line, kind, source
             FROM evaluation WHERE key = {key}"
        );
        assert_eq!(work.query(&sql), expected, "{fen}");
    }

    let said = analyze(&work, "--depth 8");
    assert!(
        said.contains("12 known, 1 without a move, 0 asked"),
        "{said}"
    );

    let said = analyze(&work, "--depth 7 --keep-hash");
    assert!(said.contains("0 asked"), "{said}");
    assert_eq!(asked(&work).len(), 12);

    let said = analyze(&work, "--depth 9 --line-moves 2");
    assert!(
        said.contains("0 known, 1 without a move, 12 asked of Stand-in 1.0, 12 stored"),
        "{said}"
    );
    assert_eq!(
        work.query("SELECT count(*) FROM evaluation WHERE line LIKE '% %'"),
        "12"
    );

    work.stamma("check games.db --full").success();
}

#[test]
fn nodes_and_times_are_known_too() {
    let work = workplace();
    assert!(analyze(&work, "--nodes 1000").contains("12 asked"));

    // 1000 nodes are 992 to five bits, and still known.
    assert!(analyze(&work, "--nodes 1000").contains("0 asked"));

    // More nodes than the stored evaluations have.
    assert!(analyze(&work, "--nodes 2000").contains("12 asked"));

    let work = workplace();
    assert!(analyze(&work, "--movetime 5").contains("12 asked"));
    assert!(
        analyze(&work, "--movetime 9").contains("0 asked"),
        "times are not stored"
    );
}

#[test]
fn files_and_games_are_asked_about_only_if_they_know_less() {
    let work = workplace();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    work.write("deep.epd", format!("{start} ce 20; acd 30;\n"));
    work.stamma("evaluations games.db deep.epd").success();

    let said = analyze(&work, "--depth 30");
    assert!(said.contains("1 known, 1 without a move, 11 asked"));

    let asked = asked(&work);
    assert!(!asked.iter().any(|fen| fen.starts_with(start)));
}

#[test]
fn positions_are_chosen() {
    let work = workplace();
    assert!(
        analyze(&work, "--depth 3 --max-ply 0").contains("4 positions of 4 games, 1 different")
    );
    assert!(
        analyze(&work, "--depth 3 --player tal --min-ply 5")
            .contains("2 positions of 2 games, 1 different")
    );
    assert!(
        analyze(&work, "--depth 3 --result 0-1")
            .contains("5 positions of 1 game, 5 different: 1 known")
    );

    work.write("repertoire.pgn", "1. e4 c5 (1... e6 2. d4) 2. Nf3 *\n");
    let said = analyze(&work, "--depth 3 --repertoire repertoire.pgn");
    assert!(
        said.contains("6 positions, 6 different: 1 known, 5 asked"),
        "{said}"
    );

    let run = work.stamma(&command(&work, "--repertoire a.pgn --player tal"));
    let said = stderr_of(&run.code(2));
    assert!(said.contains("take the place of games"), "{said}");

    let run = work.stamma(&command(&work, "--min-ply 9 --max-ply 8"));
    let said = stderr_of(&run.code(2));
    assert!(said.contains("--max-ply is below --min-ply"), "{said}");

    let said = stderr_of(&work.stamma(&command(&work, "--multipv 2")).code(2));
    assert!(said.contains("--position"), "{said}");
}

#[test]
fn a_position_is_printed_with_its_lines() {
    let work = workplace();
    let fen = "6k1/5ppp/8/8/8/8/8/K3R3 b - - 0 1";
    let engine = work.path("engine").display().to_string();
    let run = work.run([
        "analyze",
        "games.db",
        "--engine",
        &engine,
        "--depth",
        "4",
        "--multipv",
        "2",
        "--position",
        fen,
    ]);
    let printed = stdout_of(&run.success());
    let lines: Vec<&str> = printed.lines().collect();

    assert_eq!(lines[0], fen);
    assert_eq!(lines.len(), 3, "{printed}");

    let position = Position::from_fen(fen).expect("a position");
    let expected = Evaluation::Centipawns(-score(&position)).to_string();
    assert!(
        lines[1]
            .trim_start()
            .trim_start_matches('+')
            .starts_with(&expected),
        "{printed}"
    );
    assert!(lines[1].contains("  depth 4  "), "{printed}");
    assert_eq!(work.query("SELECT count(*) FROM evaluation"), "1");
}

#[test]
fn castling_of_chess960_needs_an_engine_that_knows_it() {
    let pgn = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1\"]\n\
        [Result \"*\"]\n\n1. e4 e5 *\n\n";
    let work = Workplace::new();
    work.import(pgn);
    write_stand_in(&work, "engine", Duration::ZERO);

    assert!(analyze(&work, "--depth 2").contains("3 asked of Stand-in 1.0, 3 stored"));

    let work = Workplace::new();
    work.import(pgn);

    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
        quit) exit;; esac; done\n";
    write_script(&work, "engine", script);

    let said = analyze(&work, "--depth 2");
    assert!(
        said.contains("3 positions with castling of Chess960 passed over"),
        "{said}"
    );
    assert!(said.contains("0 asked of engine"), "{said}");
}

#[test]
fn a_session_streams_its_lines_and_is_stopped() {
    let work = Workplace::new();
    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
        go*) echo 'info depth 1 score cp -9 upperbound pv c7c5'; echo 'info depth 1 score cp -31 pv c7c5 g1f3';; \
        stop) echo 'bestmove c7c5';; quit) exit;; esac; done\n";
    write_script(&work, "engine", script);

    let mut engine =
        Engine::start(&EngineSettings::new(work.path("engine")), &|| false).expect("an engine");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let position = Position::from_fen(fen).expect("a position");

    // One engine answers one position after the other.
    for _ in 0..2 {
        let seen = std::cell::Cell::new(0);
        let mut lines = Vec::new();
        let limit = SearchLimit::Time(Duration::from_secs(100));

        let is_stopped = || seen.get() == 2;
        let found = engine.search(&position, limit, &is_stopped, &mut |line| {
            lines.push((line.score, line.bound, line.moves.len()));
            seen.set(seen.get() + 1);
        });
        let found = found.expect("an answer").expect("a line");
        let expected = [
            (Evaluation::Centipawns(9), Bound::AtLeast, 1),
            (Evaluation::Centipawns(31), Bound::Exact, 2),
        ];

        assert_eq!(lines, expected);
        assert_eq!(found.best().score, Evaluation::Centipawns(31));
        assert!(!found.is_cut_short, "it was stopped by us");
    }
}

/// A folder with random games, and an engine that takes some milliseconds for each position.
fn long_work() -> Workplace {
    let work = Workplace::new();
    let games: String = (0..40).map(random_game).collect();
    work.import(games);
    write_stand_in(&work, "engine", Duration::from_millis(2));
    work
}

fn random_game(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut position = Position::start();
    let mut moves = Vec::new();
    for _ in 0..12 {
        let legal = position.legal_moves();
        // Few different moves at the beginning, so that games share positions.
        let among = if moves.len() < 4 { 2 } else { legal.len() };
        let mv = legal[random.below(among.min(legal.len()))];
        moves.push(stamma::notation::san(&position, mv));
        position.play(mv);

        if !position.has_legal_move() {
            break;
        }
    }

    format!("[Result \"*\"]\n\n{} *\n\n", moves.join(" "))
}

fn start(work: &Workplace, processes: usize) -> Child {
    let options = format!("--depth 6 --processes {processes}");
    let arguments = command(work, &options);

    Command::new(env!("CARGO_BIN_EXE_stamma"))
        .current_dir(work.path(""))
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("stamma runs")
}

#[test]
fn kills_cost_what_was_at_hand_and_change_nothing() {
    let whole = long_work();
    let begin = Instant::now();
    analyze(&whole, "--depth 6");

    let duration = begin.elapsed();
    let digest = whole.output("check games.db --digest");
    let distinct = asked(&whole).len();

    let work = long_work();
    let mut random = Random::new(38);
    let mut kills = 0;
    for round in 0..12 {
        let mut child = start(&work, 1 + round % 2);
        // Up to half of the time that the whole analysis takes.
        let share = random.below(100) as f64 / 200.0;
        sleep(duration.mul_f64(share));

        let was_running = child.try_wait().expect("a process").is_none();
        child.kill().expect("a kill");
        child.wait().expect("an end");
        kills += usize::from(was_running);
    }

    assert!(kills > 0);

    analyze(&work, "--depth 6 --processes 2");
    assert_eq!(work.output("check games.db --digest"), digest);

    // A quarter of a second of each process, at two milliseconds for a position.
    let lost = asked(&work).len() - distinct;
    assert!(
        lost <= kills * 2 * 150,
        "{lost} searches lost by {kills} kills"
    );
    assert!(analyze(&work, "--depth 6").contains("0 asked"));
}

#[test]
fn a_signal_to_end_stores_what_was_found() {
    let work = long_work();
    let mut child = start(&work, 2);
    let begin = Instant::now();

    while asked(&work).len() < 20 && begin.elapsed() < Duration::from_secs(30) {
        sleep(Duration::from_millis(5));
    }

    let id = child.id().to_string();
    let interrupt = Command::new("kill").args(["-TERM", &id]).status();
    assert!(interrupt.expect("a signal").success());

    let code = child.wait().expect("an end").code();
    let count = work.query("SELECT count(*) FROM evaluation");
    let stored: usize = count.parse().expect("a number");
    let asked = asked(&work).len();

    // The exit code of a run that was ended before its work was done.
    assert_eq!(code, Some(1), "of {asked} positions, {stored} are stored");

    // The positions that the two engines are at are not stored.
    let possible = asked - 2..=asked;
    assert!(
        possible.contains(&stored),
        "of {asked} positions, {stored} are stored"
    );

    // Another run does the rest, and the evaluations are those of one whole run.
    let whole = long_work();
    analyze(&whole, "--depth 6");
    analyze(&work, "--depth 6");

    let digest = work.output("check games.db --digest");
    assert_eq!(digest, whole.output("check games.db --digest"));
}

/// An engine that never answers does not keep anybody from stopping the command.
#[cfg(unix)]
#[test]
fn a_silent_handshake_can_be_stopped() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let work = Workplace::new();
    work.import("1. e4 e5 *\n");

    let mut child = Command::new(env!("CARGO_BIN_EXE_stamma"))
        .args([
            "analyze",
            "games.db",
            "--engine",
            "/bin/cat",
            "--engine-timeout",
            "60",
        ])
        .current_dir(work.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    std::thread::sleep(Duration::from_millis(500));

    let began = Instant::now();
    let killed = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());

    child.wait().expect("an end");
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "it waited for the engine"
    );
}

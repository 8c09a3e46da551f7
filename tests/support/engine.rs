//! Engines for tests: a well-behaved one, which is this test program itself, and scripts that are not.

use std::fs;
use std::io::{BufRead, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use stamma::board::Position;

use super::program::Workplace;

/// The file to which the stand-in adds each position that it is asked about.
const LOG: &str = "STAMMA_STAND_IN_LOG";
/// How long it searches, in milliseconds.
const PAUSE: &str = "STAMMA_STAND_IN_PAUSE";

/// The name by which the stand-in introduces itself.
pub(crate) const NAME: &str = "Stand-in 1.0";

/// Writes an engine that answers at once and logs positions to `asked`, and one as slow as an engine.
pub(crate) fn write_stand_in(work: &Workplace, name: &str, pause: Duration) {
    let program = std::env::current_exe().expect("this program");
    let script = format!(
        "#!/bin/sh\n{LOG}='{}' {PAUSE}={} exec '{}' --ignored --exact support::engine::stand_in --nocapture\n",
        work.path("asked").display(),
        pause.as_millis(),
        program.display(),
    );
    write_script(work, name, &script);
}

/// Writes a script that can be run.
pub(crate) fn write_script(work: &Workplace, name: &str, script: &str) {
    work.write(name, script);
    let permissions = fs::Permissions::from_mode(0o755);
    fs::set_permissions(work.path(name), permissions).expect("a script");
}

/// The positions that the stand-in was asked about so far, sorted.
pub(crate) fn asked(work: &Workplace) -> Vec<String> {
    let log = fs::read_to_string(work.path("asked")).unwrap_or_default();
    let mut positions: Vec<String> = log.lines().map(str::to_owned).collect();
    // Several engines write to the log in any order.
    positions.sort();
    positions
}

/// The score that the stand-in gives a position, from the side to move.
pub(crate) fn score(position: &Position) -> i32 {
    (position.key() % 400) as i32 - 200
}

#[test]
#[ignore = "this is an engine, for other tests to start"]
fn stand_in() {
    let Some(log) = std::env::var_os(LOG) else {
        return;
    };
    let pause_text = std::env::var(PAUSE).unwrap_or_default();
    let pause = pause_text.parse().unwrap_or(0);

    let mut position = Position::start();
    let mut lines = 1;
    // The test harness has begun a line.
    say("");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a command");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => introduce(),
            ["isready"] => say("readyok"),
            ["setoption", "name", "MultiPV", "value", number] => {
                lines = number.parse().expect("a number");
            }
            ["position", "fen", ..] => {
                let fen = line.trim_start_matches("position fen ");
                position = Position::from_fen(fen).expect("a legal position");
                append(Path::new(&log), fen);
            }
            ["go", limit, number] => {
                std::thread::sleep(Duration::from_millis(pause));
                let depth = if limit == "depth" { number } else { "10" };
                search(&position, depth, lines);
            }
            ["quit"] => break,
            _ => {}
        }
    }
    // Without the results of the test harness, which nobody reads.
    std::process::exit(0);
}

fn introduce() {
    say(&format!("id name {NAME}"));
    say("option name Hash type spin default 16 min 1 max 1024");
    say("option name MultiPV type spin default 1 min 1 max 500");
    say("option name UCI_Chess960 type check default false");
    say("uciok");
}

/// Adds a line to the log in one write, since several engines may share the log.
fn append(log: &Path, line: &str) {
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);

    let mut file = options.open(log).expect("a log");
    let entry = format!("{line}\n");
    file.write_all(entry.as_bytes()).expect("a log");
}

/// Answers with the first legal moves.
fn search(position: &Position, depth: &str, lines: usize) {
    let moves = position.legal_moves();
    let score = score(position);
    // A lower bound is no score of a line, so its score must not be read.
    let bound = score + 50;
    let first = moves[0];
    say(&format!(
        "info depth {depth} score cp {bound} lowerbound nodes 1 pv {first}"
    ));

    for (rank, mv) in (1..).zip(&moves).take(lines) {
        let mut reached = position.clone();
        reached.play(*mv);
        let replies = reached.legal_moves();
        let first_reply = replies.first().map(ToString::to_string);
        let reply = first_reply.unwrap_or_default();
        say(&format!(
            "info depth {depth} multipv {rank} score cp {score} nodes 1000 pv {mv} {reply}"
        ));
    }
    say(&format!("bestmove {first}"));
}

fn say(line: &str) {
    let mut out = std::io::stdout();
    // The program may have ended and closed the pipe.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

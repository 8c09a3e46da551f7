//! Engines that crash, hang, flood and lie: each ends in seconds, with a sentence, and nothing is stored that it said.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::engine::write_script;
use crate::support::program::{Workplace, stderr_of};

/// How long a run may take: three failures with a time limit of one second each, on a busy machine.
const MAX_TIME: Duration = Duration::from_secs(40);

/// An engine that answers the handshake, and does something of its own at `go` and at `stop`.
fn engine(at_go: &str, at_stop: &str) -> String {
    format!(
        "while read line; do case \"$line\" in\n\
         uci) echo 'id name Hostile'; echo 'option name Hash type spin default 1 min 1 max 64'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go*) {at_go};;\n\
         stop) {at_stop};;\n\
         quit) exit;;\n\
         esac; done"
    )
}

fn workplace(script: &str) -> Workplace {
    let work = Workplace::new();
    work.import("[Result \"*\"]\n\n1. e4 e5 *\n");

    let script = format!(
        "#!/bin/sh\necho $$ >> {}\n{script}\n",
        work.path("processes").display()
    );
    write_script(&work, "hostile", &script);
    work
}

/// Runs an analysis by a script, and returns its exit code and messages.
fn analyze(work: &Workplace, options: &str) -> (Option<i32>, String) {
    let path = work.path("hostile");
    let engine = path.display();
    let command =
        format!("analyze games.db --engine {engine} --engine-timeout 1 --depth 5 {options}");

    let begin = Instant::now();
    let run = work.stamma(&command);

    // Whatever an engine does, the program ends soon, leaves a sound database, and leaves no process behind.
    assert!(begin.elapsed() < MAX_TIME, "{:?}", begin.elapsed());

    work.stamma("check games.db").success();
    for process in work.read("processes").lines() {
        let is_running = Path::new("/proc").join(process).exists();
        assert!(!is_running, "process {process} is left");
    }

    (run.get_output().status.code(), stderr_of(&run))
}

macro_rules! hostile {
    ($($name:ident: $script:expr => $sentence:expr;)*) => {$(
        #[test]
        fn $name() {
            let work = workplace(&$script);
            let (code, said) = analyze(&work, "");
            assert_eq!(code, Some(2), "{said}");
            assert!(said.contains($sentence), "{said}");
            assert_eq!(work.query("SELECT count(*) FROM evaluation_row"), "0");
        }
    )*};
}

hostile! {
    crash_at_start: "exit 3" => "ended before it answered `uci` (exit status: 3)";
    crash_with_a_reason: "echo 'no network file' >&2; exit 1" => "(exit status: 1): no network file";
    no_uciok: "echo 'id name Mute'; exec sleep 100" => "has not answered `uci` within 1 s";
    no_uciok_and_no_end: "trap '' TERM HUP INT; while :; do sleep 1; done"
        => "has not answered `uci` within 1 s";
    no_readyok: "while read line; do case \"$line\" in uci) echo uciok;; esac; done"
        => "has not answered `isready` within 1 s";
    no_more_output: "exec >&-; sleep 100" => "ended before it answered `uci`";
    rubbish_at_start: "while :; do echo 'Welcome! \u{7f}\u{1b}[2J'; done" => "has not answered `uci` within 1 s";
    flood_at_start: "yes | tr -d '\\n'" => "a line of more than 65536 bytes";
    crash_while_it_searches: engine("exit 9", ":") => "ended before it answered `go` (exit status: 9)";
    signal_while_it_searches: engine("kill -SEGV $$", ":") => "ended before it answered `go` (signal: 11";
    hang: engine("sleep 100", ":") => "has not answered `go` within";
    hang_of_a_child: engine("sleep 100 & sleep 200", ":") => "has not answered `go` within";
    lines_without_end: engine("while :; do echo 'info depth 1 nodes 5'; done", ":")
        => "has not answered `go` within";
    flood_of_lines: engine("yes 'info string 00000000000000000000000000000000000000000000000000000000000000000000'", ":")
        => "the engine";
    a_line_without_end: engine("yes 'info' | tr -d '\\n'", ":") => "a line of more than 65536 bytes";
    zeros: engine("cat /dev/zero", ":") => "a line of more than 65536 bytes";
    illegal_move: engine("echo 'info depth 5 score cp 1 pv e2e4'; echo 'bestmove e2e5'", ":")
        => "played `e2e5`, which is illegal, in rnbqkbnr/";
    no_move: engine("echo 'info depth 5 score cp 1'; echo bestmove", ":") => "played ``, which is illegal";
    null_move: engine("echo 'info depth 5 score cp 1'; echo 'bestmove (none)'", ":")
        => "played `(none)`, which is illegal";
    illegal_line: engine("echo 'info depth 5 score cp 1 pv e2e4 e7e5 e4e5'; echo 'bestmove e2e4'", ":")
        => "which is illegal";
    words_in_a_line: engine("echo 'info depth 5 score cp 1 pv e2e4 soon'; echo 'bestmove e2e4'", ":")
        => "which is illegal";
    score_too_large: engine("echo 'info depth 5 score cp 99999999999 pv e2e4'; echo 'bestmove e2e4'", ":")
        => "a number is missing or too large";
    score_beyond_all: engine("echo 'info depth 5 score mate -2147483648'; echo 'bestmove e2e4'", ":")
        => "this is no score";
    score_in_words: engine("echo 'info depth 5 score cp good pv e2e4'; echo 'bestmove e2e4'", ":")
        => "a number is missing or too large";
    not_mated: engine("echo 'info depth 5 score mate 0'; echo 'bestmove e2e4'", ":") => "nobody is mated";
    not_utf8: engine("printf 'info depth 5 score cp \\377\\376 pv e2e4\\n'; echo 'bestmove e2e4'", ":")
        => "a number is missing or too large";
    no_score: engine("echo 'bestmove e2e4'", ":") => "gave no score for";
    bounds_only: engine("echo 'info depth 5 score cp 20 lowerbound pv e2e4'; echo 'bestmove e2e4'", ":")
        => "gave no score for";
}

#[test]
fn a_program_that_cannot_be_started() {
    let work = workplace("");
    work.write("text", "no program");

    // No file, a file that is no program, and a folder.
    for engine in ["./nowhere", "./text", "."] {
        let command = format!("analyze games.db --engine {engine} --depth 5");
        let run = work.stamma(&command).code(2);

        let stderr = stderr_of(&run);
        assert!(stderr.contains("this engine cannot be started"), "{stderr}");
    }
}

#[test]
fn options_are_compared_with_what_the_engine_declares() {
    let work = workplace(&engine("exit", ":"));
    for (option, sentence) in [
        ("--threads 2", "the engine has no option Threads"),
        ("--option Skill=3", "the engine has no option Skill"),
        ("--hash 65", "option Hash: give a number from 1 to 64"),
        (
            "--position e4 --multipv 2",
            "the engine has no option MultiPV",
        ),
    ] {
        let (code, said) = analyze(&work, option);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(sentence), "{said}");
    }
}

#[test]
fn a_search_that_takes_too_long_is_stopped_and_counts_as_deep_as_it_went() {
    let at_go = "echo 'info depth 3 score cp 15 nodes 77'";
    let work = workplace(&engine(at_go, "echo 'bestmove e2e4'"));
    let (code, said) = analyze(&work, "--max-ply 0");

    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("1 search was stopped before the limit"),
        "{said}"
    );

    let sql = "SELECT centipawns, depth, nodes, best_move FROM evaluation";
    assert_eq!(work.query(sql), "15|3|76|e2e4", "nodes to five bits");
}

#[test]
fn words_that_are_not_known_and_answers_that_come_twice_do_no_harm() {
    let at_go = "printf 'what \\377 is this\\n\\ninfo\\ninfo fun 7 depth 5 score cp 10 wdl 1 2 3 nodes 64 pv e2e4\\n'; \
        echo 'bestmove e2e4 ponder e7e5'; echo 'bestmove a1a1'";
    let work = workplace(&engine(at_go, ":"));
    let (code, said) = analyze(&work, "--max-ply 0");
    assert_eq!(code, Some(0), "{said}");
    let sql = "SELECT centipawns, depth, nodes, best_move FROM evaluation";
    assert_eq!(work.query(sql), "10|5|64|e2e4");
}

#[test]
fn one_bad_position_does_not_stop_the_others() {
    // It cannot stand Black's turn.
    let at_go = "case \"$fen\" in *' b '*) exit 1;; esac; m=$(echo \"$fen\" | grep -q 4p3 && echo g1f3 || echo e2e4); \
        echo \"info depth 5 score cp 7 pv $m\"; echo \"bestmove $m\"";
    let script = engine(at_go, ":").replace("isready)", "position*) fen=\"$line\";;\nisready)");
    let work = workplace(&script);
    let (code, said) = analyze(&work, "");

    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("3 different: 0 known, 3 asked of Hostile, 2 stored, 1 failed"),
        "{said}"
    );
    assert!(said.contains("its process is ended"), "{said}");
    assert!(
        said.contains("given up: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"),
        "{said}"
    );
    assert_eq!(
        work.query("SELECT DISTINCT centipawns FROM evaluation"),
        "7"
    );
}

#[test]
fn what_one_process_cannot_do_others_do() {
    // A second process does not start while the first one runs.
    let at_go = "case \"$fen\" in *4p3*) m=g1f3;; *' b '*) m=e7e5;; *) m=e2e4;; esac; \
        sleep 0.2; echo \"info depth 5 score cp 7 pv $m\"; echo \"bestmove $m\"";
    let script = engine(at_go, ":").replace("isready)", "position*) fen=\"$line\";;\nisready)");
    let work = workplace(&format!("mkdir running || exit 4\n{script}"));
    let (code, said) = analyze(&work, "--processes 2");

    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("(exit status: 4)"), "{said}");
    assert!(
        said.contains("3 asked of Hostile, 3 stored, 0 failed"),
        "{said}"
    );
}

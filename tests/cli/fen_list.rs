//! Lists of positions, answered line by line.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::support::corpus::fewer;
use crate::support::program::{Workplace, stderr_of, stdout_of};

const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const NOWHERE: &str = "k7/8/8/8/8/8/8/K6R w - - 0 1";

/// Positions of the historical games, with bare boards, comments, empty lines and invalid lines among them.
/// Returns the list and the numbers of the invalid lines. With a corpus, the list has every position.
fn long_list(work: &Workplace) -> (String, Vec<usize>) {
    let positions = work.output("export games.db --format epd --every-position");

    // A comment and an empty line are passed over.
    let mut list = String::from("# positions\n\n");
    let mut faults = Vec::new();
    for (number, line) in positions.lines().step_by(fewer(3)).enumerate() {
        list.push_str(line);
        list.push('\n');

        // Now and then a bare board with another line break, an empty line, a position of no game, and a line that is no
        // FEN.
        if number % 50 == 7 {
            let (board, _) = line.split_once(' ').expect("four fields");
            let _ = writeln!(list, "{board}\r\n\n{NOWHERE}\nno position, {number};");
            faults.push(list.lines().count());
        }
    }

    (list, faults)
}

#[test]
fn answers_keep_the_order_of_the_lines_on_any_number_of_threads() {
    let work = Workplace::with_historical_games();
    let (list, faults) = long_list(&work);
    assert!(list.len() > 10 << 14, "twice as many batches as threads");
    assert!(faults.len() > 40);

    work.write("list.epd", &list);
    for format in ["jsonl", "csv", "count"] {
        let run = |threads: u32| {
            let command = "search games.db --fen-file list.epd --format";
            work.stamma(&format!("{command} {format} --threads {threads}"))
                .code(1)
        };

        let (one, many) = (run(1), run(5));
        assert!(stdout_of(&one) == stdout_of(&many), "{format}");
        assert_eq!(stderr_of(&one), stderr_of(&many));

        // Each message begins like `list.epd:12: `.
        let mut lines: Vec<usize> = Vec::new();
        for message in stderr_of(&one).lines() {
            let number = message.split(':').nth(1).expect("a number");
            lines.push(number.parse().expect("a number"));
        }
        assert_eq!(lines, faults);
    }
}

#[test]
fn each_line_is_answered_as_a_search_is() {
    let work = Workplace::with_historical_games();
    let (list, _) = long_list(&work);
    work.write("list.epd", &list);

    let run = work
        .stamma("search games.db --fen-file list.epd --format jsonl")
        .code(1);
    let answers = stdout_of(&run);
    let mut counted = 0;
    for answer in answers.lines().step_by(397 / fewer(3)) {
        let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
        let fen = answer["fen"].as_str().expect("a FEN");
        let games = work.run(["search", "games.db", fen, "--format", "jsonl"]);

        // A line that is no FEN has no number, and is refused by a search.
        match answer["games"].as_u64() {
            None => {
                games.code(2);
            }
            Some(count) => {
                let listed = stdout_of(&games).lines().count();
                assert_eq!(listed as u64, count, "{fen}");
            }
        }

        counted += 1;
    }

    assert!(counted > 20, "{counted} lines");
}

#[test]
fn standard_input_gives_what_a_file_gives() {
    let work = Workplace::with_historical_games();
    let (list, _) = long_list(&work);
    work.write("list.epd", &list);

    let from_file = work.stamma("search games.db --fen-file list.epd").code(1);
    let mut command = assert_cmd::Command::cargo_bin("stamma").expect("the program is built");
    command
        .current_dir(work.path(""))
        .args(["search", "games.db", "--fen-file", "-"]);

    let piped = command.write_stdin(list).assert().code(1);
    assert!(stdout_of(&piped) == stdout_of(&from_file));
    assert_eq!(
        stderr_of(&piped),
        stderr_of(&from_file).replace("list.epd:", "-:")
    );
}

#[test]
fn whoever_waits_for_an_answer_gets_it_before_the_next_line() {
    let work = Workplace::with_historical_games();
    let mut child = Command::new(STAMMA)
        .args(["search", "games.db", "--fen-file", "-", "--format", "jsonl"])
        .current_dir(work.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();

    for (fen, games) in [(NOWHERE, "0"), (START, "105"), (NOWHERE, "0")] {
        writeln!(input, "{fen}").expect("the program reads");
        let answer = answers.next().expect("an answer").expect("a text");
        assert!(
            answer.ends_with(&format!(",\"games\":{games}}}")),
            "{answer}"
        );
    }

    drop(input);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn a_game_that_reaches_several_meanings_of_a_board_counts_once() {
    let work = Workplace::new();
    // The second game returns to the start with Black to move; the third is changed later.
    work.import(
        "[White \"a\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 *\n\n[White \"b\"]\n\n1. e3 e5 2. e4 *\n\n\
         [White \"c\"]\n\n1. e4 e5 *\n",
    );

    let e4_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    work.write(
        "list.fen",
        format!("{START}\n{e4_e5}\n{e4_e5} w\n{e4_e5} b KQkq - 0 2\n"),
    );

    let answers = || {
        let run = work.output("search games.db --fen-file list.fen --format csv");
        run.lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().unwrap_or("").to_owned())
            .collect()
    };

    let counts: Vec<String> = answers();
    assert_eq!(counts, ["3", "2", "1", "1"]);

    work.query("UPDATE movetext SET moves = 'd4 d5' WHERE game_id = 3 RETURNING game_id");
    let counts: Vec<String> = answers();
    assert_eq!(counts, ["3", "1", "0", "1"]);
}

#[test]
fn an_empty_list_has_no_answers() {
    let work = Workplace::with_historical_games();
    work.write("list.fen", "");
    assert_eq!(work.output("search games.db --fen-file list.fen"), "");
    assert_eq!(
        work.output("search games.db --fen-file list.fen --format csv"),
        "id,fen,games\n"
    );

    let run = work.stamma("search games.db --fen-file none.fen").code(2);
    assert!(stderr_of(&run).starts_with("stamma: none.fen: "));

    work.stamma("search games.db 8/8 --threads 2").code(2);
}

#[test]
fn bytes_that_are_no_text_are_no_position() {
    let work = Workplace::with_historical_games();
    let no_text = b"\xff\xfe\n".as_slice();
    work.write("list.fen", [no_text, START.as_bytes()].concat());

    let run = work.stamma("search games.db --fen-file list.fen").code(1);
    assert_eq!(
        stdout_of(&run),
        format!("-\t\u{fffd}\u{fffd}\n105\t{START}\n")
    );
    assert!(stderr_of(&run).starts_with("list.fen:1: "));
}

#[test]
fn lines_may_be_moves() {
    let work = Workplace::with_historical_games();
    work.write(
        "list.txt",
        "1. e4 c5\ne2e4 c7c5\n# a remark\n1. e4 Nf4\nfischer\n\n1. P-K4\n",
    );

    let run = work.stamma("search games.db --fen-file list.txt").code(1);
    assert_eq!(
        stdout_of(&run),
        "14\t1. e4 c5\n14\te2e4 c7c5\n-\t1. e4 Nf4\n-\tfischer\n53\t1. P-K4\n"
    );

    let said = stderr_of(&run);
    let mut said = said.lines();
    let illegal = said.next().unwrap_or_default();

    assert!(
        illegal.starts_with("list.txt:4: 1... Nf4: Black has no legal move"),
        "{illegal}"
    );
    assert_eq!(
        said.next(),
        Some("list.txt:5: `fischer` is neither a FEN nor moves")
    );

    let french = work
        .stamma("search games.db --fen-file list.txt --pieces fr --format jsonl")
        .code(1);
    assert!(stdout_of(&french).starts_with("{\"id\":null,\"fen\":\"1. e4 c5\",\"games\":14}\n"));
}

#[test]
fn a_list_that_is_no_text_is_refused() {
    let work = Workplace::with_historical_games();
    work.write("positions.bin", b"1. e4\n\x00\x01\x02\n");

    let run = work
        .stamma("search games.db --fen-file positions.bin")
        .code(2);
    let sentence =
        "stamma: positions.bin: line 2 has a NUL byte; a list of positions is UTF-8 text\n";
    assert_eq!(stdout_of(&run), "");
    assert_eq!(stderr_of(&run), sentence);
}

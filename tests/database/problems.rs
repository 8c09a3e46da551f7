//! Problem logs as JSON Lines, and the page that explains the codes.

use crate::support::program::{Workplace, json_lines, stderr_of};
use serde_json::Value;
use stamma::replay::ProblemKind;

const FAULTS: &str = "about\n\n[Event \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"B\"]\n\n1. e4 ) $999 *\n\n\
    junk\n";

/// The lines of a problem log.
fn lines(work: &Workplace, name: &str) -> Vec<Value> {
    json_lines(&work.read(name))
}

#[test]
fn an_import_logs_the_problems_of_the_table() {
    let work = Workplace::new();
    work.write("in.pgn", FAULTS);
    work.stamma("import games.db in.pgn --problems list.jsonl")
        .code(1);

    let list = work.read("list.jsonl");
    let first = "{\"code\":\"text-between-games\",\"source\":\"in.pgn\",\"game\":null,\"byte_offset\":0,\
                 \"byte_length\":7,\"line\":1,\"column\":1,\"ply\":null,\"text\":\"about\",\
                 \"message\":\"this text belongs to no game\"}\n";
    assert!(list.starts_with(first), "{list}");

    let stored = work.query(
        "SELECT json_object('code', kind, 'source', path, 'game', game_id, 'byte_offset', byte_offset,
         'byte_length', byte_length, 'line', line, 'column', column, 'ply', ply, 'text', text,
         'message', message) FROM problem JOIN source ON source.id = source_id ORDER BY problem.id",
    );

    assert_eq!(list.trim_end(), stored);
    assert_eq!(list.lines().count(), 5);
}

#[test]
fn a_conversion_counts_the_games_of_its_run() {
    let work = Workplace::new();
    work.write("a.pgn", FAULTS);
    work.write("b.pgn", FAULTS);
    work.write("prose.pgn", "Call me Ishmael.\n");
    work.stamma("convert a.pgn prose.pgn b.pgn --problems list.jsonl -o out.pgn")
        .code(1);

    let problems = lines(&work, "list.jsonl");
    let games: Vec<Value> = problems.iter().map(|line| line["game"].clone()).collect();

    // A text that belongs to no game has no number.

    let expected = [
        None,
        Some(1),
        Some(2),
        Some(2),
        None,
        None,
        Some(3),
        Some(4),
        Some(4),
        None,
    ];

    assert_eq!(games, expected.map(Value::from));
}

#[test]
fn places_count_bytes() {
    let work = Workplace::new();
    work.write("in.pgn", FAULTS);
    work.stamma("convert in.pgn --problems list.jsonl").code(1);

    for line in lines(&work, "list.jsonl") {
        let start = line["byte_offset"].as_u64().expect("a number") as usize;
        let text = line["text"].as_str().expect("a text");
        assert!(FAULTS[start..].starts_with(text), "{line}");

        let mut lines_backwards = FAULTS[..start].rsplit('\n');
        let before = lines_backwards.next().expect("a line");
        assert_eq!(line["column"], before.len() + 1);
    }
}

#[test]
fn a_file_that_is_needed_is_not_overwritten() {
    let work = Workplace::new();
    work.write("in.pgn", FAULTS);

    for wrong in [
        "import games.db in.pgn --problems in.pgn",
        "import games.db in.pgn --problems ./games.db",
        "import games.db in.pgn --problems -",
        "convert in.pgn --problems in.pgn",
        "convert in.pgn -o out.pgn --problems out.pgn",
        "convert in.pgn --problems no/such/folder",
    ] {
        work.stamma(wrong).code(2);
    }

    assert_eq!(work.read("in.pgn"), FAULTS);
    assert!(!work.path("games.db").exists());
}

#[test]
fn counts_are_printed_beyond_ten_problems() {
    let work = Workplace::new();
    work.write("in.pgn", FAULTS.repeat(4));

    let stderr = stderr_of(
        &work
            .stamma("import games.db in.pgn --problems list.jsonl")
            .code(1),
    );

    assert!(
        stderr.contains("more problems, all in the table `problem`:\n"),
        "{stderr}"
    );
    assert!(stderr.contains("  stray-parenthesis\n"), "{stderr}");
    assert_eq!(
        stderr
            .lines()
            .filter(|line| line.starts_with("in.pgn:"))
            .count(),
        10
    );
}

/// The exit codes of an import and a conversion of a game, without and with `--strict-exit`.
fn exit_codes(movetext: &str) -> [Option<i32>; 4] {
    let work = Workplace::new();
    work.write("in.pgn", format!("[Event \"A\"]\n{movetext}\n"));

    let commands = [
        "import a.db in.pgn",
        "convert in.pgn",
        "import b.db in.pgn --strict-exit",
        "convert in.pgn --strict-exit",
    ];

    commands.map(|command| work.stamma(command).get_output().status.code())
}

#[test]
fn harmless_problems_succeed_unless_strict() {
    let ends_well = [Some(0), Some(0), Some(1), Some(1)];
    for harmless in [
        "[Date \"1972\"]\n\n1. e4 *",
        "[WhiteElo \"2800?\"]\n\n1. e4 *",
        "[Site \"a\"]\n[Site \"b\"]\n\n1. e4 *",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
        "\n1. e4 e5 2. Ng1f3+ nc6 *",
        "\n*",
    ] {
        assert_eq!(exit_codes(harmless), ends_well, "{harmless}");
    }

    for unread in [
        "\n1. e4 Ke4 *",
        "[bad\n\n1. e4 *",
        "\n1. e4 {e5 *",
        "[FEN \"8/8\"]\n\n1. e4 *",
    ] {
        assert_eq!(exit_codes(unread), [Some(1); 4], "{unread}");
    }

    assert_eq!(exit_codes("[Date \"1972.07.11\"]\n\n1. e4 *"), [Some(0); 4]);
}

#[test]
fn repairs_are_counted_at_the_end() {
    let work = Workplace::new();
    work.write(
        "in.pgn",
        "[Event \"A\"]\n[Date \"1972\"]\n\n1. e4+ e5 2. nf3 Ke3 *\n",
    );

    let stderr = stderr_of(&work.stamma("import games.db in.pgn").code(1));
    assert!(
        stderr.contains("\n1 game, 4 positions, 4 problems (2 repaired) in "),
        "{stderr}"
    );

    let stderr = stderr_of(&work.stamma("convert in.pgn --fix -o out.pgn").code(1));
    assert!(
        stderr.contains("\n1 game, 4 problems (2 repaired), 6 repairs by --fix in "),
        "{stderr}"
    );

    let run = work.stamma("import json.db in.pgn --json -q");
    let json: Value = serde_json::from_slice(&run.get_output().stdout).expect("JSON");
    assert_eq!(json["repaired"], 2);
}

#[test]
fn a_quiet_conversion_prints_failures_only() {
    let work = Workplace::new();
    work.write("in.pgn", FAULTS);

    let run = work
        .stamma("convert in.pgn --fix --strict -q -o out.pgn")
        .code(1);
    assert_eq!(stderr_of(&run), "");

    let run = work.stamma("convert -q in.pgn none.pgn -o out.pgn").code(1);
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("stamma: none.pgn: ") && stderr.lines().count() == 1,
        "{stderr}"
    );
}

#[test]
fn every_code_has_its_row_and_every_row_its_code() {
    let page = include_str!("../../docs/problems.md");
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();

    let codes: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.split('`').nth(1))
        .collect();
    assert_eq!(codes, ProblemKind::ALL.map(ProblemKind::code));
    assert!(rows.len() <= 40);

    let effects: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.split('|').nth(2))
        .map(str::trim)
        .collect();
    assert_eq!(effects, ProblemKind::ALL.map(|kind| kind.effect().name()));

    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(
            cells.len() == 4 && cells.iter().all(|cell| !cell.is_empty()),
            "{row}"
        );
    }
}

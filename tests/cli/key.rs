//! `stamma key`: the numbers by which SQL finds positions.

use crate::support::program::{Workplace, stderr_of, stdout_of};

fn keys(arguments: &[&str]) -> String {
    let work = Workplace::new();
    let command = [&["key"][..], arguments].concat();

    // A key needs no database, and nothing is said on standard error.
    let run = work.run(command).success().stderr("");
    stdout_of(&run)
}

// The published keys of Polyglot's format: 463b96181691fc9c, 823c9b50fd114196 and 0756b94461c50fb0.
macro_rules! prints {
    ($($name:ident: $arguments:expr => $keys:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(keys(&$arguments), $keys);
        }
    )*};
}

prints! {
    the_start: [] => "5060803636482931868\n";
    moves: ["1. e4"] => "-9062197578030825066\n";
    moves_without_quotes: ["1.", "e4", "d5"] => "528813709611831216\n";
    several: ["1. e4", "e4 d5"] => "-9062197578030825066\n528813709611831216\n";
    after: ["--after", "1. e4"] => "-9062197578030825066\n";
    a_fen: ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq", "-"] => "5060803636482931868\n";
    // En passant would be illegal, so it is as good as absent.
    en_passant_in_vain: ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"] =>
        "-9062197578030825066\n";
    german_moves: ["--pieces", "de", "1. e4 d5"] => "528813709611831216\n";
    json: ["--format", "jsonl", "1. e4"] => concat!(
        r#"{"key":-9062197578030825066,"hex":"823c9b50fd114196","#,
        r#""fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"}"#, "\n");
}

#[test]
fn fields_left_out_match_several_positions() {
    let all = keys(&["4k3/8/8/8/8/8/8/4K2R w"]);
    let with_castling = keys(&["4k3/8/8/8/8/8/8/4K2R w K -"]);
    let without_castling = keys(&["4k3/8/8/8/8/8/8/4K2R w - -"]);

    // The keys are listed in the order of their numbers.
    let number = |key: String| -> i64 { key.trim().parse().expect("a number") };
    let mut both = [with_castling, without_castling].map(number);
    both.sort_unstable();

    let [lower, higher] = both;
    assert_eq!(all, format!("{lower}\n{higher}\n"));
}

#[test]
fn a_list_is_answered_line_by_line() {
    let mut command = assert_cmd::Command::cargo_bin("stamma").expect("the program is built");
    let list = "# two\n1. e4\n\n1. e5\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n";
    let run = command
        .args(["key", "-"])
        .write_stdin(list)
        .assert()
        .code(1);

    assert_eq!(
        stdout_of(&run),
        "-9062197578030825066\n5060803636482931868\n"
    );

    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("standard input:4: "), "{stderr}");
}

#[test]
fn a_variation_of_a_line_is_played() {
    let mut command = assert_cmd::Command::cargo_bin("stamma").expect("the program is built");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let list = format!("{start} pv e4;\n{start} pv e2e4 d7d5;\n{start} pv e5;\n");
    let run = command
        .args(["key", "-"])
        .write_stdin(list)
        .assert()
        .code(1);

    assert_eq!(
        stdout_of(&run),
        "-9062197578030825066\n528813709611831216\n"
    );

    let stderr = stderr_of(&run);
    assert!(stderr.starts_with("standard input:3: "), "{stderr}");
}

#[test]
fn what_is_no_position_is_an_error() {
    for (wrong, why) in [
        ("fischer", "neither a FEN nor moves"),
        ("8/8 w", "2 ranks"),
        ("1. e5", "1. e5"),
    ] {
        let run = Workplace::new().run(["key", wrong]);
        let stderr = stderr_of(&run.code(2).stdout(""));
        assert!(stderr.contains(why), "{wrong}: {stderr}");
    }
}

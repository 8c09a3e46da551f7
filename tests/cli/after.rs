//! Positions given by moves, and by FENs without quotes.

use crate::support::program;
use crate::support::program::{Workplace, stderr_of};

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import("1. e4 c5 2. Nf3 d6 *\n\n1. Nf3 c5 2. e4 Nc6 *\n\n1. d4 d5 *\n");
    work
}

macro_rules! counts {
    ($($name:ident: $arguments:expr => $count:literal;)*) => {$(
        #[test]
        fn $name() {
            let run = workplace().run(["search", "games.db"].into_iter().chain($arguments));
            run.success().stdout(concat!($count, "\n")).stderr("");
        }
    )*};
}

counts! {
    moves: ["--after", "1. e4 c5 2. Nf3", "--format", "count"] => "2";
    moves_without_numbers: ["--format", "count", "--after", "e4 c5 Nf3"] => "2";
    moves_in_french: ["--after", "1. e4 c5 2. Cf3", "--format", "count"] => "2";
    moves_of_engines: ["--after", "e2e4 c7c5 g1f3", "--format", "count"] => "2";
    moves_with_letters: ["--pieces", "de", "--after", "e4 c5 Sf3", "--format", "count"] => "2";
    moves_by_number: ["--after", "7163 3735 5254", "--format", "count"] => "2";
    no_moves: ["--after", "", "--format", "count"] => "3";
    moves_from_a_fen: [
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "--after",
        "2. Nf3",
        "--format",
        "count",
    ] => "2";
    fen_without_quotes: "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 --format count"
        .split(' ') => "2";
    fen_without_quotes_behind_options:
        "--format count rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2".split(' ') => "2";
    fen_without_quotes_and_counters:
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - --format count".split(' ') => "2";
    fen_with_two_dashes: "4k3/8/8/8/8/8/8/4K3 w - - --format count".split(' ') => "0";
    fen_with_two_dashes_and_counters: "4k3/8/8/8/8/8/8/4K3 w - - 0 1 --format count".split(' ') => "0";
}

#[test]
fn a_fen_without_quotes_is_the_same_for_all() {
    let work = workplace();
    let parts = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

    for command in ["search games.db", "moves games.db", "board"] {
        // One argument with spaces, and six without.
        let with_spaces = command.split(' ').chain([parts]);
        let run = work.run(with_spaces).success();
        let quoted = program::stdout_of(&run);
        let unquoted = work.output(&format!("{command} {parts}"));
        assert_eq!(unquoted, quoted, "{command}");

        let with_moves = command.split(' ').chain(["--after", "e4 c5"]);
        let run_with_moves = work.run(with_moves).success();
        let by_moves = program::stdout_of(&run_with_moves);
        assert!(by_moves.contains(parts), "{command}: {by_moves}");
    }
}

#[test]
fn moves_that_cannot_be_followed_are_named() {
    let work = workplace();
    let said = |moves: &str| {
        let run = work
            .run(["search", "games.db", "--after", moves])
            .code(2)
            .stdout("");
        stderr_of(&run)
    };

    assert_eq!(
        said("1. e4 c5 2. Nf4"),
        "stamma: --after: 2. Nf4: White has no legal move that this can mean; no knight can go to f4; \
         the nearest is f4\n"
    );
    assert_eq!(
        said("e4 d5 exd5 Qxd5 Nc3 Qd8 Nf3 c6 d3 a6 Nd2 b6 Nd4"),
        "stamma: --after: 7. Nd4: White has no legal move that this can mean; no knight can go to d4; \
         the nearest is d4\n"
    );
    assert!(said("1. e4 c5 hello").contains("2. hello: this is no move"));
}

#[test]
fn what_may_be_meant_otherwise_is_said() {
    let work = Workplace::new();
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";

    let ask = |more: &[&str]| {
        let arguments = [&["board", fen, "--after", "Rd1"][..], more].concat();
        let run = work.run(arguments).success();

        // The FEN stands below the board.
        let board = program::stdout_of(&run);
        let last_line = board.lines().last().map(str::to_owned);
        (last_line, stderr_of(&run))
    };

    // In English `R` is a rook, in French the king.
    let (shown, said) = ask(&[]);
    assert_eq!(shown.as_deref(), Some("4k3/8/8/8/8/8/8/3RK3 b - - 1 1"));
    assert!(said.contains("--pieces settles it"), "{said}");

    let (shown, said) = ask(&["--pieces", "fr"]);
    assert_eq!(shown.as_deref(), Some("4k3/8/8/8/8/8/8/R2K4 b - - 1 1"));
    assert_eq!(said, "");
}

#[test]
fn a_position_is_asked_for_in_one_way() {
    let work = workplace();
    work.stamma("search games.db --fen-file list.epd --after e4")
        .code(2);

    let run = work
        .run(["board", "8/8/8/8/8/8/8/K7", "--after", "Kb1"])
        .code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("Black has no king"), "{stderr}");
}

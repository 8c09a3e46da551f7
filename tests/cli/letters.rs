//! Positions given in the piece letters of other languages.

use crate::support::program::{Workplace, stderr_of, stdout_of};

/// A game from a position with a knight and a bishop.
const GAME: &str =
    "[Event \"A\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K1NB w - - 0 1\"]\n\n1. Nf3 *\n";
const IN_ENGLISH: &str = "4k3/8/8/8/8/8/8/4K1NB w - -";
const IN_GERMAN: &str = "4k3/8/8/8/8/8/8/4K1SL w - -";
/// In custom letters, `KDTSL`, with those of bishop and knight swapped.
const SWAPPED: &str = "4k3/8/8/8/8/8/8/4K1LS w - -";

fn count(fen: &str, options: &[&str]) -> String {
    let work = Workplace::new();
    work.import(GAME);
    let search = ["search", "games.db", fen, "--format", "count"];
    let arguments = [&search[..], options].concat();
    let run = work.run(arguments).success();
    stdout_of(&run)
}

macro_rules! counts {
    ($($name:ident: $fen:expr, $options:expr => $count:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(count($fen, &$options), $count);
        }
    )*};
}

counts! {
    english: IN_ENGLISH, [] => "1\n";
    german: IN_GERMAN, [] => "1\n";
    german_when_told: IN_GERMAN, ["--pieces", "de"] => "1\n";
    others_are_taken_for_german: SWAPPED, [] => "0\n";
    own_letters: SWAPPED, ["--pieces", "KDTSL"] => "1\n";
}

#[test]
fn wrong_letters_are_named_with_their_place() {
    let work = Workplace::new();
    work.import(GAME);

    for command in ["search", "moves"] {
        let run = work
            .run([command, "games.db", IN_GERMAN, "--pieces", "fr"])
            .code(2);
        assert_eq!(
            stderr_of(&run),
            "stamma: `k` on the FEN's board is no piece in the letters R D T F C P, \
             and no number of empty squares\n"
        );
    }

    let run = work
        .run(["search", "games.db", IN_GERMAN, "--pieces", "xx"])
        .code(2);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("--pieces"), "{stderr}");
}

#[test]
fn moves_are_counted_in_own_letters() {
    let work = Workplace::new();
    work.import(GAME);

    let options = ["--pieces", "KDTSL", "--format", "csv"];
    let run = work
        .run(["moves", "games.db", SWAPPED].iter().chain(&options))
        .success();
    let csv = stdout_of(&run);
    let first = csv.lines().nth(1).expect("a row");
    assert!(first.starts_with("Nf3,g1f3,1,"));
}

#[test]
fn lists_have_one_kind_of_letters() {
    let work = Workplace::new();
    work.import(GAME);

    let id = "id \"a; id b\"";
    let list = format!("{SWAPPED} bm Lf3; {id};\n{SWAPPED} 0 1\n{IN_ENGLISH}\n");
    work.write("list.epd", list);

    let run = work
        .stamma("search games.db --fen-file list.epd --pieces KDTSL")
        .code(1);
    assert_eq!(
        stdout_of(&run),
        format!("1\ta; id b\n1\t{SWAPPED} 0 1\n-\t{IN_ENGLISH}\n")
    );
    assert!(stderr_of(&run).starts_with("list.epd:3: `N` on the FEN's board is no piece in "));
}

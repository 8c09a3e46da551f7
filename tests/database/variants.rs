//! Variants: the tag `Variant` in its many spellings, before and after the tag `FEN`, and positions under other rules,
//! which count as different.

use crate::support::program::{Workplace, stdout_of};

const INNER_KING: &str = "4k3/8/8/8/8/8/8/1RK3R1 w KQ - 0 1";
const STANDARD_KING: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

/// A game that castles from a position, under the name of a variant.
fn castling_game(variant: &str, fen: &str, variant_is_first: bool) -> String {
    let variant = format!("[Variant \"{variant}\"]\n");
    let fen = format!("[FEN \"{fen}\"]\n");
    let tags = if variant_is_first {
        variant + &fen
    } else {
        fen + &variant
    };

    format!("[Event \"?\"]\n[SetUp \"1\"]\n{tags}\n1. O-O-O Ke7 *\n\n")
}

/// The number of games that `search` counts.
fn count_games(work: &Workplace, fen: &str) -> String {
    let count = stdout_of(&work.run(["search", "games.db", fen, "--format", "count"]));
    count.trim().to_owned()
}

macro_rules! spelt {
    ($($name:ident: $spelling:literal, $fen:expr => $stored:literal, $after:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.import([true, false].map(|first| castling_game($spelling, $fen, first)).concat());
            let stored = work.query("SELECT coalesce(variant, ''), moves FROM games");
            assert_eq!(stored, concat!($stored, "|O-O-O Ke7\n", $stored, "|O-O-O Ke7"));
            assert_eq!(work.query("SELECT count(*) FROM problem"), "0");
            assert_eq!(count_games(&work, $after), "2");
        }
    )*};
}

spelt! {
    chess960: "Chess960", INNER_KING => "chess960", "8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2";
    chess_960: "chess 960", INNER_KING => "chess960", "8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2";
    fischerandom: "fischerandom", INNER_KING => "chess960", "8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2";
    fischerandom_capital: "Fischerandom", INNER_KING => "chess960", "8/4k3/8/8/8/8/8/2KR2R1 w - - 2 2";
    from_position: "From Position", STANDARD_KING => "", "8/4k3/8/8/8/8/8/2KR3R w - - 2 2";
    standard: "Standard", STANDARD_KING => "", "8/4k3/8/8/8/8/8/2KR3R w - - 2 2";
    normal: "normal", STANDARD_KING => "", "8/4k3/8/8/8/8/8/2KR3R w - - 2 2";
}

/// Games 1 to 6 with the same moves, and a position that only King of the Hill has.
fn six_variants() -> Workplace {
    let names = [
        "",
        "Standard",
        "Chess960",
        "King of the Hill",
        "Three-check",
        "Atomic",
    ];

    let game = |name| format!("[Event \"?\"]\n[Variant \"{name}\"]\n\n1. e4 e5 2. Ke2 Ke7 *\n\n");
    let hill = "[Event \"?\"]\n[Variant \"King of the Hill\"]\n\n1. a3 h6 *\n";
    let work = Workplace::new();

    work.import(names.map(game).concat() + hill);
    work
}

const KINGS_OUT: &str = "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - - 2 3";

#[test]
fn other_rules_are_other_positions() {
    let work = six_variants();
    assert_eq!(count_games(&work, KINGS_OUT), "3");

    let of_hill = "rnbqkbnr/ppppppp1/7p/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(count_games(&work, of_hill), "0");

    let games = format!("SELECT game_id FROM position('{KINGS_OUT}')");
    let listed = stdout_of(&work.run(["sql", "games.db", &games, "--format", "csv"]));
    assert_eq!(
        listed.split_whitespace().collect::<Vec<_>>(),
        ["game_id", "1", "2", "3"]
    );

    let keys = work.query("SELECT count(DISTINCT final_key) FROM game WHERE id < 6");
    assert_eq!(keys, "3", "one for chess, one for each of the two variants");
}

#[test]
fn moves_under_other_rules_are_not_counted() {
    let work = six_variants();
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let run = work.run(["moves", "games.db", after_e4, "--format", "csv"]);
    let counted = stdout_of(&run);
    let rows: Vec<&str> = counted.lines().skip(1).collect();

    // The games without a variant, of standard chess and of Chess960.
    let [row] = rows[..] else { panic!("{counted}") };
    assert!(row.starts_with("e5,"), "{counted}");
    assert!(row.contains(",3,"), "{counted}");
}

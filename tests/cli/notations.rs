//! Games written by `stamma convert` in each notation with the letters of each language are read by `stamma convert` as
//! the same games: tags, moves, comments, NAGs and variations, to the byte.

use std::fs;

use crate::support::program::{Workplace, games, stderr_of, stdout_of};
use stamma::notation::{LANGUAGES, Notation};

/// Annotated games that have every kind of move: castling on both sides, en passant, promotions to each piece with and
/// without capture, disambiguation by file, rank and both, check, mate, a null move.
const GAMES: &str = "[Event \"Notations\"]\n[White \"Knight, N.\"]\n[Result \"1-0\"]\n\n\
    {before all} 1. e4 $1 {K and Q} Nf6 2. e5 d5 3. exd6 {R} Bg4 $2 (3... exd6 4. Nf3 $14 (4. d4 {e4} Be7) 4... Be7)\n\
    4. Nf3 Nc6 5. Bb5 Qd7 6. O-O O-O-O 7. dxc7 Qd3 8. cxd8=Q+ (8. cxd8=N $6) (8. cxd8=B) (8. cxd8=R+ Kc7)\n\
    8... Kxd8 9. cxd3 {[%eval 3.1] done} 1-0\n\n\
    [Event \"Promotions\"]\n[SetUp \"1\"]\n[FEN \"7k/P5P1/8/8/8/8/p3K1p1/8 b - - 0 40\"]\n\n\
    40... Kxg7 (40... Kh7 41. g8=Q+) 41. a8=N a1=R 42. Kf2 g1=B+ $10 1/2-1/2\n\n\
    [Event \"Queens\"]\n[SetUp \"1\"]\n[FEN \"8/7k/8/Q3Q3/8/8/8/Q3Q2K w - - 0 1\"]\n\n\
    1. Qa1c3 (1. Qa5c3 {both}) (1. Q5e3) (1. Qac1) 1... Kg6 2. Q5e4+ *\n\n\
    [Event \"Null\"]\n\n1. e4 -- {pass} 2. d4 $5 (2. -- e5) 2... e5 *\n";

fn all_games() -> String {
    let file = |name: &str| fs::read_to_string(games().join(name)).expect("PGN");
    [
        GAMES,
        "\n",
        &file("early.pgn"),
        "\n",
        &file("chess960.pgn"),
        "\n",
        &file("from-position.pgn"),
    ]
    .concat()
}

/// Writes games in a notation with the letters of each language, and reads them back.
fn assert_read_again(notation: Notation) {
    let work = Workplace::new();
    work.write("in.pgn", all_games());

    let clean = stdout_of(&work.stamma("convert -q in.pgn").success());
    let name = notation.name();

    for language in LANGUAGES {
        let code = language.codes[0];
        let write = format!("convert -q in.pgn --notation {name} --pieces {code} -o out.pgn");
        work.stamma(&write).success();

        // Promotions of UCI have English letters.
        let letters = if notation == Notation::Uci {
            "en"
        } else {
            code
        };
        let read = format!("convert out.pgn --input-notation {name} --input-pieces {letters}");
        let again = work.stamma(&read);

        assert!(
            stdout_of(&again) == clean,
            "{name} {code}: {}",
            stderr_of(&again)
        );
    }
}

macro_rules! reads_again {
    ($($name:ident: $notation:ident;)*) => {$(
        #[test]
        fn $name() {
            assert_read_again(Notation::$notation);
        }
    )*};
}

reads_again! {
    san: San;
    fide: Fide;
    long: Lan;
    with_captured_pieces: Full;
    coordinates: Coordinate;
    for_programs: Uci;
    by_correspondence: Iccf;
    descriptive: Descriptive;
}

#[test]
fn eight_notations_differ() {
    assert_eq!(Notation::ALL.len(), 8);

    let work = Workplace::new();
    work.write("in.pgn", GAMES);

    let in_san = stdout_of(&work.stamma("convert -q in.pgn").success());

    for notation in Notation::ALL {
        if notation == Notation::San {
            continue;
        }
        let name = notation.name();
        let written = work.output(&format!("convert -q in.pgn --notation {name}"));
        assert_ne!(written, in_san, "{notation:?}");
    }
}

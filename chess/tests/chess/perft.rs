//! Perft counts of the move generator: published numbers, and the numbers in two files of `data/perft`.

use crate::support::{corpus, epd};
use stamma_chess::board::{Position, perft};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
const ROOK_ENDING: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -";
const PROMOTIONS: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -";
const TALKCHESS: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -";
const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -";

macro_rules! counts {
    ($($(#[$attribute:meta])* $name:ident: $fen:ident, $depth:literal => $nodes:literal;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            assert_nodes($fen, $depth, $nodes);
        }
    )*};
}

counts! {
    start: START, 5 => 4_865_609;
    kiwipete: KIWIPETE, 4 => 4_085_603;
    rook_ending: ROOK_ENDING, 5 => 674_624;
    promotions: PROMOTIONS, 4 => 422_333;
    talkchess: TALKCHESS, 4 => 2_103_487;
    middlegame: MIDDLEGAME, 4 => 3_894_594;
    #[ignore = "about a second each, at opt-level 1"]
    start_deep: START, 6 => 119_060_324;
    #[ignore = "about a second each, at opt-level 1"]
    kiwipete_deep: KIWIPETE, 5 => 193_690_690;
    #[ignore = "about a second each, at opt-level 1"]
    rook_ending_deep: ROOK_ENDING, 7 => 178_633_661;
    #[ignore = "about a second each, at opt-level 1"]
    talkchess_deep: TALKCHESS, 5 => 89_941_194;
}

#[test]
fn standard_positions() {
    assert_eq!(
        count_all(include_str!("../data/perft/standard.epd"), u64::MAX),
        193
    );
}

#[test]
fn chess960_positions() {
    assert_eq!(
        count_all(include_str!("../data/perft/chess960.epd"), u64::MAX),
        88
    );
}

#[test]
fn corpus_standard() {
    count_corpus("standard.epd", 200_000);
}

#[test]
fn corpus_chess960() {
    count_corpus("fischer.epd", 200_000);
}

#[test]
#[ignore = "two seconds"]
fn corpus_standard_deep() {
    count_corpus("standard.epd", 20_000_000);
}

#[test]
#[ignore = "about a minute: nine billion moves"]
fn corpus_chess960_deep() {
    count_corpus("fischer.epd", 20_000_000);
}

fn count_corpus(name: &str, limit: u64) {
    if let Some(text) = corpus::read_text(&format!("suites/perft/{name}")) {
        assert!(count_all(&text, limit) > 0, "{name} has no rows");
    }
}

/// Checks every count up to a limit and returns the number of positions.
fn count_all(text: &str, limit: u64) -> usize {
    let mut positions = 0;
    for row in epd::rows(text) {
        assert!(!row.nodes.is_empty(), "no counts: {}", row.fen);
        for (depth, nodes) in row.nodes {
            if nodes <= limit {
                assert_nodes(row.fen, depth, nodes);
            }
        }
        positions += 1;
    }
    positions
}

fn assert_nodes(fen: &str, depth: u32, nodes: u64) {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(perft(&position, depth), nodes, "{fen} to depth {depth}");
}

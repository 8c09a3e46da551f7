//! The queries, in the languages of Stamma and of the peers that support them.
//!
//! Differences in meaning:
//! - a move of scoutfish is a piece and a square, with or without capture or check; it takes an `x` for the file
//!   that the piece comes from, so `x` is omitted, and a bishop that goes to h7 without a capture matches as well;
//! - scoutfish has material as exact pieces and as an imbalance, but no counts, so all matching cases are listed;
//! - Scid has patterns of up to ten pieces, and no moves.

/// A query.
pub(crate) struct Query {
    pub(crate) name: &'static str,
    /// The options of `stamma search`.
    pub(crate) stamma: &'static [&'static str],
    /// The options of Scid's `sc_search material`.
    pub(crate) scid: Option<&'static str>,
    /// The query of scoutfish.
    pub(crate) scoutfish: Option<String>,
}

/// The number of half-moves that an ending has to last.
const LASTING: usize = 20;
/// A rook each and any pawns, as Scid has it.
const ROOK_ENDING: &str = concat!(
    "-wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} ",
    "-wm {0 0} -bm {0 0}"
);
/// A rook each and a pawn of White, as Scid has it.
const ROOK_AND_PAWN: &str = concat!(
    "-wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} ",
    "-wm {0 0} -bm {0 0} -wp {1 1} -bp {0 0}"
);

/// All queries.
pub(crate) fn queries() -> Vec<Query> {
    let mut queries = material();
    queries.extend(patterns());
    queries
}

fn material() -> Vec<Query> {
    vec![
        Query {
            name: "rook and pawn, rook",
            stamma: &["--material", "KRPkr"],
            scid: Some(ROOK_AND_PAWN),
            scoutfish: Some(r#"{"material": "KRPKR"}"#.to_owned()),
        },
        Query {
            name: "the same, 20 half-moves",
            stamma: &["--material", "KRPkr", "--for", "20"],
            scid: Some(concat!(
                "-wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} -wn {0 0} -bn {0 0} -wm {0 0} -bm {0 0} ",
                "-wp {1 1} -bp {0 0} -length 20"
            )),
            scoutfish: Some(streak(&[r#"{"material": "KRPKR"}"#; LASTING])),
        },
        Query {
            name: "bishop and knight",
            stamma: &["--material", "KBNk"],
            scid: Some(concat!(
                "-wq {0 0} -bq {0 0} -wr {0 0} -br {0 0} -wb {1 1} -bb {0 0} -wn {1 1} -bn {0 0} ",
                "-wm {2 2} -bm {0 0} -wp {0 0} -bp {0 0}"
            )),
            scoutfish: Some(r#"{"material": "KBNK"}"#.to_owned()),
        },
        Query {
            name: "rook endings",
            stamma: &["--material", "Q=0 q=0 R=1 r=1 B=0 b=0 N=0 n=0"],
            scid: Some(ROOK_ENDING),
            scoutfish: Some(rook_endings()),
        },
        Query {
            name: "queen, two rooks",
            stamma: &["--material", "Q>=1 q=0 R=0 r>=2"],
            scid: Some("-wq {1 9} -bq {0 0} -wr {0 0} -br {2 10}"),
            scoutfish: None,
        },
        Query {
            name: "two queens each",
            stamma: &["--material", "Q>=2 q>=2"],
            scid: Some("-wq {2 9} -bq {2 9}"),
            scoutfish: None,
        },
    ]
}

fn patterns() -> Vec<Query> {
    vec![
        Query {
            name: "three men",
            stamma: &[
                "--pattern",
                "????????/????????/p???????/????????/????????/?B???N??/????????/????????",
            ],
            scid: Some("-patt {1 wb b 3} -patt {1 wn f 3} -patt {1 bp a 6}"),
            scoutfish: Some(r#"{"sub-fen": "8/8/p7/8/8/1B3N2/8/8"}"#.to_owned()),
        },
        Query {
            name: "eight pawns",
            stamma: &[
                "--pattern",
                "????????/pp??????/??p?????/???p????/???P????/????P???/PP??????/????????",
            ],
            scid: Some(concat!(
                "-patt {1 bp a 7} -patt {1 bp b 7} -patt {1 bp c 6} -patt {1 bp d 5} ",
                "-patt {1 wp d 4} -patt {1 wp e 3} -patt {1 wp a 2} -patt {1 wp b 2}"
            )),
            scoutfish: Some(r#"{"sub-fen": "8/pp6/2p5/3p4/3P4/4P3/PP6/8"}"#.to_owned()),
        },
        Query {
            name: "bishop h7, knight g5",
            stamma: &[
                "--pattern",
                "????????/???????B/????????/??????N?/????????/????????/????????/????????",
            ],
            scid: Some("-patt {1 wb h 7} -patt {1 wn g 5}"),
            scoutfish: Some(r#"{"sub-fen": "8/7B/8/6N1/8/8/8/8"}"#.to_owned()),
        },
        Query {
            name: "Bxh7+ Kxh7 Ng5+",
            stamma: &["--moves-through", "Bxh7+ Kxh7 Ng5+"],
            scid: None,
            scoutfish: Some(streak(&[
                r#"{"white-move": "Bh7"}"#,
                r#"{"black-move": "Kh7"}"#,
                r#"{"white-move": "Ng5"}"#,
            ])),
        },
    ]
}

/// Conditions that hold at consecutive half-moves.
fn streak(conditions: &[&str]) -> String {
    format!(r#"{{"streak": [{}]}}"#, conditions.join(", "))
}

/// A rook each, and any pawns.
fn rook_endings() -> String {
    const MAX_PAWNS: usize = 8;

    // Scoutfish has all pieces of White first.
    let mut materials = Vec::new();
    for white_pawns in 0..=MAX_PAWNS {
        for black_pawns in 0..=MAX_PAWNS {
            let white = format!("KR{}", "P".repeat(white_pawns));
            let black = format!("KR{}", "P".repeat(black_pawns));
            materials.push(format!(r#""{white}{black}""#));
        }
    }
    format!(r#"{{"material": [{}]}}"#, materials.join(", "))
}

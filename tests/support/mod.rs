//! Code shared by the test programs: the program in a temporary folder, oracles, and random games and boards.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test program uses a part of it"
)]

pub(crate) mod annotated_games;
#[path = "../../chess/tests/support/chess960.rs"]
pub(crate) mod chess960;
#[cfg(feature = "chessbase")]
pub(crate) mod chessbase;
pub(crate) mod column_value;
#[path = "../../chess/tests/support/corpus.rs"]
pub(crate) mod corpus;
pub(crate) mod decoys;
pub(crate) mod document;
#[cfg(unix)]
pub(crate) mod engine;
#[path = "../../chess/tests/support/epd.rs"]
pub(crate) mod epd;
pub(crate) mod export_format;
pub(crate) mod filter_oracle;
pub(crate) mod filter_sets;
pub(crate) mod index_oracle;
pub(crate) mod invariants;
pub(crate) mod long_line;
pub(crate) mod opening_oracle;
#[path = "../../chess/tests/support/paired_position/mod.rs"]
pub(crate) mod paired_position;
#[cfg(feature = "dataset")]
pub(crate) mod parquet_games;
pub(crate) mod pattern_oracle;
pub(crate) mod program;
#[path = "../../chess/tests/support/random.rs"]
pub(crate) mod random;
#[path = "../../chess/tests/support/random_boards.rs"]
pub(crate) mod random_boards;
#[path = "../../chess/tests/support/random_move_texts.rs"]
pub(crate) mod random_move_texts;
pub(crate) mod random_movetexts;
pub(crate) mod server;
pub(crate) mod seven_zip;
pub(crate) mod start_position;

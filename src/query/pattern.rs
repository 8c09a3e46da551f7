//! Patterns over positions, and where in a game they first match.
//!
//! | file | answers |
//! |---|---|
//! | `board_pattern.rs`, `rank.rs`, `choice.rs`, `contents.rs` | which boards a pattern matches |
//! | `material.rs`, `measure.rs` | which material matches |
//! | `sequence.rs` | which sequences of moves match |
//! | `flip.rs` | which mirrored forms of a pattern match as well |
//! | `compiled.rs` | where in a game board, material and moves match together |
//! | `bounds.rs`, `candidates.rs` | which games need no replay, by their material signature |
//! | `scan.rs`, `rows.rs` | which games of a database match |

mod board_pattern;
mod bounds;
mod candidates;
mod choice;
mod compiled;
mod contents;
mod cursor;
mod flip;
mod group;
mod material;
mod measure;
mod parse_error;
mod parts;
mod position_query;
mod rank;
mod rows;
mod scan;
mod sequence;

pub use board_pattern::BoardPattern;
pub(crate) use cursor::PatternCursor;
pub use flip::Flip;
pub use material::Material;
pub use parse_error::ParsePatternError;
pub use parts::PositionParts;
pub use position_query::PositionQuery;
pub use rows::Candidate;
pub(crate) use scan::scan_parallel;
pub use scan::{PatternHit, scan};
pub use sequence::MoveSequence;

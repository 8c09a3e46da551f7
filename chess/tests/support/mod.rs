//! Code shared by the test programs: shakmaty beside Stamma, and random games, boards and move texts.
//!
//! The test programs of the package `stamma` include these files by their path.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod chess960;
pub(crate) mod corpus;
pub(crate) mod epd;
pub(crate) mod paired_position;
pub(crate) mod positions;
pub(crate) mod random;
pub(crate) mod random_boards;
pub(crate) mod random_move_texts;

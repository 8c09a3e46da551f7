//! Code shared by the test programs: other people's chess beside ours, and random games, boards and move texts.
//!
//! The tests of package `stamma` take the same files.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod chess960;
pub(crate) mod corpus;
pub(crate) mod epd;
pub(crate) mod paired_position;
pub(crate) mod random;
pub(crate) mod random_boards;
pub(crate) mod random_move_texts;

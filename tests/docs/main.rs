//! The documents agree with the program: their examples run, and their tables match the code.

mod annotations;
mod answers;
mod architecture;
mod columns;
mod examples;
mod help;
mod manual;
mod notation;
mod pages;
mod pgn_extract;

#[path = "../support/mod.rs"]
mod support;

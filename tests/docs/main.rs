//! The documents are true: their examples are run, their tables are those of the code.

mod annotations;
mod columns;
mod cookbook;
mod help;
mod readme;

#[path = "../support/mod.rs"]
mod support;

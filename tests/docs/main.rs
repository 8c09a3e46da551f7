//! The documents are true: their examples are run, their tables are those of the code.

mod annotations;
mod architecture;
mod columns;
mod examples;
mod help;
mod manual;
mod pages;

#[path = "../support/mod.rs"]
mod support;

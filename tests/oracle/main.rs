//! Answers compared with the answers of independent readers, which share no code with the library.

mod filters;
mod index;
mod index_plies;
mod novelties;
mod opening_reports;
mod openings;
mod patterns;
mod piped;
mod preparation;
mod relettered;
mod repertoire;
mod rewritten;
mod several;
mod tournaments;
mod variations;

#[path = "../support/mod.rs"]
mod support;

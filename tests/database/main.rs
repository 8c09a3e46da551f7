//! What an import keeps of its sources, and what keeps a database whole.

mod check;
mod damage;
mod delete;
mod encodings;
mod forget;
mod languages;
mod limits;
mod markers;
mod materialize;
mod merge;
mod nothing_lost;
mod openings;
mod problems;
mod results;
mod resumed;
mod round_trip;
mod sources;
mod variants;
mod versions;

#[path = "../support/mod.rs"]
mod support;

//! Tests of what an import keeps of its sources, and of commands that maintain a database.

mod addresses;
#[cfg(debug_assertions)]
mod bugs;
mod changed_by_sql;
mod check;
#[cfg(feature = "chessbase")]
mod chessbase;
mod copies;
mod damage;
mod delete;
mod encodings;
mod evaluations;
mod filtered;
mod forget;
mod languages;
mod limited;
mod limits;
mod markers;
mod materialize;
mod merge;
mod names;
mod nothing_lost;
mod openings;
mod problems;
mod query;
mod results;
mod resumed;
mod round_trip;
mod scid;
mod seven_zip;
mod sources;
mod stored_forms;
mod twins;
mod updated;
mod variants;
mod versions;
mod watched;
mod watched_folders;

#[path = "../support/mod.rs"]
mod support;

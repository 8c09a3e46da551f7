//! Cleaning a collection: which games are twins, and which spellings mean one player, event or site.
//!
//! Pure algorithms over values in memory. They decide and give reasons; they store nothing, change nothing and print
//! nothing.

mod disjoint_sets;
pub mod names;
pub mod twins;

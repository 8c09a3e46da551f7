//! The chess core and the notations, compared with published counts, published texts and `shakmaty`.

mod differential;
mod fen;
mod games;
mod move_texts;
mod moves;
mod mutations;
mod notations;
mod perft;
mod published_texts;
mod suites;

#[path = "../support/mod.rs"]
mod support;

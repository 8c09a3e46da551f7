//! The program as a user meets it: what each command prints, refuses and leaves.

mod after;
mod convert;
mod export_epd;
mod fen_list;
mod files;
mod form;
mod letters;
mod move_tree;
mod notable_games;
mod opening_book;
mod player;
mod position_like;
mod search;
mod show;
mod sql;
mod suggestions;
mod terminal;
mod usage;

#[path = "../support/mod.rs"]
mod support;

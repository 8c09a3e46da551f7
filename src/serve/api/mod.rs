//! Stamma's own interface: JSON under `/api/1/`.

pub(super) mod change;
pub(super) mod command;
pub(super) mod count;
pub(super) mod crosstable;
pub(super) mod databases;
pub(super) mod game;
pub(super) mod games;
pub(super) mod head_to_head;
pub(super) mod moves;
pub(super) mod novelties;
pub(super) mod openapi;
pub(super) mod opening;
pub(super) mod openings;
pub(super) mod pgn;
pub(super) mod pgn_line;
pub(super) mod player;
pub(super) mod position;
pub(super) mod prepare;
pub(super) mod problems;
pub(super) mod repertoire;
mod report;
pub(super) mod sql;
pub(super) mod statistics;
pub(super) mod suggest;
pub(super) mod tournaments;
pub(super) mod transpositions;
mod tree;

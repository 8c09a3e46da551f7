//! Stamma's own interface: JSON under `/api/1/`.

pub(super) mod count;
pub(super) mod databases;
pub(super) mod game;
pub(super) mod games;
mod listed;
pub(super) mod moves;
pub(super) mod position;
mod tree;

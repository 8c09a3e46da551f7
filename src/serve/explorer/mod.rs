//! The interface of opening explorers, with the routes, the parameters, and the order and types of fields of Lichess.

mod explored;
pub(super) mod ids;
pub(super) mod lichess;
pub(super) mod masters;
pub(super) mod monitor;
mod named;
mod parameters;
pub(super) mod pgn;
pub(super) mod player;
mod reply;

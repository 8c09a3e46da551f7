//! The interface of opening explorers: routes, parameters, and the order and types of fields are those of Lichess.

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

//! `stamma serve`: a server of HTTP over databases, for people with a browser and for programs.
//!
//! It answers the interface of opening explorers (`explorer`) and Stamma's own interface (`api`), and serves the files
//! of a page. A few threads, which never block, read requests. Other threads answer them, each with its own connection
//! to the database and its own snapshot. Text is only written into JSON and PGN. The library's room `report` makes
//! HTML, and escapes text.

mod answer;
mod api;
mod assets;
mod bounded_functions;
mod budget;
mod cors;
mod databases;
mod engines;
mod explorer;
mod failure;
mod guard;
mod joined;
mod line;
mod locks;
mod options;
mod packed;
mod parameters;
mod permits;
mod pool;
mod prepared;
mod request;
mod respond;
mod route;
mod routes;
#[cfg(test)]
mod script;
mod send;
mod server;
mod shared;
mod sources;
mod written;

pub(crate) use engines::EngineOptions;
pub(crate) use options::{GameOptions, Options, SearchOption};
pub(crate) use server::{bind, run};

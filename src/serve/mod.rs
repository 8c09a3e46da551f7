//! `stamma serve`: a server of HTTP over databases, for people with a browser and for programs.
//!
//! It answers the interface of opening explorers (`explorer`) and an interface of its own (`api`), and serves the files
//! of a page. Few threads, which never wait, read requests. Other threads answer them; each has a connection to the
//! database with a snapshot of its own. Text goes into JSON and PGN only. The library's room `report` makes HTML, and
//! escapes text.

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

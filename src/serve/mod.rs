//! `stamma serve`: a server of HTTP over databases, for people with a browser and for programs.
//!
//! It answers the interface of opening explorers (`explorer`) and one of its own (`api`), and has the files of a page.
//! Requests are read by few threads that never wait, and answered by others, each with a connection to the database
//! and a snapshot of its own. Text goes into JSON and PGN only; HTML is made by the library's room `report`, which escapes it.

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

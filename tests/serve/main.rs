//! `stamma serve` as clients meet it: over sockets, with requests that are valid and others that are not.

#[cfg(unix)]
mod analysis;
mod change;
mod explorer;
mod fuzzed;
mod joined;
mod life;
mod own;
mod page;
mod repertoire;
mod reports;
mod security;
mod shape;
mod tournaments;

#[path = "../support/mod.rs"]
mod support;

use support::program::Workplace;
use support::server::Server;

/// A folder with `games.db`, which has the games of the project.
fn workplace() -> Workplace {
    Workplace::with_historical_games()
}

/// A server over the games of the project, with arguments.
fn served(arguments: &str) -> (Workplace, Server) {
    let work = workplace();
    let server = Server::start(&work, &format!("games.db {arguments}"));
    (work, server)
}

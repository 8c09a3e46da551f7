//! `stamma open`, and `stamma FILE`: imports files if necessary, and opens the page of the database in a browser.
//!
//! The command runs `stamma import` and `stamma serve --open`, and prints both, so that users learn them.

use std::net::TcpListener;
use std::path::PathBuf;

use super::output::is_sqlite;
use super::quoting::quoted_path;
use super::{Failure, Outcome, args, import, say, serve};
use stamma::error::{Error, Result};

pub(super) fn run(arguments: &args::Open) -> Result<Outcome, Failure> {
    let mut databases = Vec::new();
    let mut files = Vec::new();
    for path in &arguments.paths {
        if is_sqlite(path) {
            databases.push(path.clone());
        } else {
            files.push(path.clone());
        }
    }

    let Some(first_file) = files.first() else {
        return Ok(serve_page(databases)?);
    };
    if let Some(database) = databases.into_iter().next() {
        return Err(Error::DatabaseAmongInputs(database).into());
    }

    let database = args::database_beside(first_file);
    say!(
        "stamma import {} {}",
        quoted_path(&database),
        quoted_paths(&files)
    );
    let import_arguments = args::Import::with_defaults(&database, &files);
    let outcome = import::run(&import_arguments)?;
    if outcome == Outcome::Failed {
        return Ok(Outcome::Failed);
    }

    Ok(serve_page(vec![database])?)
}

/// Serves the page at the default address, or at a free port if another server has the default address.
fn serve_page(databases: Vec<PathBuf>) -> Result<Outcome> {
    let default_address = args::Serve::DEFAULT_ADDRESS;
    // The listener is dropped at once, so that the server can then bind the address.
    let is_free = TcpListener::bind(default_address).is_ok();
    let bind_option = if is_free { "" } else { " --bind 0" };
    say!(
        "stamma serve --open{bind_option} {}",
        quoted_paths(&databases)
    );

    let address = if is_free {
        default_address
    } else {
        // The system chooses a free port for port 0.
        (default_address.ip(), 0).into()
    };
    serve::run(&args::Serve::page_of(databases, address))
}

/// Paths in quotes for a shell, separated by blanks.
fn quoted_paths(paths: &[PathBuf]) -> String {
    let words: Vec<String> = paths.iter().map(|path| quoted_path(path)).collect();
    words.join(" ")
}

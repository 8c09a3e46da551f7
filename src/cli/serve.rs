//! `stamma serve`: serves databases over HTTP.

use std::io::{self, Write};
use std::net::SocketAddr;

use clap::{Arg, ArgAction};

use super::args::{self, ServedQuery};
use super::stop::stop_flag;
use super::{Outcome, activity, say};
use crate::serve::{GameOptions, Options, SearchOption, bind, run as run_server};
use stamma::error::Result;

pub(super) fn run(arguments: &args::Serve) -> Result<Outcome> {
    // The server has no passwords, so only this computer may change databases.
    if arguments.write && !arguments.bind.ip().is_loopback() {
        say!(
            "stamma: with --write, everyone who can reach {} could change these databases; leave out --bind, or --write",
            arguments.bind
        );
        return Ok(Outcome::Failed);
    }

    let bound = match bind(arguments.bind) {
        Ok(bound) => bound,
        Err(error) => {
            say!("stamma: {}", bind_message(arguments.bind, &error));
            return Ok(Outcome::Failed);
        }
    };
    let address = bound.address;
    if !address.ip().is_loopback() {
        say!(
            "stamma: everyone who can reach {address} can read these databases; --bind 127.0.0.1:9002 keeps them here"
        );
    }

    let options = Options {
        databases: arguments.databases.clone(),
        is_read_only: arguments.readonly,
        is_writable: arguments.write,
        origins: arguments.cors.clone(),
        hosts: arguments.allow_host.clone(),
        has_sql: arguments.sql,
        engine: arguments.engine(),
        read_game_options,
        search_options,
    };
    let stop = stop_flag();
    let is_opened = arguments.open;
    run_server(bound, options, &stop, |refused| {
        for (_, why) in refused {
            say!("stamma: not served: {why}");
        }
        announce(address, is_opened);
    })?;
    Ok(Outcome::Done)
}

/// Prints the address, and opens it in a browser on request.
fn announce(address: SocketAddr, is_opened: bool) {
    // The unspecified address, 0.0.0.0 or [::], accepts connections, but cannot be opened.
    let shown = if address.ip().is_unspecified() {
        SocketAddr::from(([127, 0, 0, 1], address.port()))
    } else {
        address
    };
    let url = format!("http://{shown}/");

    activity::end();
    let mut out = io::stdout();
    // A closed standard output does not end the server.
    let _ = writeln!(out, "{url}");
    let _ = out.flush();
    if is_opened && let Err(error) = open::that_detached(&url) {
        say!("stamma: no browser could be started ({error}); open {url}");
    }
}

/// The first port that a program may use without privileges.
const FIRST_USER_PORT: u16 = 1024;

/// The message for an address that cannot be bound, with a suggestion for `--bind`.
fn bind_message(address: SocketAddr, error: &io::Error) -> String {
    let ip = address.ip();
    let port = address.port();
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            // After the last port, the addition wraps to 0, which is raised to a valid port.
            let next_port = port.wrapping_add(1).max(FIRST_USER_PORT);
            let next = SocketAddr::new(ip, next_port);
            format!(
                "{address} is in use, perhaps by another `stamma serve`; take another port: --bind {next}, or 0 for a free one"
            )
        }
        io::ErrorKind::AddrNotAvailable => {
            format!("{ip} is no address of this computer; --bind 0.0.0.0:{port} takes all of them")
        }
        io::ErrorKind::PermissionDenied => {
            let default = SocketAddr::new(ip, args::Serve::DEFAULT_ADDRESS.port());
            format!(
                "port {port} is for the system; take one from {FIRST_USER_PORT} on: --bind {default}"
            )
        }
        _ => format!("{address}: {error}"),
    }
}

/// The options of `stamma search` that are parameters of requests.
fn search_options() -> Vec<SearchOption> {
    let description = ServedQuery::description();
    let mut options = Vec::new();
    for option in description.get_arguments() {
        let Some(name) = option.get_long() else {
            continue;
        };
        if option.is_hide_set() {
            continue;
        }

        let help = match option.get_help() {
            Some(help) => help.to_string(),
            None => String::new(),
        };
        options.push(SearchOption {
            name: name.to_owned(),
            help,
            is_flag: matches!(option.get_action(), ArgAction::SetTrue),
            is_repeated: matches!(option.get_action(), ArgAction::Append),
        });
    }
    options
}

/// `true` if `name` is the long name or an alias of an option.
fn has_name(option: &Arg, name: &str) -> bool {
    if option.get_long() == Some(name) {
        return true;
    }
    match option.get_all_aliases() {
        Some(aliases) => aliases.contains(&name),
        None => false,
    }
}

/// The value of a parameter for an option that takes no value.
fn flag_value(name: &str, value: &str) -> std::result::Result<bool, String> {
    match value {
        "true" | "1" | "on" => Ok(true),
        "false" | "0" | "off" | "" => Ok(false),
        _ => Err(format!("{name}: give true or false")),
    }
}

/// Reads options of `stamma search` from the parameters of a request.
fn read_game_options(parameters: &[(String, String)]) -> std::result::Result<GameOptions, String> {
    let description = ServedQuery::description();
    let mut arguments = Vec::new();
    for (name, value) in parameters {
        let option = description
            .get_arguments()
            .find(|option| has_name(option, name))
            .ok_or_else(|| format!("there is no parameter {name}"))?;

        let is_flag = matches!(option.get_action(), ArgAction::SetTrue);
        if is_flag {
            if flag_value(name, value)? {
                arguments.push(format!("--{name}"));
            }
        } else if !value.is_empty() {
            // Browsers also send the fields of a form that a user has left empty.
            arguments.push(format!("--{name}={value}"));
        }
    }

    let (games, order) = ServedQuery::parse_arguments(description, &arguments)?;
    Ok(GameOptions {
        query: games.query().order(order),
        has_sql: games.filter.condition.is_some(),
        filter: games.filter,
        arguments,
    })
}

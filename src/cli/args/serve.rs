//! Arguments of `stamma serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, ValueHint};

use super::engine::engine_option;
use super::game_query::{GameQuery, GameSelection};
use super::order::Order;
use super::usage::UsageError;
use crate::serve::EngineOptions;
use stamma::query::SortOrder;

/// The time after which an analysis ends by default.
const DEFAULT_ENGINE_SECONDS: u32 = 60;
/// The maximum time of an analysis: a day.
const MAX_ENGINE_SECONDS: i64 = 86_400;

#[derive(Args, Debug)]
pub(in crate::cli) struct Serve {
    /// Databases, and folders of databases; they are served together. Databases that are added to a folder later are
    /// served, too. A request with db=NAME reads only the database of this name
    #[arg(required = true, num_args = 1..)]
    pub(in crate::cli) databases: Vec<PathBuf>,
    /// The address and the port; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = Serve::DEFAULT_ADDRESS, value_parser = address)]
    pub(in crate::cli) bind: SocketAddr,
    /// Open the page in a browser
    #[arg(long)]
    pub(in crate::cli) open: bool,
    /// Open files for reading alone, so that not even a lock is written beside them
    #[arg(long)]
    pub(in crate::cli) readonly: bool,
    /// Let the page add games to the databases and change them; only on this computer
    #[arg(long, conflicts_with = "readonly")]
    pub(in crate::cli) write: bool,
    /// Let pages of another site read answers: its origin, like https://lichess.org, or * for all sites
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub(in crate::cli) cors: Vec<String>,
    /// Answer requests that call this server by this name, beside localhost and its address
    #[arg(long, value_name = "NAME", value_parser = host)]
    pub(in crate::cli) allow_host: Vec<String>,
    /// Answer queries in SQL, which can read all of the databases
    #[arg(long)]
    pub(in crate::cli) sql: bool,
    /// Let the page analyse positions by a chess engine: a program that speaks UCI, by its path or its name
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::ExecutablePath)]
    engine: Option<PathBuf>,
    /// An option of the engine: Threads=4
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option, requires = "engine")]
    engine_option: Vec<(String, String)>,
    /// The number of positions that are analysed at once, each by a process of its own
    #[arg(long, value_name = "N", default_value_t = 1, requires = "engine")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=64))]
    engine_processes: u16,
    /// The time after which an analysis ends
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = DEFAULT_ENGINE_SECONDS,
        requires = "engine"
    )]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MAX_ENGINE_SECONDS))]
    engine_time: u32,
    /// Also let other computers use the engine
    #[arg(long, requires = "engine")]
    engine_for_all: bool,
}

impl Serve {
    /// The default address, which only this computer can reach.
    pub(in crate::cli) const DEFAULT_ADDRESS: SocketAddr =
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9002);

    /// The arguments that open the page of databases in a browser.
    pub(in crate::cli) fn page_of(databases: Vec<PathBuf>, bind: SocketAddr) -> Serve {
        Serve {
            databases,
            bind,
            open: true,
            readonly: false,
            write: false,
            cors: Vec::new(),
            allow_host: Vec::new(),
            sql: false,
            engine: None,
            engine_option: Vec::new(),
            engine_processes: 1,
            engine_time: DEFAULT_ENGINE_SECONDS,
            engine_for_all: false,
        }
    }

    /// The engine for live analysis, if there is one.
    pub(in crate::cli) fn engine(&self) -> Option<EngineOptions> {
        Some(EngineOptions {
            program: self.engine.clone()?,
            options: self.engine_option.clone(),
            processes: self.engine_processes.into(),
            time: Duration::from_secs(self.engine_time.into()),
            is_for_all: self.engine_for_all,
        })
    }
}

/// An address with a port. A port alone, or after `localhost`, has the loopback address.
fn address(text: &str) -> Result<SocketAddr, String> {
    let without_name = text.strip_prefix("localhost").unwrap_or(text);
    let port = without_name.strip_prefix(':').unwrap_or(without_name);
    if let Ok(port) = port.parse::<u16>() {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }

    without_name
        .parse()
        .map_err(|_| "give an address and a port like 127.0.0.1:9002".to_owned())
}

/// The origin of a page as browsers send it: in lower case, without a path (RFC 6454).
fn origin(text: &str) -> Result<String, String> {
    let origin = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
    if origin == "*" {
        return Ok(origin);
    }

    let host = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"));
    let is_origin = host.is_some_and(|host| !host.is_empty() && !host.contains('/'));
    if is_origin {
        Ok(origin)
    } else {
        Err("give an origin like https://lichess.org, or *".to_owned())
    }
}

/// The name of this server, without a port.
fn host(text: &str) -> Result<String, String> {
    let is_name = !text.is_empty() && !text.contains(['/', ':', ' ', '@']);
    if is_name {
        Ok(text.to_owned())
    } else {
        Err("give a name like chess.example".to_owned())
    }
}

/// The options of `stamma search` that a server reads from the parameters of a request.
#[derive(Debug, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(in crate::cli) struct ServedQuery {
    #[command(flatten)]
    order: Order,
    #[command(flatten)]
    games: GameQuery,
}

impl ServedQuery {
    /// The options as clap describes them.
    pub(in crate::cli) fn description() -> Command {
        ServedQuery::command()
    }

    /// Parses arguments. Returns the selection of games, and their order.
    ///
    /// # Errors
    /// A sentence about an invalid argument.
    pub(in crate::cli) fn parse_arguments(
        description: Command,
        arguments: &[String],
    ) -> Result<(GameSelection, SortOrder), String> {
        let matches = description
            .try_get_matches_from(arguments)
            .map_err(|error| clap_message(&error))?;
        let query =
            ServedQuery::from_arg_matches(&matches).map_err(|error| clap_message(&error))?;

        let games = query.games.resolve_silently().map_err(usage_message)?;
        Ok((games, query.order.order()))
    }
}

/// The message of a usage error, with the parameter of the request in place of the option.
fn usage_message(error: UsageError) -> String {
    match error {
        UsageError::Line(why) => format!("line: {why}"),
        UsageError::Contradiction(sentence) => sentence.to_owned(),
    }
}

/// The message of clap's error, without the usage of the command line.
fn clap_message(error: &clap::Error) -> String {
    let rendered = error.render().to_string();

    // An empty line separates the message from the usage.
    let lines: Vec<&str> = rendered
        .lines()
        .take_while(|line| !line.trim().is_empty())
        .collect();
    let sentence = lines.join(" ");
    sentence.trim_start_matches("error: ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, read) in [
            ("127.0.0.1:9002", Some("127.0.0.1:9002")),
            ("[::1]:80", Some("[::1]:80")),
            ("localhost:9003", Some("127.0.0.1:9003")),
            (":9003", Some("127.0.0.1:9003")),
            ("9003", Some("127.0.0.1:9003")),
            ("localhost", None),
            ("chess.example:80", None),
        ] {
            let parsed = address(text).ok().map(|address| address.to_string());
            assert_eq!(parsed.as_deref(), read, "{text}");
        }
    }

    #[test]
    fn origins() {
        let lichess = origin("https://Lichess.org/");
        assert_eq!(lichess.as_deref(), Ok("https://lichess.org"));
        assert_eq!(origin("*").as_deref(), Ok("*"));

        for wrong in ["lichess.org", "https://", "https://a/b", ""] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_of_hosts() {
        assert!(host("chess.example").is_ok());

        for wrong in ["http://x", "x:80", ""] {
            assert!(host(wrong).is_err(), "{wrong}");
        }
    }
}

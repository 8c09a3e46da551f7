//! Arguments of `stamma serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory, FromArgMatches, Parser};

use super::game_query::GameQuery;
use super::order::Order;
use stamma::query::{Filter, Query};

#[derive(Args, Debug)]
pub(in crate::cli) struct Serve {
    /// The databases; pages and programs choose one by the name of its file, or get the first
    #[arg(required = true, num_args = 1..)]
    pub(in crate::cli) databases: Vec<PathBuf>,
    /// The address and the port; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9002")]
    pub(in crate::cli) bind: SocketAddr,
    /// Open the page in a browser
    #[arg(long)]
    pub(in crate::cli) open: bool,
    /// Open files for reading alone, so that not even a lock is written beside them
    #[arg(long)]
    pub(in crate::cli) readonly: bool,
    /// Let pages of another site read answers: its origin, like https://lichess.org, or * for all sites
    #[arg(long, value_name = "ORIGIN")]
    pub(in crate::cli) cors: Vec<String>,
    /// Answer requests that call this server by this name, beside localhost and its address
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) allow_host: Vec<String>,
    /// Answer queries in SQL, which can read all of the databases
    #[arg(long)]
    pub(in crate::cli) sql: bool,
}

/// The options of a search as a server reads them: the same as those of `stamma search`.
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

    /// Parses arguments.
    ///
    /// # Errors
    /// A sentence about the argument that is wrong.
    pub(in crate::cli) fn parse_arguments(
        description: Command,
        arguments: &[String],
    ) -> Result<ServedQuery, String> {
        let matches = description.try_get_matches_from(arguments);
        let parsed = matches.and_then(|matches| ServedQuery::from_arg_matches(&matches));
        let mut parsed = parsed.map_err(|error| sentence(&error))?;
        parsed.games.filters.read_line(None).map_err(|why| format!("line: {why}"))?;
        match parsed.games.contradiction() {
            Some(why) => Err(why.to_owned()),
            None => Ok(parsed),
        }
    }

    /// The query in its order.
    pub(in crate::cli) fn query(&self) -> Query {
        self.games.query().order(self.order.order())
    }

    /// The conditions on games.
    pub(in crate::cli) fn filter(&self) -> Filter {
        self.games.filter()
    }

    /// `true` if there is a condition in SQL.
    pub(in crate::cli) fn has_sql(&self) -> bool {
        self.games.filter().condition.is_some()
    }
}

/// What clap says of an error, without the usage.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    let text = lines.collect::<Vec<_>>().join(" ");
    text.trim_start_matches("error: ").trim().to_owned()
}

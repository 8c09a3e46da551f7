//! The options of a server.

use std::path::PathBuf;

use super::engines::EngineOptions;
use stamma::Filter;
use stamma::query::Query;

/// Reads the options of `stamma search` from names and values.
///
/// The server does not know the command line, so the program passes this function. The error is a sentence.
pub(crate) type ReadGameOptions = fn(&[(String, String)]) -> Result<GameOptions, String>;

/// The options of a server.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The databases, and folders with databases; at least one.
    pub(crate) databases: Vec<PathBuf>,
    /// `true` if files are opened strictly for reading.
    pub(crate) is_read_only: bool,
    /// `true` if the page of the server may change databases.
    pub(crate) is_writable: bool,
    /// The origins whose pages may read answers; `*` for all origins.
    pub(crate) origins: Vec<String>,
    /// Names by which browsers may call the server, beside its addresses.
    pub(crate) hosts: Vec<String>,
    /// `true` if queries in SQL are answered.
    pub(crate) has_sql: bool,
    /// The engine for live analysis, if there is one.
    pub(crate) engine: Option<EngineOptions>,
    pub(crate) read_game_options: ReadGameOptions,
    /// Describes the options of `stamma search`.
    pub(crate) search_options: fn() -> Vec<SearchOption>,
}

/// An option of `stamma search`.
#[derive(Clone, Debug)]
pub(crate) struct SearchOption {
    pub(crate) name: String,
    pub(crate) help: String,
    /// `true` if its value is `true` or `false`.
    pub(crate) is_flag: bool,
    /// `true` if the option may be given several times.
    pub(crate) is_repeated: bool,
}

/// Filters, patterns and an order, as on the command line.
#[derive(Clone, Debug)]
pub(crate) struct GameOptions {
    /// The query, without a position.
    pub(crate) query: Query,
    /// The filter of the query.
    pub(crate) filter: Filter,
    /// `true` if the filter has a condition in SQL.
    pub(crate) has_sql: bool,
    /// The options as arguments of a command line.
    pub(crate) arguments: Vec<String>,
}

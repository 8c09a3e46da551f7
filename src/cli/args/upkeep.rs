//! Arguments of commands that maintain databases.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::game_query::GameQuery;
use super::values::{GameRange, game_range, memory};
use stamma::import::Memory;

#[derive(Args, Debug)]
pub(in crate::cli) struct Delete {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The games, by number: 5,7,20-30
    #[arg(long = "games", value_name = "LIST", value_delimiter = ',', value_parser = game_range)]
    pub(in crate::cli) numbers: Vec<GameRange>,
    /// List the games that would be deleted, and delete nothing
    #[arg(short = 'n', long)]
    pub(in crate::cli) dry_run: bool,
    /// Delete more than a tenth of all games without confirmation
    #[arg(short, long, conflicts_with = "dry_run")]
    pub(in crate::cli) yes: bool,
    #[command(flatten)]
    pub(in crate::cli) games: GameQuery,
}

impl Delete {
    /// The contradiction between options that are valid one by one, or why they would select all games.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let is_everything = self.numbers.is_empty() && self.games.is_empty();
        let needs_choice = "say which games: --games 5,7, or filters and patterns as for search";
        self.games.contradiction().or(is_everything.then_some(needs_choice))
    }
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Info {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Print a JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// List all sources (default: the first 20)
    #[arg(long)]
    pub(in crate::cli) sources: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Openings {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Name all games by a table of your own: TSV with the columns eco, name and pgn, Scid's scid.eco, or PGN with
    /// the tags ECO, Opening, Variation and SubVariation
    #[arg(long, value_name = "FILE", conflicts_with = "standard")]
    pub(in crate::cli) set: Option<PathBuf>,
    /// Name all games by the standard table
    #[arg(long)]
    pub(in crate::cli) standard: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Optimize {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The memory limit, like 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(in crate::cli) memory: Memory,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Check {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Compare the index with all games (default: about 4000)
    #[arg(long)]
    pub(in crate::cli) full: bool,
    /// Print a digest that is equal for equal games and positions, whatever files they came from
    #[arg(long)]
    pub(in crate::cli) digest: bool,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Forget {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Files by path or by number, as `stamma info` lists them; an archive or folder means all files in it
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) sources: Vec<OsString>,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Merge {
    /// The database to append to, which is created if it does not exist
    pub(in crate::cli) database: PathBuf,
    /// The databases whose games are appended; they are not changed
    #[arg(required = true)]
    pub(in crate::cli) others: Vec<PathBuf>,
    /// The memory limit, like 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(in crate::cli) memory: Memory,
}

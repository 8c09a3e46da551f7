//! Arguments of commands that maintain databases.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};

use super::formats::{CsvCells, ListFormat};
use super::game_query::{GameQuery, GameSelection};
use super::usage::{Checked, UsageError, refuse_if};
use super::values::{GameRange, game_range, memory, offered};
use stamma::import::Memory;
use stamma::maintenance::PreferredCopy;

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
    games: GameQuery,
}

impl Delete {
    /// The games to delete.
    ///
    /// # Errors
    /// When options contradict each other, or would select all games.
    pub(in crate::cli) fn selection(&self) -> Result<GameSelection, UsageError> {
        let selection = self.games.resolve()?;
        refuse_if(
            self.numbers.is_empty() && selection.are_all(),
            "say which games: --games 5,7, or filters and patterns as for search",
        )?;
        refuse_if(
            selection.filter.unique,
            "--unique would delete the games that are no duplicates; `stamma dedupe --delete` deletes duplicates",
        )?;
        Ok(selection)
    }
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Dedupe {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Print the changes, and change nothing
    #[arg(short = 'n', long)]
    pub(in crate::cli) dry_run: bool,
    /// Remove all marks, and restore the tags that --merge-tags has filled
    #[arg(long, conflicts_with_all = ["dry_run", "delete", "prefer", "merge_tags", "format"])]
    pub(in crate::cli) undo: bool,
    /// Delete the marked games
    #[arg(long)]
    pub(in crate::cli) delete: bool,
    /// With --delete: delete more than a tenth of all games without confirmation
    #[arg(short, long, requires = "delete")]
    pub(in crate::cli) yes: bool,
    /// The copy to keep: longest, annotated, first, or the copy from a source, by path or number as `stamma info` lists
    /// them (default: as in the last run, initially longest)
    #[arg(long, value_name = "COPY", value_parser = copy(), hide_possible_values = true)]
    pub(in crate::cli) prefer: Option<Copy>,
    /// Fill empty and partial tags of kept games from their duplicates
    #[arg(long)]
    pub(in crate::cli) merge_tags: bool,
    /// List all groups of duplicates in this format
    #[arg(long, value_enum)]
    pub(in crate::cli) format: Option<ListFormat>,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
}

impl Dedupe {
    /// Refuses the option for cells without comma-separated values.
    ///
    /// # Errors
    /// When the option is given with another format.
    pub(in crate::cli) fn check(&self) -> Checked {
        self.csv_cells.check(self.format == Some(ListFormat::Csv))
    }
}

/// The copy of a game to keep.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Copy {
    /// The copy by a rule.
    By(PreferredCopy),
    /// The copy from the source with a path or number.
    Source(String),
}

/// The parser of copies to keep, which suggests the rules.
fn copy() -> impl TypedValueParser<Value = Copy> {
    offered(["longest", "annotated", "first"], read_copy)
}

/// A rule for the copy to keep. Any other text names a source, which is looked up when the database is open.
fn read_copy(text: &str) -> Result<Copy, Infallible> {
    let copy = match text {
        "longest" => Copy::By(PreferredCopy::Longest),
        "annotated" => Copy::By(PreferredCopy::Annotated),
        "first" => Copy::By(PreferredCopy::First),
        source => Copy::Source(source.to_owned()),
    };
    Ok(copy)
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
    /// Also give the bytes of each table, for which the whole file is read
    #[arg(long)]
    pub(in crate::cli) tables: bool,
    /// Leave out the games that `stamma dedupe` has marked as duplicates
    #[arg(long)]
    pub(in crate::cli) unique: bool,
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
    /// Build the position index and the column store again from the games, even if nothing has changed; this
    /// replaces damaged blocks
    #[arg(long)]
    pub(in crate::cli) rebuild: bool,
    /// Print errors only
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
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
pub(in crate::cli) struct Evaluations {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Files of evaluations, compressed or not: JSON Lines as Lichess publishes them, or EPD; - for standard input
    /// (default: list the evaluations of the database)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Also store positions that no game of the database reaches
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// The number of moves to store of each line
    #[arg(long, value_name = "N", default_value = "0")]
    pub(in crate::cli) line_moves: u8,
    /// The memory limit, like 256M or 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = memory)]
    pub(in crate::cli) memory: Memory,
    /// The format of the list
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub(in crate::cli) format: ListFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
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

//! Arguments of `stamma head-to-head`.

use std::path::PathBuf;

use clap::Args;

use super::filters::Filters;
use super::formats::CsvCells;
use super::tournaments::CrosstableFormat;
use super::usage::UsageError;
use stamma::study::head_to_head::HeadToHeadQuery;

#[derive(Args, Debug)]
pub(in crate::cli) struct HeadToHead {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The player whose wins count as wins: words or word prefixes of the name, or the exact name behind =
    #[arg(value_name = "PLAYER")]
    name: String,
    /// The other player
    #[arg(value_name = "OPPONENT")]
    opponent: String,
    /// The maximum number of openings and of games, 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// The output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// The output format; jsonl and csv have a row per game
    #[arg(long, value_enum, default_value_t = CrosstableFormat::Table)]
    pub(in crate::cli) format: CrosstableFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    #[command(flatten)]
    filters: Filters,
}

impl HeadToHead {
    /// The query.
    ///
    /// # Errors
    /// When options contradict each other, or no player can match a name.
    pub(in crate::cli) fn query(&self) -> Result<HeadToHeadQuery, UsageError> {
        self.csv_cells.check(self.format == CrosstableFormat::Csv)?;

        let names: [&str; 2] = [&self.name, &self.opponent];
        let filter = self.filters.resolve_beside_names(&names)?;
        let limit = if self.limit == 0 {
            usize::MAX
        } else {
            self.limit
        };
        Ok(HeadToHeadQuery {
            filter,
            player: self.filters.name(&self.name),
            opponent: self.filters.name(&self.opponent),
            limit,
        })
    }
}

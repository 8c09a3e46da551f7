//! Arguments of `stamma novelties`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::filters::Filters;
use super::formats::{AnswerFormat, CsvCells};
use super::usage::UsageError;
use super::values::databases;
use stamma::error::Error;
use stamma::game::Ply;
use stamma::study::novelty::NoveltyQuery;

#[derive(Args, Debug)]
pub(in crate::cli) struct Novelties {
    /// The database, or several, whose games are compared with each other
    #[arg(required = true, num_args = 1.., value_name = "DATABASES")]
    databases: Vec<PathBuf>,
    /// Only novelties after more than N half-moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    after_ply: u32,
    /// Only novelties in positions that at least N earlier games had
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// The order: date (the latest game first), games (the position with the most earlier games first) or ply (the
    /// latest move first)
    #[arg(long, value_name = "KEY", value_enum, default_value_t = NoveltyOrder::Date)]
    #[arg(hide_possible_values = true)]
    pub(in crate::cli) sort: NoveltyOrder,
    /// The maximum number of novelties, 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// The output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(in crate::cli) format: AnswerFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    #[command(flatten)]
    filters: Filters,
}

/// The order of novelties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum NoveltyOrder {
    /// The latest game first
    Date,
    /// In positions of the most games first
    Games,
    /// The latest move first
    Ply,
}

impl Novelties {
    /// The databases.
    ///
    /// # Errors
    /// When a pattern matches no file.
    pub(in crate::cli) fn databases(&self) -> Result<Vec<PathBuf>, Error> {
        databases(self.databases.iter().map(PathBuf::as_path))
    }

    /// The maximum number of novelties to list.
    pub(in crate::cli) fn limit(&self) -> usize {
        if self.limit == 0 {
            usize::MAX
        } else {
            self.limit
        }
    }

    /// The query.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn query(&self) -> Result<NoveltyQuery, UsageError> {
        self.csv_cells.check(self.format == AnswerFormat::Csv)?;
        Ok(NoveltyQuery {
            filter: self.filters.resolve()?,
            after_ply: Ply::new(self.after_ply),
            min_games: self.min_games,
            ..NoveltyQuery::default()
        })
    }
}

//! Arguments of `stamma player`.

use std::path::PathBuf;

use clap::Args;

use super::filters::Filters;
use super::formats::{AnswerFormat, CsvCells};
use super::usage::UsageError;
use stamma::query::player::PlayerQuery;

#[derive(Args, Debug)]
pub(in crate::cli) struct Player {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The player: words or word prefixes of the name (tal mik). If both players of a game match, it counts for each
    /// of them
    #[arg(required = true, num_args = 1..)]
    name: Vec<String>,
    /// Only games against this player, and a list of the latest of them
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// The maximum number of rows of each list, 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// The output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(in crate::cli) format: AnswerFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    #[command(flatten)]
    filters: Filters,
}

impl Player {
    /// The query for the record.
    ///
    /// # Errors
    /// When options contradict each other, or no player can match a name.
    pub(in crate::cli) fn query(&self) -> Result<PlayerQuery, UsageError> {
        self.csv_cells.check(self.format == AnswerFormat::Csv)?;

        let player = self.name.join(" ");
        let opponent = self.against.as_deref();
        let mut names = vec![player.as_str()];
        names.extend(opponent);

        let limit = if self.limit == 0 {
            usize::MAX
        } else {
            self.limit
        };
        Ok(PlayerQuery {
            filter: self.filters.resolve_beside_names(&names)?,
            player: self.filters.name(&player),
            opponent: opponent.map(|name| self.filters.name(name)),
            limit,
        })
    }
}

//! Arguments of `stamma player`.

use std::path::PathBuf;

use clap::Args;

use super::filters::{Filters, NO_NAME};
use super::formats::{AnswerFormat, CsvCells};
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
    pub(super) filters: Filters,
}

impl Player {
    /// Why no player can match the names.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let names = [Some(self.name.join(" ")), self.against.clone()];
        let is_nobody = names.iter().flatten().any(|name| !self.filters.is_name(name));
        is_nobody.then_some(NO_NAME).or_else(|| self.filters.contradiction_beside_names())
    }

    /// The query for the record.
    pub(in crate::cli) fn query(&self) -> PlayerQuery {
        PlayerQuery {
            player: self.filters.name(&self.name.join(" ")),
            opponent: self.against.as_deref().map(|name| self.filters.name(name)),
            filter: self.filters.filter(),
            limit: if self.limit == 0 { usize::MAX } else { self.limit },
        }
    }
}

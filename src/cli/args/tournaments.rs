//! Arguments of `stamma events` and `stamma crosstable`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::filters::{Filters, NO_NAME};
use super::formats::{AnswerFormat, CsvCells};
use super::usage::{UsageError, refuse_if};
use super::values::{databases_before, leading_databases};
use stamma::error::Error;
use stamma::query::{Filter, NameQuery};

#[derive(Args, Debug)]
pub(in crate::cli) struct Events {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The least number of games of a tournament
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(in crate::cli) min_games: usize,
    /// The least number of players of a tournament
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(in crate::cli) min_players: u64,
    /// The order: date (the latest first), games, players or elo (the most or highest first), or name
    #[arg(long, value_name = "KEY", value_enum, default_value_t = EventOrder::Date)]
    #[arg(hide_possible_values = true)]
    pub(in crate::cli) sort: EventOrder,
    /// The maximum number of tournaments, 0 for all
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

/// The order of tournaments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EventOrder {
    /// The latest first
    Date,
    /// The most games first
    Games,
    /// The most players first
    Players,
    /// The highest mean rating first
    Elo,
    /// By the name of the event
    Name,
}

impl Events {
    /// The maximum number of tournaments to list.
    pub(in crate::cli) fn limit(&self) -> usize {
        if self.limit == 0 {
            usize::MAX
        } else {
            self.limit
        }
    }

    /// The filter of the tournaments' games.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn filter(&self) -> Result<Filter, UsageError> {
        self.csv_cells.check(self.format == AnswerFormat::Csv)?;
        self.filters.resolve()
    }
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Crosstable {
    /// The database
    database: PathBuf,
    /// Further databases, which may have other games of the tournament; then the event: words or word prefixes of its
    /// name (candidates), or the exact name behind = ('=Hastings')
    #[arg(required = true, num_args = 1.., value_name = "DATABASE|EVENT")]
    words: Vec<String>,
    /// The year, or one of the two years, of the tournament
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1..=9999))]
    pub(in crate::cli) year: Option<u16>,
    /// The site, by words of its name
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Combine all matching tournaments into one, for a tournament with several sites or a long pause
    #[arg(long)]
    pub(in crate::cli) join: bool,
    /// The output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value_t = CrosstableFormat::Table)]
    pub(in crate::cli) format: CrosstableFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
}

/// The output format of a crosstable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum CrosstableFormat {
    /// For reading
    Table,
    /// One JSON object with everything, as `stamma serve` answers
    Json,
    /// A JSON object per player
    Jsonl,
    /// Comma-separated values with a header, a line per player
    Csv,
    /// A page of HTML
    Html,
}

impl CrosstableFormat {
    /// The format of the answer; `None` for a page of HTML.
    pub(in crate::cli) fn for_answer(self) -> Option<AnswerFormat> {
        match self {
            CrosstableFormat::Table => Some(AnswerFormat::Table),
            CrosstableFormat::Json => Some(AnswerFormat::Json),
            CrosstableFormat::Jsonl => Some(AnswerFormat::Jsonl),
            CrosstableFormat::Csv => Some(AnswerFormat::Csv),
            CrosstableFormat::Html => None,
        }
    }
}

impl Crosstable {
    /// The databases.
    ///
    /// # Errors
    /// When a pattern matches no file.
    pub(in crate::cli) fn databases(&self) -> Result<Vec<PathBuf>, Error> {
        databases_before(&self.database, &self.words)
    }

    /// The filter of the event's games.
    ///
    /// # Errors
    /// When options contradict each other, or no event can match.
    pub(in crate::cli) fn filter(&self) -> Result<Filter, UsageError> {
        self.csv_cells.check(self.format == CrosstableFormat::Csv)?;

        let (_, event) = leading_databases(&self.words);
        refuse_if(event.is_empty(), "give an event, by words of its name")?;

        let mut filter = Filter::default();
        filter.event.push(NameQuery::from(&*event.join(" ")));
        if let Some(site) = &self.site {
            filter.site.push(NameQuery::from(site.as_str()));
        }

        for name in filter.event.iter().chain(&filter.site) {
            let is_name = name.is_exact || name.text.contains(char::is_alphanumeric);
            refuse_if(!is_name, NO_NAME)?;
        }
        Ok(filter)
    }
}

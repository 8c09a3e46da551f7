//! Arguments of `stamma opening`.

use std::path::PathBuf;

use clap::Args;

use super::filters::Filters;
use super::formats::ReportFormat;
use super::queries::PositionArguments;
use super::usage::refuse_if;
use super::values::{databases_before, leading_databases};
use crate::cli::Failure;
use stamma::error::Error;
use stamma::query::{EcoRange, NameQuery, ReadPositionError};
use stamma::study::opening::{OpeningQuery, OpeningSubject};

#[derive(Args, Debug)]
pub(in crate::cli) struct Opening {
    /// The database
    database: PathBuf,
    /// Further databases to join with the first database; then the opening: words or word prefixes of its name
    /// ('sicilian najdorf'), or the exact name behind =; a code or a range of codes (B90-B99); a FEN, or the moves that
    /// lead to it
    #[arg(num_args = 0.., value_name = "DATABASE|NAME|ECO|FEN|MOVES")]
    words: Vec<String>,
    #[command(flatten)]
    position: PositionArguments,
    /// The number of half-moves of the main lines
    #[arg(long, value_name = "N", default_value_t = 6)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=40))]
    depth: u16,
    /// Leave moves of fewer games out of the main lines (default: a thirtieth of the games of the opening)
    #[arg(long, value_name = "N")]
    min_games: Option<u64>,
    /// The output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(in crate::cli) format: ReportFormat,
    /// The output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

impl Opening {
    /// The databases.
    ///
    /// # Errors
    /// When a pattern matches no file.
    pub(in crate::cli) fn databases(&self) -> Result<Vec<PathBuf>, Error> {
        databases_before(&self.database, &self.words)
    }

    /// The words of the opening.
    fn opening(&self) -> &[String] {
        let (_, opening) = leading_databases(&self.words);
        opening
    }

    /// The opening as typed, for the title of the report.
    pub(in crate::cli) fn opening_text(&self) -> String {
        if self.opening().is_empty() {
            "opening report".to_owned()
        } else {
            self.opening().join(" ")
        }
    }

    /// The query.
    ///
    /// # Errors
    /// When options contradict each other, or a FEN or a move cannot be read.
    pub(in crate::cli) fn query(&self) -> Result<OpeningQuery, Failure> {
        let is_named = self
            .opening()
            .iter()
            .any(|word| word.contains(char::is_alphanumeric));
        refuse_if(
            !is_named && !self.position.has_moves(),
            "give an opening: its name, its code, a FEN, or --after with moves",
        )?;

        Ok(OpeningQuery {
            filter: self.filters.resolve()?,
            subject: self.subject()?,
            depth: self.depth.into(),
            min_games: self.min_games,
        })
    }

    /// The opening: positions, a range of ECO codes, or a name.
    fn subject(&self) -> Result<OpeningSubject, Error> {
        if self.position.has_moves() {
            let positions = self.position.positions_or_start(self.opening())?;
            return Ok(OpeningSubject::Positions(positions));
        }

        let text = self.opening_text();
        if let Ok(range) = text.parse::<EcoRange>() {
            return Ok(OpeningSubject::Eco(range));
        }
        match self.position.positions(&text) {
            Ok(positions) => Ok(OpeningSubject::Positions(positions)),
            Err(ReadPositionError::Neither(_)) => {
                Ok(OpeningSubject::Named(NameQuery::from(&*text)))
            }
            Err(error) => Err(error.into()),
        }
    }
}

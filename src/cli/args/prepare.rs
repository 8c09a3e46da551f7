//! Arguments of `stamma prepare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::filters::Filters;
use super::formats::ReportFormat;
use super::usage::{UsageError, refuse_if};
use super::values::{databases_before, leading_databases};
use stamma::board::Color;
use stamma::error::Error;
use stamma::game::Ply;
use stamma::study::preparation::PreparationQuery;

#[derive(Args, Debug)]
pub(in crate::cli) struct Prepare {
    /// The database
    database: PathBuf,
    /// Further databases to join with the first database; then the opponent: words or word prefixes of the
    /// name (tal mik), or the exact name behind = ('=Tal, Mikhail'). All players that match count as one
    #[arg(required = true, num_args = 1.., value_name = "DATABASE|PLAYER")]
    words: Vec<String>,
    /// The colour to play; the opponent has the other one
    #[arg(long = "as", value_name = "COLOUR", value_enum)]
    color: Side,
    /// A repertoire for this colour, as PGN with variations or as a list of positions (FEN or EPD): only its lines are
    /// followed. Several files make one repertoire
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) repertoire: Vec<PathBuf>,
    /// The most half-moves of lines
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=60))]
    max_ply: u32,
    /// The least number of games of a move in the lines; unless given, one in fifty of all games, and at least 2
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    min_games: Option<u64>,
    /// Games are recent in these years before the opponent's last game
    #[arg(long, value_name = "YEARS", default_value_t = 2)]
    recent: u16,
    /// The number of games to look at
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// The output format
    #[arg(long, value_enum, default_value_t = PrepareFormat::Text)]
    pub(in crate::cli) format: PrepareFormat,
    /// The output file, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    /// White
    White,
    /// Black
    Black,
}

/// The output format of a preparation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PrepareFormat {
    /// For reading
    Text,
    /// Markdown
    Md,
    /// A page of HTML, with boards
    Html,
    /// The lines as a game with variations, and the games to look at
    Pgn,
    /// A JSON object
    Json,
}

impl PrepareFormat {
    /// The format of the report; `None` for PGN.
    pub(in crate::cli) fn of_report(self) -> Option<ReportFormat> {
        match self {
            PrepareFormat::Text => Some(ReportFormat::Text),
            PrepareFormat::Md => Some(ReportFormat::Md),
            PrepareFormat::Html => Some(ReportFormat::Html),
            PrepareFormat::Json => Some(ReportFormat::Json),
            PrepareFormat::Pgn => None,
        }
    }
}

impl Prepare {
    /// The databases.
    ///
    /// # Errors
    /// When a pattern matches no file.
    pub(in crate::cli) fn databases(&self) -> Result<Vec<PathBuf>, Error> {
        databases_before(&self.database, &self.words)
    }

    /// The colour to play.
    pub(in crate::cli) fn color(&self) -> Color {
        match self.color {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }

    /// The query, without the repertoire.
    ///
    /// # Errors
    /// When options contradict each other, or no player can match the name.
    pub(in crate::cli) fn query(&self) -> Result<PreparationQuery, UsageError> {
        let (_, name) = leading_databases(&self.words);
        refuse_if(name.is_empty(), "give a player, by words of the name")?;

        let opponent = name.join(" ");
        let filter = self.filters.resolve_beside_names(&[&opponent])?;
        let min_games = match self.min_games {
            Some(games) => Some(games),
            // The user has chosen the lines of a repertoire, so rare moves in them count as well.
            None if !self.repertoire.is_empty() => Some(1),
            None => None,
        };

        Ok(PreparationQuery {
            filter,
            max_ply: Ply::new(self.max_ply),
            min_games,
            recent_years: self.recent,
            games_to_study: self.limit,
            ..PreparationQuery::new(self.filters.name(&opponent), self.color())
        })
    }
}

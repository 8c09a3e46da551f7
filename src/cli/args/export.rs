//! Arguments of `stamma export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::formats::{CsvCells, Written};
use super::game_query::GameQuery;
use super::names::NameTagArguments;
use super::order::Order;
use super::split::Split;
use super::values::{GameRange, game_range, move_opcode};
use crate::cli::form::Form;
use stamma::export::{EpdPositions, MoveOpcode};

#[derive(Args, Debug)]
pub(in crate::cli) struct Export {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) split: Split,
    /// The output format
    #[arg(long, value_enum, default_value_t = ExportFormat::Pgn)]
    pub(in crate::cli) format: ExportFormat,
    #[command(flatten)]
    pub(in crate::cli) csv_cells: CsvCells,
    /// The games to write, by number: 5,7,20-30 (default: all)
    #[arg(long = "games", value_name = "LIST", value_delimiter = ',', value_parser = game_range)]
    pub(in crate::cli) numbers: Vec<GameRange>,
    /// Print errors only
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
    /// With --format epd: write every position of the mainline (default: the last one)
    #[arg(long)]
    every_position: bool,
    /// With --every-position: also write the move played, as pm (predicted move) or sm (supplied move)
    #[arg(long, value_name = "OPCODE", requires = "every_position", value_parser = move_opcode())]
    epd_move: Option<MoveOpcode>,
    /// The maximum number of games to write, 0 for all (default: all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    pub(in crate::cli) order: Order,
    #[command(flatten)]
    pub(in crate::cli) games: GameQuery,
    #[command(flatten)]
    pub(in crate::cli) written: Written,
    #[command(flatten)]
    pub(in crate::cli) form: Form,
    #[command(flatten)]
    pub(in crate::cli) name_tags: NameTagArguments,
}

impl Export {
    /// The most games to write.
    pub(in crate::cli) fn limit(&self) -> usize {
        self.limit.filter(|&limit| limit > 0).unwrap_or(usize::MAX)
    }

    /// The positions to write as EPD.
    pub(in crate::cli) fn positions(&self) -> EpdPositions {
        match self.every_position {
            true => EpdPositions::Every { played: self.epd_move },
            false => EpdPositions::Last,
        }
    }

    /// The contradiction between arguments that are valid one by one.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        match self.format {
            ExportFormat::Epd if !self.written.style().is_canonical() => {
                Some("--notation and --pieces are not for --format epd, whose moves are SAN")
            }
            ExportFormat::Pgn | ExportFormat::Jsonl | ExportFormat::Csv if self.every_position => {
                Some("--every-position needs --format epd")
            }
            ExportFormat::Jsonl | ExportFormat::Csv | ExportFormat::Epd
                if self.split.by.is_some() =>
            {
                Some("--split-by needs --format pgn")
            }
            format => (self.form.needs_pgn().filter(|_| format != ExportFormat::Pgn))
                .or_else(|| self.form.contradiction(&self.written))
                .or_else(|| self.split.contradiction(self.output.as_deref()))
                .or_else(|| self.games.contradiction())
                .or_else(|| self.name_tags.contradiction_of_export()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExportFormat {
    /// The export format of the PGN standard
    Pgn,
    /// A JSON object per line and game
    Jsonl,
    /// Comma-separated values with a header: the main tags, and the moves separated by spaces
    Csv,
    /// The last position of each game as EPD
    Epd,
}

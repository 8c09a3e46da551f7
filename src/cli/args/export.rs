//! Arguments of `stamma export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::formats::{CsvCells, Written};
use super::game_query::GameQuery;
use super::names::NameTagArguments;
use super::order::Order;
use super::position_output::{NOTATION_OF_POSITIONS, PositionOutput};
use super::split::Split;
use super::values::{GameRange, game_range};
use crate::cli::form::Form;
use stamma::export::{Evaluated, PositionFormat, PositionWriter};

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
    evaluations: EvaluationArguments,
    #[command(flatten)]
    pub(in crate::cli) name_tags: NameTagArguments,
    #[command(flatten)]
    pub(in crate::cli) positions: PositionOutput,
}

/// What is written of the evaluations in the database.
#[derive(Args, Debug)]
#[command(next_help_heading = "Evaluations")]
struct EvaluationArguments {
    /// Write the database's evaluations of positions behind the moves, as [%eval 0.35,18]; games keep their own
    #[arg(long)]
    evaluations: bool,
    /// Mark inaccuracies ?!, mistakes ? and blunders ??, and write the better line as a variation
    #[arg(long, requires = "evaluations")]
    judge: bool,
}

impl EvaluationArguments {
    /// The contradiction with other options, if any.
    fn contradiction(&self, format: ExportFormat, form: &Form) -> Option<&'static str> {
        if !self.evaluations {
            return None;
        }
        if format != ExportFormat::Pgn {
            return Some("--evaluations needs --format pgn");
        }
        if !form.writes_commands() {
            return Some(
                "--evaluations cannot be used with --comments drop or text-only: evaluations are written in comments",
            );
        }
        None
    }
}

impl Export {
    /// The evaluations to write; `None` for those that games have themselves.
    pub(in crate::cli) fn evaluated(&self) -> Option<Evaluated> {
        let EvaluationArguments { evaluations, judge } = self.evaluations;
        evaluations.then_some(Evaluated { judge })
    }

    /// The most games to write.
    pub(in crate::cli) fn limit(&self) -> usize {
        self.limit.filter(|&limit| limit > 0).unwrap_or(usize::MAX)
    }

    /// The writer of positions, if they are written in place of games.
    pub(in crate::cli) fn position_writer(&self) -> Option<PositionWriter> {
        self.format.positions().map(|format| self.positions.writer(format))
    }

    /// The contradiction between arguments that are valid one by one.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let format = self.format;
        if format.positions().is_some() && !self.written.style().is_canonical() {
            return Some(NOTATION_OF_POSITIONS);
        }
        if format != ExportFormat::Pgn && self.split.by.is_some() {
            return Some("--split-by needs --format pgn");
        }
        self.positions
            .contradiction(format.positions())
            .or_else(|| self.form.needs_pgn().filter(|_| format != ExportFormat::Pgn))
            .or_else(|| self.form.contradiction(&self.written))
            .or_else(|| self.evaluations.contradiction(format, &self.form))
            .or_else(|| self.split.contradiction(self.output.as_deref()))
            .or_else(|| self.games.contradiction())
            .or_else(|| self.name_tags.contradiction_of_export())
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
    /// Positions as FEN, one a line
    Fen,
    /// Positions as EPD, with the result, clocks and names of the game
    Epd,
    /// Positions as JSON, one a line: FEN, move played, result and evaluation
    PositionsJsonl,
}

impl ExportFormat {
    /// The format of positions; `None` for formats of games.
    pub(in crate::cli) fn positions(self) -> Option<PositionFormat> {
        match self {
            ExportFormat::Pgn | ExportFormat::Jsonl | ExportFormat::Csv => None,
            ExportFormat::Fen => Some(PositionFormat::Fen),
            ExportFormat::Epd => Some(PositionFormat::Epd(None)),
            ExportFormat::PositionsJsonl => Some(PositionFormat::Json),
        }
    }

    /// `true` for JSON, which is UTF-8.
    pub(in crate::cli) fn is_json(self) -> bool {
        matches!(self, ExportFormat::Jsonl | ExportFormat::PositionsJsonl)
    }
}

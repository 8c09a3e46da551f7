//! Arguments of `stamma export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::formats::{CsvCells, GameForm};
use super::game_query::{GameQuery, GameSelection};
use super::names::NameTagArguments;
use super::order::Order;
use super::position_output::{NOTATION_OF_POSITIONS, PositionOutput};
use super::split::Split;
use super::usage::{Checked, UsageError, refuse_if};
use super::values::{GameRange, game_range};
use crate::cli::pgn_options::PgnOptions;
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
    games: GameQuery,
    #[command(flatten)]
    pub(in crate::cli) written: GameForm,
    #[command(flatten)]
    pub(in crate::cli) pgn_options: PgnOptions,
    #[command(flatten)]
    evaluations: EvaluationArguments,
    #[command(flatten)]
    pub(in crate::cli) name_tags: NameTagArguments,
    #[command(flatten)]
    pub(in crate::cli) positions: PositionOutput,
}

/// The options for evaluations from the database.
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
    /// Refuses evaluations in a format that cannot have them.
    fn check(&self, format: ExportFormat, pgn_options: &PgnOptions) -> Checked {
        if !self.evaluations {
            return Ok(());
        }
        refuse_if(
            format != ExportFormat::Pgn,
            "--evaluations needs --format pgn",
        )?;
        refuse_if(
            !pgn_options.writes_commands(),
            "--evaluations cannot be used with --comments drop or text-only: evaluations are written in comments",
        )
    }
}

impl Export {
    /// The form of evaluations from the database; `None` if they are not written.
    pub(in crate::cli) fn evaluated(&self) -> Option<Evaluated> {
        let EvaluationArguments { evaluations, judge } = self.evaluations;
        if !evaluations {
            return None;
        }

        // An evaluation in a comment of the game takes precedence over the database's.
        Some(Evaluated {
            judge,
            replace: false,
        })
    }

    /// The maximum number of games to write.
    pub(in crate::cli) fn limit(&self) -> usize {
        match self.limit {
            None | Some(0) => usize::MAX,
            Some(limit) => limit,
        }
    }

    /// The writer of positions, if they are written in place of games.
    pub(in crate::cli) fn position_writer(&self) -> Option<PositionWriter> {
        self.format
            .positions()
            .map(|format| self.positions.writer(format))
    }

    /// The selection of the games to write, without `--games`.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn selection(&self) -> Result<GameSelection, UsageError> {
        let format = self.format;
        let is_pgn = format == ExportFormat::Pgn;
        let has_positions = format.positions().is_some();

        self.csv_cells.check(format == ExportFormat::Csv)?;
        refuse_if(
            has_positions && !self.written.style().is_canonical(),
            NOTATION_OF_POSITIONS,
        )?;
        refuse_if(
            !is_pgn && self.split.by.is_some(),
            "--split-by needs --format pgn",
        )?;
        self.positions.check(format.positions())?;
        if !is_pgn {
            self.pgn_options.check_not_pgn()?;
        }

        self.pgn_options.check_strict(&self.written)?;
        self.evaluations.check(format, &self.pgn_options)?;
        self.split.check(self.output.as_deref())?;
        self.name_tags.check_export()?;

        self.games.resolve()
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
            // The writer of positions adds the move of --epd-move.
            ExportFormat::Epd => Some(PositionFormat::Epd(None)),
            ExportFormat::PositionsJsonl => Some(PositionFormat::Json),
        }
    }

    /// `true` for JSON, which is UTF-8.
    pub(in crate::cli) fn is_json(self) -> bool {
        matches!(self, ExportFormat::Jsonl | ExportFormat::PositionsJsonl)
    }
}

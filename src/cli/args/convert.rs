//! Arguments of `stamma convert`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Arg, Args, ValueEnum};

use super::engine::EngineArguments;
use super::formats::{GameForm, GamesRead};
use super::game_query::GameQuery;
use super::names::NameTagArguments;
use super::position_output::{NOTATION_OF_POSITIONS, PositionOutput};
use super::split::Split;
use super::usage::{Checked, UsageError, refuse_first, refuse_if};
use super::values::{THREADS, problem_file};
use crate::cli::pgn_options::PgnOptions;
use crate::cli::read_from::ReadFrom;
use stamma::convert::GameAnalysis;
use stamma::export::{Evaluated, PositionFormat, PositionWriter};
use stamma::input::Encoding;
use stamma::query::Query;

#[derive(Args, Debug)]
#[command(mut_arg("unique", |unique| unique.help("Leave out games that equal an earlier one: the same start and moves, and \
    below 20 half-moves also the same players, day, round and result")))]
#[command(mut_arg("condition", |condition| condition.hide(true)))]
#[command(mut_args(with_analysis_required))]
pub(in crate::cli) struct Convert {
    #[command(flatten)]
    pub(in crate::cli) read_from: ReadFrom,
    /// The output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) split: Split,
    /// The output format
    #[arg(long, value_enum, default_value_t = ConvertFormat::Pgn)]
    format: ConvertFormat,
    /// With --unique: write the games left out to this file
    #[arg(long, value_name = "FILE", value_parser = problem_file)]
    pub(in crate::cli) duplicates: Option<PathBuf>,
    /// Write the games that the filters and patterns do not match to this file
    #[arg(long, value_name = "FILE", value_parser = problem_file, conflicts_with = "limit")]
    pub(in crate::cli) others: Option<PathBuf>,
    /// The maximum number of games to write, 0 for all; nothing is read behind the last one (default: all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The number of threads that replay games (default: one per processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(THREADS))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) games_read: GamesRead,
    /// Print errors only
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
    /// End with exit code 1 after any problem, even if no text was lost, as with an odd date or a misspelt move
    #[arg(long)]
    pub(in crate::cli) strict_exit: bool,
    #[command(flatten)]
    games: GameQuery,
    #[command(flatten)]
    pub(in crate::cli) written: GameForm,
    #[command(flatten)]
    pub(in crate::cli) pgn_options: PgnOptions,
    #[command(flatten)]
    pub(in crate::cli) name_tags: NameTagArguments,
    #[command(flatten)]
    pub(in crate::cli) positions: PositionOutput,
    #[command(flatten)]
    analysis: AnalysisArguments,
}

/// The options for annotations by an engine.
#[derive(Args, Debug)]
#[command(next_help_heading = "Analysis by an engine")]
struct AnalysisArguments {
    /// Let an engine evaluate the positions of the games, and write [%eval 0.35,18] behind the moves; games keep their
    /// own evaluations
    #[arg(long, requires = "engine")]
    analyze: bool,
    /// Mark inaccuracies ?!, mistakes ? and blunders ??, and write the better line as a variation
    #[arg(long, requires = "analyze")]
    judge: bool,
    /// Also evaluate positions that have an evaluation in a comment, and replace it
    #[arg(long, requires = "analyze")]
    replace_evaluations: bool,
    /// With --judge: the number of moves of the better line
    #[arg(long, value_name = "N", default_value_t = 8, requires = "judge")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    line_moves: u8,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Makes the options for an engine require `--analyze`.
fn with_analysis_required(argument: Arg) -> Arg {
    let name = argument.get_id().as_str();
    if name == "engine" || EngineArguments::CHOICES.contains(&name) {
        argument.requires("analyze")
    } else {
        argument
    }
}

/// The output format of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ConvertFormat {
    /// Games in the export format of the PGN standard
    Pgn,
    /// Positions as FEN, one a line
    Fen,
    /// Positions as EPD, with the result, clocks and names of the game
    Epd,
    /// Positions as JSON, one a line: FEN, move played, result and evaluation
    PositionsJsonl,
}

impl ConvertFormat {
    /// The format of positions; `None` for the format of games.
    fn positions(self) -> Option<PositionFormat> {
        match self {
            ConvertFormat::Pgn => None,
            ConvertFormat::Fen => Some(PositionFormat::Fen),
            // The writer of positions adds the move of --epd-move.
            ConvertFormat::Epd => Some(PositionFormat::Epd(None)),
            ConvertFormat::PositionsJsonl => Some(PositionFormat::Json),
        }
    }
}

impl Convert {
    /// The conversion with the options of cleaning.
    pub(in crate::cli) fn cleaning(mut self) -> Convert {
        self.games.filters.unique = true;
        self.pgn_options = self.pgn_options.cleaning();
        self
    }

    /// The games to write.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn query(&self) -> Result<Query, UsageError> {
        let mut selection = self.games.resolve()?;
        refuse_if(
            selection.filter.condition.is_some(),
            "--where asks the tables of a database; import the games, and write them with `stamma export --where`",
        )?;
        // The conversion itself finds equal games. Only databases have marks of duplicates.
        selection.filter.unique = false;

        refuse_if(
            self.duplicates.is_some() && !self.is_unique(),
            "--duplicates needs --unique",
        )?;
        refuse_if(
            self.others.is_some() && selection.are_all(),
            "--others needs a filter or a pattern: otherwise all games match",
        )?;

        self.positions.check(self.format.positions())?;
        if self.format != ConvertFormat::Pgn {
            self.check_not_pgn()?;
        }
        self.split.check(self.output.as_deref())?;
        self.pgn_options.check_strict(&self.written)?;
        self.name_tags.check_conversion()?;
        self.check_analysis()?;

        let limit = match self.limit {
            None | Some(0) => usize::MAX,
            Some(limit) => limit,
        };
        Ok(selection.query().limit(limit))
    }

    /// `true` if games that equal an earlier game are left out.
    pub(in crate::cli) fn is_unique(&self) -> bool {
        self.games.filters.unique
    }

    /// The writer of positions, if they are written in place of games.
    pub(in crate::cli) fn position_writer(&self) -> Option<PositionWriter> {
        self.format
            .positions()
            .map(|format| self.positions.writer(format))
    }

    /// The analysis of games by an engine, which `stop` ends; `None` if games are not analysed.
    pub(in crate::cli) fn analysis(&self, stop: Arc<AtomicBool>) -> Option<GameAnalysis> {
        if !self.is_analyzed() {
            return None;
        }

        let analysis = &self.analysis;
        let evaluated = Evaluated {
            judge: analysis.judge,
            replace: analysis.replace_evaluations,
        };
        // Only the score and the moves of the best line are written.
        let lines = 1;
        Some(GameAnalysis {
            options: analysis.engine.options(lines, analysis.line_moves),
            evaluated,
            stop,
        })
    }

    /// `true` if games are annotated by an engine.
    pub(in crate::cli) fn is_analyzed(&self) -> bool {
        self.analysis.analyze
    }

    /// Refuses an analysis that cannot be written.
    fn check_analysis(&self) -> Checked {
        if !self.is_analyzed() {
            return Ok(());
        }
        refuse_if(
            self.format != ConvertFormat::Pgn,
            "--analyze needs --format pgn",
        )?;
        refuse_if(
            !self.pgn_options.writes_commands(),
            "--analyze cannot be used with --comments drop or text-only: evaluations are written in comments",
        )?;
        self.analysis.engine.check()
    }

    /// Refuses options that only PGN supports.
    fn check_not_pgn(&self) -> Checked {
        let is_json = self.format == ConvertFormat::PositionsJsonl;
        refuse_first([
            (self.split.by.is_some(), "--split-by needs --format pgn"),
            (self.duplicates.is_some(), "--duplicates needs --format pgn"),
            (self.others.is_some(), "--others needs --format pgn"),
            (!self.written.style().is_canonical(), NOTATION_OF_POSITIONS),
            (
                is_json && self.written.byte_style().encoding != Encoding::UTF_8,
                "--output-encoding cannot be used with --format positions-jsonl: JSON is UTF-8",
            ),
        ])?;
        self.pgn_options.check_not_pgn()
    }
}

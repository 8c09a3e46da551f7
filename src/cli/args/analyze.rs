//! Arguments of `stamma analyze`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::engine::EngineArguments;
use super::game_query::{GameQuery, GameSelection};
use super::usage::{UsageError, refuse_if};
use stamma::board::Position;
use stamma::error::Error;
use stamma::evaluations::AnalysisOptions;
use stamma::query::read_positions;

#[derive(Args, Debug)]
#[command(mut_arg("engine", |engine| engine.required(true)))]
// This command has no threads of its own, so --threads is free for the engine. Other commands have --engine-threads.
#[command(mut_arg("engine_threads", |threads| threads.long("threads").alias("engine-threads")))]
pub(in crate::cli) struct Analyze {
    /// The database
    pub(in crate::cli) database: PathBuf,
    #[command(flatten)]
    engine: EngineArguments,
    /// The number of moves to store of each line
    #[arg(long, value_name = "N", default_value = "0")]
    line_moves: u8,
    /// Search this position instead of positions of games: a FEN, or moves like 'e4 c5'
    #[arg(long, value_name = "FEN|MOVES")]
    position: Vec<String>,
    /// With --position: the number of lines to search and to print; the best one is stored
    #[arg(long, value_name = "N", default_value_t = 1, requires = "position")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=500))]
    multipv: u32,
    /// Search the positions of a repertoire instead of positions of games: PGN, or a list of FENs
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) repertoire: Vec<PathBuf>,
    #[command(flatten)]
    games: GameQuery,
}

impl Analyze {
    /// The options of searches.
    pub(in crate::cli) fn options(&self) -> AnalysisOptions {
        self.engine.options(self.multipv, self.line_moves)
    }

    /// The positions of `--position`.
    ///
    /// # Errors
    /// When a position cannot be read.
    pub(in crate::cli) fn positions(&self) -> Result<Vec<Position>, Error> {
        let mut positions = Vec::new();
        for text in &self.position {
            positions.extend(read_positions(text, None)?);
        }
        Ok(positions)
    }

    /// `true` if positions or a repertoire are given in place of games.
    pub(in crate::cli) fn has_positions(&self) -> bool {
        !self.position.is_empty() || !self.repertoire.is_empty()
    }

    /// The games whose positions are searched.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn selection(&self) -> Result<GameSelection, UsageError> {
        let selection = self.games.resolve()?;

        let chooses_among_games = self.engine.has_plies() || !selection.are_all();
        refuse_if(
            self.has_positions() && chooses_among_games,
            "--position and --repertoire take the place of games; filters, --min-ply and --max-ply choose among these",
        )?;
        self.engine.check()?;

        Ok(selection)
    }
}

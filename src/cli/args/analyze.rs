//! Arguments of `stamma analyze`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::game_query::{GameQuery, WantedGames};
use super::usage::{UsageError, refuse_if};
use stamma::board::Position;
use stamma::engine::{EngineSettings, SearchLimit};
use stamma::error::Error;
use stamma::evaluations::AnalysisOptions;
use stamma::query::read_positions;

/// The depth of searches without a limit of their own.
const DEFAULT_DEPTH: u8 = 16;

#[derive(Args, Debug)]
pub(in crate::cli) struct Analyze {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// The engine: a program that speaks UCI, by its path or its name
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::ExecutablePath)]
    engine: PathBuf,
    /// Search each position to a depth in half-moves (default: 16)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    #[arg(conflicts_with_all = ["nodes", "movetime"])]
    depth: Option<u8>,
    /// Search each position until the engine has visited N nodes
    #[arg(long, value_name = "N", conflicts_with = "movetime")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search each position for a time in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    movetime: Option<u32>,
    /// The number of engine processes that work side by side
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    processes: u16,
    /// The threads of each process
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The hash table of each process, in megabytes (default: 16)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// An option of the engine: SyzygyPath=/tables
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    options: Vec<(String, String)>,
    /// Do not reset the engine's hash table between positions: faster, but results depend on their order
    #[arg(long)]
    keep_hash: bool,
    /// The time that the engine may take to answer; a search that takes longer is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=604_800))]
    engine_timeout: u32,
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
    /// Only positions of games after at least N half-moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_ply: u32,
    /// Only positions of games after at most N half-moves
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    #[command(flatten)]
    games: GameQuery,
}

impl Analyze {
    /// How positions are searched.
    pub(in crate::cli) fn options(&self) -> AnalysisOptions {
        let option = |name: &str, value: String| (name.to_owned(), value);
        let threads = self
            .threads
            .map(|threads| option("Threads", threads.to_string()));
        let hash = self
            .hash
            .map(|megabytes| option("Hash", megabytes.to_string()));
        let named = threads.into_iter().chain(hash);
        let engine = EngineSettings {
            options: named.chain(self.options.iter().cloned()).collect(),
            lines: self.multipv,
            answer_time: Duration::from_secs(self.engine_timeout.into()),
            keeps_hash: self.keep_hash,
            ..EngineSettings::new(&self.engine)
        };
        AnalysisOptions {
            engine,
            processes: self.processes.into(),
            limit: self.limit(),
            line_moves: self.line_moves.into(),
            plies: (self.min_ply, self.max_ply.unwrap_or(u32::MAX)),
        }
    }

    fn limit(&self) -> SearchLimit {
        match (self.nodes, self.movetime) {
            (Some(nodes), _) => SearchLimit::Nodes(nodes),
            (None, Some(milliseconds)) => {
                SearchLimit::Time(Duration::from_millis(milliseconds.into()))
            }
            (None, None) => SearchLimit::Depth(self.depth.unwrap_or(DEFAULT_DEPTH).into()),
        }
    }

    /// The positions that are given one by one.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub(in crate::cli) fn positions(&self) -> Result<Vec<Position>, Error> {
        let mut positions = Vec::new();
        for text in &self.position {
            positions.extend(read_positions(text, None)?);
        }
        Ok(positions)
    }

    /// Whether positions are given in place of games.
    pub(in crate::cli) fn has_positions(&self) -> bool {
        !self.position.is_empty() || !self.repertoire.is_empty()
    }

    /// The games whose positions are searched.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn wanted(&self) -> Result<WantedGames, UsageError> {
        let wanted = self.games.resolve()?;
        let has_plies = self.min_ply > 0 || self.max_ply.is_some();
        refuse_if(
            self.has_positions() && (has_plies || !wanted.are_all()),
            "--position and --repertoire take the place of games; filters, --min-ply and --max-ply choose among these",
        )?;
        refuse_if(
            self.max_ply.is_some_and(|last| last < self.min_ply),
            "--max-ply is below --min-ply",
        )?;
        Ok(wanted)
    }
}

pub(super) fn engine_option(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if name.trim().is_empty() {
        return Err("give a name and a value, like SyzygyPath=/tables");
    }
    Ok((name.trim().to_owned(), value.to_owned()))
}

//! Arguments for a chess engine that searches positions.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::usage::{Checked, refuse_if};
use super::values::THREADS;
use stamma::engine::{EngineSettings, SearchLimit};
use stamma::evaluations::AnalysisOptions;

/// The depth of searches if no limit is given.
const DEFAULT_DEPTH: u8 = 16;
/// The time that an engine may take to answer by default.
const DEFAULT_TIMEOUT_SECONDS: u32 = 60;
/// The maximum time that an engine may take to answer: a week.
const MAX_TIMEOUT_SECONDS: i64 = 604_800;

/// The options for an engine and its searches.
#[derive(Args, Debug)]
pub(in crate::cli) struct EngineArguments {
    /// The engine: a program that speaks UCI, by its path or its name
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::ExecutablePath)]
    engine: Option<PathBuf>,
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
    #[arg(value_parser = clap::value_parser!(u16).range(THREADS))]
    processes: u16,
    /// The threads of each process
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    engine_threads: Option<u16>,
    /// The hash table of each process, in megabytes (default: 16)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// An option of the engine: SyzygyPath=/tables
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    engine_options: Vec<(String, String)>,
    /// Do not reset the engine's hash table between positions: faster, but results depend on their order
    #[arg(long)]
    keep_hash: bool,
    /// The time that the engine may take to answer; a search that takes longer is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_TIMEOUT_SECONDS)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MAX_TIMEOUT_SECONDS))]
    engine_timeout: u32,
    /// Only positions of games after at least N half-moves
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_ply: u32,
    /// Only positions of games after at most N half-moves
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
}

impl EngineArguments {
    /// The ids of these arguments, without the engine.
    pub(super) const CHOICES: [&str; 11] = [
        "depth",
        "nodes",
        "movetime",
        "processes",
        "engine_threads",
        "hash",
        "engine_options",
        "keep_hash",
        "engine_timeout",
        "min_ply",
        "max_ply",
    ];

    /// The options of an analysis. Each search has a number of lines, and keeps at most `line_moves` moves of a line.
    pub(super) fn options(&self, lines: u32, line_moves: u8) -> AnalysisOptions {
        // The last value of an option counts, so that --option overrides --threads and --hash.
        let mut options = Vec::new();
        if let Some(threads) = self.engine_threads {
            options.push(("Threads".to_owned(), threads.to_string()));
        }
        if let Some(megabytes) = self.hash {
            options.push(("Hash".to_owned(), megabytes.to_string()));
        }
        options.extend(self.engine_options.iter().cloned());

        let program = self
            .engine
            .clone()
            .expect("clap refuses a search without --engine");
        let engine = EngineSettings {
            options,
            lines,
            answer_time: Duration::from_secs(self.engine_timeout.into()),
            keeps_hash: self.keep_hash,
            ..EngineSettings::new(program)
        };

        AnalysisOptions {
            engine,
            processes: self.processes.into(),
            limit: self.limit(),
            line_moves: line_moves.into(),
            plies: (self.min_ply, self.max_ply.unwrap_or(u32::MAX)),
        }
    }

    /// The limit of each search; by default, a depth.
    fn limit(&self) -> SearchLimit {
        // clap refuses more than one limit.
        if let Some(nodes) = self.nodes {
            return SearchLimit::Nodes(nodes);
        }
        if let Some(milliseconds) = self.movetime {
            let time = Duration::from_millis(milliseconds.into());
            return SearchLimit::Time(time);
        }

        let depth = self.depth.unwrap_or(DEFAULT_DEPTH);
        SearchLimit::Depth(depth.into())
    }

    /// `true` if a range of half-moves is given.
    pub(super) fn has_plies(&self) -> bool {
        self.min_ply > 0 || self.max_ply.is_some()
    }

    /// Refuses an empty range of half-moves.
    pub(super) fn check(&self) -> Checked {
        refuse_if(
            self.max_ply.is_some_and(|last| last < self.min_ply),
            "--max-ply is below --min-ply",
        )
    }
}

/// The name and the value of an engine's option.
pub(super) fn engine_option(text: &str) -> Result<(String, String), &'static str> {
    // UCI has options without a value, which are buttons: `Clear Hash`.
    let (typed_name, value) = text.split_once('=').unwrap_or((text, ""));

    let name = typed_name.trim();
    if name.is_empty() {
        return Err("give a name and a value, like SyzygyPath=/tables");
    }
    Ok((name.to_owned(), value.to_owned()))
}

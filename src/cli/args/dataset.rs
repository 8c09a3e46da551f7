//! Arguments of `stamma dataset`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::formats::GamesRead;
use super::game_query::{GameQuery, GameSelection};
use super::spelled::SpelledOptions;
use super::usage::{UsageError, refuse_if};
use super::values::THREADS;
use crate::cli::read_from::ReadFrom;
use stamma::dataset::{BucketCount, Layout, Shard};

#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths.required(true)
    .value_name("DATABASE|PATH")
    .help("A database; or PGN files and archives, compressed or not; folders that contain them; patterns like '*.pgn'; - for standard input")))]
#[command(mut_arg("memory", |memory| memory.default_value("512M")))]
pub(in crate::cli) struct Dataset {
    #[command(flatten)]
    pub(in crate::cli) spelled: SpelledOptions,
    #[command(flatten)]
    pub(in crate::cli) read_from: ReadFrom,
    /// The folder of the data set, which is created; if there is one already, this becomes a further part of it
    #[arg(short, long, value_name = "FOLDER")]
    pub(in crate::cli) output: PathBuf,
    /// The columns of the table `games`
    #[arg(long, value_enum, default_value_t = Schema::Stamma)]
    schema: Schema,
    /// The number of half-moves of each game whose positions are written (default: all)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=i64::from(i16::MAX)))]
    pub(in crate::cli) max_ply: Option<u16>,
    /// Write the FEN of each position: its first four fields
    #[arg(long)]
    pub(in crate::cli) fen: bool,
    /// Write the table `plies`: all half-moves in the order of games, with clocks and evaluations
    #[arg(long)]
    pub(in crate::cli) with_plies: bool,
    /// With --with-plies and a database: also write what the database knows of each position: score, depth and best
    /// move
    #[arg(long, requires = "with_plies")]
    pub(in crate::cli) evaluations: bool,
    /// The number of files that positions are divided among by their keys: a power of two up to 4096
    #[arg(long, value_name = "N", default_value = "16")]
    pub(in crate::cli) buckets: BucketCount,
    /// Write bloom filters for the keys of positions
    #[arg(long)]
    pub(in crate::cli) bloom: bool,
    /// Write one of N equal parts of the input; a game belongs to the part in which it begins. N runs, on one machine
    /// or many, write all parts
    #[arg(long, value_name = "K/N")]
    pub(in crate::cli) shard: Option<Shard>,
    /// The name of the files of this part (default: the name of the first source, with eight digits that identify the
    /// sources and options)
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) part_name: Option<String>,
    /// A text from which the ids of games are made, with the first 4096 bytes of their file; for different files that
    /// begin with the same bytes
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(in crate::cli) id_salt: String,
    /// The number of threads (default: one per processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(THREADS))]
    pub(in crate::cli) threads: Option<u16>,
    /// Print errors only
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
    /// End with exit code 1 after any problem, even if no text was lost, as with an odd date or a misspelt move
    #[arg(long)]
    pub(in crate::cli) strict_exit: bool,
    #[command(flatten)]
    pub(in crate::cli) games_read: GamesRead,
    #[command(flatten)]
    games: GameQuery,
}

impl Dataset {
    /// The columns of games.
    pub(in crate::cli) fn layout(&self) -> Layout {
        match self.schema {
            Schema::Stamma => Layout::Stamma,
            Schema::Lichess => Layout::Lichess,
        }
    }

    /// The games to write.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn selection(&self) -> Result<GameSelection, UsageError> {
        let is_lichess = self.schema == Schema::Lichess;
        let has_positions = self.max_ply.is_some() || self.bloom || self.fen || self.with_plies;
        refuse_if(
            is_lichess && has_positions,
            "--max-ply, --fen, --with-plies and --bloom are for positions, and --schema lichess has none",
        )?;
        self.games.resolve()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Schema {
    /// The columns of Stamma, with positions and problems in further tables
    Stamma,
    /// The columns of the data sets that Lichess publishes, without further tables
    Lichess,
}

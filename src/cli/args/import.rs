//! Arguments of `stamma import`.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Command, FromArgMatches};

use super::filters::Filters;
use super::formats::GamesRead;
use super::usage::{UsageError, refuse_if};
use super::values::{THREADS, problem_file};
use crate::cli::read_from::ReadFrom;
use stamma::Filter;

/// The time between two polls of watched folders.
const DEFAULT_PAUSE: Duration = Duration::from_secs(5);
/// The valid pauses, in seconds: folders must not be polled without a pause.
const PAUSES: RangeInclusive<f64> = 0.1..=86_400.0;
/// The valid limits of `--index-plies`, in half-moves.
const INDEX_PLIES: RangeInclusive<i64> = 0..=u16::MAX as i64;

#[derive(Args, Debug)]
#[command(mut_arg("paths", |paths| paths.required(true)))]
#[command(mut_arg("condition", |condition| condition.hide(true)))]
#[command(mut_arg("unique", |unique| unique.help("Leave out a game that equals an earlier game of the database \
    or of the files: the same start and moves, and below 20 half-moves also the same players, day, round and result")))]
pub(in crate::cli) struct Import {
    /// The database
    pub(in crate::cli) database: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) read_from: ReadFrom,
    /// The number of threads that replay games (default: one per processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(THREADS))]
    pub(in crate::cli) threads: Option<u16>,
    /// Also index the positions of variations. The first import into a database decides; later imports do the same
    #[arg(long)]
    pub(in crate::cli) index_variations: bool,
    /// Index positions up to this number of half-moves of a game; 0: none. The first import into a database decides;
    /// later imports do the same (default: all)
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(INDEX_PLIES))]
    pub(in crate::cli) index_plies: Option<u32>,
    /// Also write every position of the new games as a FEN into the table `position_fen`
    #[arg(long)]
    pub(in crate::cli) store_fen: bool,
    /// End after this number of games, 0 for all; games imported from the same files before count (default: all)
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Continue to import files that appear or grow in the folders, until Control-C
    #[arg(long, conflicts_with_all = ["limit", "again"])]
    pub(in crate::cli) watch: bool,
    /// With --watch: the seconds between two polls; a file is imported if it is unchanged between two polls (default:
    /// 5)
    #[arg(long, value_name = "SECONDS", value_parser = pause, requires = "watch")]
    every: Option<Duration>,
    /// Replace games by newer texts, and list the changes; a game keeps its number. Texts belong to one game if they
    /// have equal addresses, or equal players, dates, events and rounds
    #[arg(long)]
    pub(in crate::cli) update: bool,
    /// Import files again that were imported before
    #[arg(long)]
    pub(in crate::cli) again: bool,
    /// The seconds to wait while another program writes to the database
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(in crate::cli) wait: Duration,
    /// Print progress as lines, even if standard error is not a terminal
    #[arg(long)]
    pub(in crate::cli) progress: bool,
    /// Print errors only
    #[arg(short, long, conflicts_with = "progress")]
    pub(in crate::cli) quiet: bool,
    /// End with exit code 1 after any problem, even if no text was lost, as with an odd date or a misspelt move
    #[arg(long)]
    pub(in crate::cli) strict_exit: bool,
    /// Print a summary as a JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Write every problem to a file, as a JSON object per line
    #[arg(long, value_name = "FILE", value_parser = problem_file)]
    pub(in crate::cli) problems: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) games_read: GamesRead,
    #[command(flatten)]
    filters: Filters,
}

impl Import {
    /// The conditions on the games to import.
    ///
    /// # Errors
    /// When options contradict each other.
    pub(in crate::cli) fn filter(&self) -> Result<Filter, UsageError> {
        let mut paths = self.read_from.paths().iter();
        let has_standard_input = paths.any(|path| path.as_os_str() == "-");
        refuse_if(
            self.watch && has_standard_input,
            "--watch needs folders or files; standard input ends by itself",
        )?;

        let filter = self.filters.resolve()?;
        refuse_if(
            filter.condition.is_some(),
            "--where asks the tables of a database; import the games, and ask it in `stamma search`",
        )?;
        // The import itself finds equal games. Only databases have marks of duplicates.
        Ok(Filter {
            unique: false,
            ..filter
        })
    }

    /// `true` if games that equal an earlier game are left out.
    pub(in crate::cli) fn is_unique(&self) -> bool {
        self.filters.unique
    }

    /// The time between two polls of watched folders.
    pub(in crate::cli) fn pause(&self) -> Duration {
        self.every.unwrap_or(DEFAULT_PAUSE)
    }

    /// The number of games after which the import ends; `None` for all games.
    pub(in crate::cli) fn limit(&self) -> Option<u64> {
        self.limit.filter(|&limit| limit > 0)
    }

    /// The arguments of `stamma import DATABASE FILES…`, with the default of each option.
    pub(in crate::cli) fn with_defaults(database: &Path, files: &[PathBuf]) -> Import {
        // After `--`, a path may begin with a dash.
        let mut words = vec![Path::new("--"), database];
        words.extend(files.iter().map(PathBuf::as_path));

        // Parsing applies the defaults of the options, which would otherwise be repeated here.
        let command = Command::new("import").no_binary_name(true);
        let matches = Import::augment_args(command).get_matches_from(words);
        Import::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// A whole number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .map(Duration::from_secs)
        .map_err(|_| "give a number of seconds".to_owned())
}

/// A number of seconds within [`PAUSES`].
fn pause(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if PAUSES.contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!(
            "give a number of seconds from {} to {}",
            PAUSES.start(),
            PAUSES.end()
        )),
    }
}

//! The arguments of the command line.

mod analyze;
mod convert;
#[cfg(feature = "dataset")]
mod dataset;
mod drawing;
mod engine;
mod examples;
mod export;
mod filters;
pub(super) mod formats;
mod game_query;
mod head_to_head;
mod help;
mod import;
mod key;
pub(super) mod movetext;
mod names;
mod novelties;
mod open;
mod opening;
mod order;
mod patterns;
mod player;
mod position_output;
mod prepare;
mod queries;
mod repertoire;
#[cfg(feature = "serve")]
mod serve;
mod shell;
#[cfg(feature = "dataset")]
mod spelled;
mod split;
mod tips;
mod tournaments;
mod upkeep;
pub(super) mod usage;
pub(super) mod values;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::printable::printable;
use super::{Failure, say};
pub(super) use analyze::Analyze;
pub(super) use convert::Convert;
#[cfg(feature = "dataset")]
pub(super) use dataset::Dataset;
pub(super) use drawing::{Board, Show};
pub(super) use export::{Export, ExportFormat};
pub(super) use formats::{AnswerFormat, CsvCells, ListFormat, ReportFormat};
pub(super) use game_query::{GameQuery, GameSelection};
pub(super) use head_to_head::HeadToHead;
pub(super) use import::Import;
pub(super) use key::{Key, KeyFormat};
pub(super) use names::{Applied, NameTagArguments, Names, NamesFormat, WhichNames};
pub(super) use novelties::{Novelties, NoveltyOrder};
#[cfg(feature = "serve")]
pub(super) use open::Open;
pub(super) use open::{database_beside, is_named_database, is_named_like_games};
pub(super) use opening::Opening;
pub(super) use player::Player;
pub(super) use prepare::{Prepare, PrepareFormat};
pub(super) use queries::{Moves, PositionArguments, Search, SearchFormat};
pub(super) use repertoire::{Repertoire, RepertoireFormat, RepertoireList, RepertoireOrder};
#[cfg(feature = "serve")]
pub(super) use serve::{Serve, ServedQuery};
pub(super) use shell::{Completions, Man};
pub(super) use tournaments::{Crosstable, CrosstableFormat, EventOrder, Events};
pub(super) use upkeep::{
    Check, Copy, Dedupe, Delete, Evaluations, Forget, Info, Merge, Openings, Optimize,
};
pub(super) use usage::UsageError;
pub(super) use values::GameRange;

/// Bulk PGN databases: import millions of games, find positions, write clean PGN.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, after_long_help = examples::ALL)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    /// With --version: also print the versions of the database and of SQLite, and the features
    #[arg(short, long)]
    verbose: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The flags `--version` and `--verbose` together, in any order.
#[derive(Debug, Parser)]
#[command(disable_version_flag = true, disable_help_flag = true)]
struct VerboseVersion {
    #[arg(short = 'V', long, required = true)]
    version: bool,
    #[arg(short, long, required = true)]
    verbose: bool,
}

/// `true` for `--version --verbose` or `-vV`. clap itself prints the short version as soon as it parses `--version`.
pub(super) fn requests_verbose_version() -> bool {
    VerboseVersion::try_parse().is_ok_and(|flags| flags.version && flags.verbose)
}

/// The program's commands and options, with their help.
pub(super) fn program() -> clap::Command {
    help::with_help(Arguments::command())
}

impl Arguments {
    /// Parses the arguments of the program. Returns the command and its name. Prints an error and exits if the
    /// arguments are invalid.
    pub(super) fn of_program() -> (String, Command) {
        match parse(words_of_program()) {
            Ok(parsed) => parsed,
            Err(error) => exit_with(&tips::with_better_tip(error, program())),
        }
    }
}

/// Parses the words of a command line. Returns the name of the command, and the command.
fn parse(words: Vec<OsString>) -> Result<(String, Command), clap::Error> {
    let matches = program().try_get_matches_from(words)?;
    let name = matches.subcommand_name().unwrap_or_default().to_owned();
    let arguments = Arguments::from_arg_matches(&matches)?;

    Ok((name, arguments.command))
}

/// Prints a usage error with the usage of the command, and exits.
pub(super) fn exit_with_usage(command: &str, why: &UsageError) -> ! {
    let mut program = program();
    // Building the command creates names like `stamma search`, with which usage lines begin.
    program.build();

    let kind = ErrorKind::ArgumentConflict;
    let error = match program.find_subcommand_mut(command) {
        Some(command) => command.error(kind, why),
        None => program.error(kind, why),
    };
    exit_with(&error)
}

/// The words of the command line; `stamma FILE` is expanded to `stamma open FILE`.
fn words_of_program() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();

    // A program that is built without the server has no command `open`.
    let is_file = words.get(1).is_some_and(|word| names_file(word));
    if cfg!(feature = "serve") && is_file {
        words.insert(1, "open".into());
    }

    words
}

/// `true` for a word that is not a command, and is the path of a file or looks like a path.
fn names_file(word: &OsStr) -> bool {
    // The name of a command is a command, even if there is a file with this name.
    let text = word.to_string_lossy();
    if text.starts_with('-') || is_command(&text) {
        return false;
    }

    let looks_like_path = text.contains(['.', '/', std::path::MAIN_SEPARATOR]);
    looks_like_path || Path::new(word).exists()
}

/// `true` for the name of a command.
fn is_command(word: &str) -> bool {
    program()
        .get_subcommands()
        .any(|command| command.get_name() == word)
}

/// Prints an argument error or the help, and exits. The text is sanitized, as arguments may contain any file names.
fn exit_with(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let is_printable = text
        .lines()
        .all(|line| matches!(printable(line), Cow::Borrowed(_)));
    // clap prints a text in colours, but does not replace control characters.
    if is_printable {
        error.exit();
    }

    for line in text.lines() {
        say!("{line}");
    }
    std::process::exit(error.exit_code());
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import PGN files into a database, which is created if missing
    #[command(after_long_help = examples::IMPORT)]
    Import(Import),
    /// Find games by position, pattern, player and other attributes
    #[command(after_long_help = examples::SEARCH)]
    Search(Search),
    /// Count the moves played in a position, with their results
    #[command(after_long_help = examples::MOVES)]
    Moves(Moves),
    /// Print a player's record by colour, opening, opponent and year
    #[command(after_long_help = examples::PLAYER)]
    Player(Player),
    /// Print the score of two players against each other
    #[command(after_long_help = examples::HEAD_TO_HEAD)]
    HeadToHead(HeadToHead),
    /// Prepare against an opponent: lines, scores, changes, model games
    #[command(after_long_help = examples::PREPARE)]
    Prepare(Prepare),
    /// Find where games first reach a position that no earlier game had
    #[command(after_long_help = examples::NOVELTIES)]
    Novelties(Novelties),
    /// Report on an opening: popularity, results, main lines, players
    #[command(after_long_help = examples::OPENING)]
    Opening(Opening),
    /// Find games in the lines of a repertoire, and where they leave it
    #[command(after_long_help = examples::REPERTOIRE)]
    Repertoire(Repertoire),
    /// List tournaments with their dates, players and ratings
    #[command(after_long_help = examples::EVENTS)]
    Events(Events),
    /// Print the crosstable of a tournament
    #[command(after_long_help = examples::CROSSTABLE)]
    Crosstable(Crosstable),
    /// Show a game for reading, with the board
    #[command(after_long_help = examples::SHOW)]
    Show(Show),
    /// Draw a position, on the terminal or as a picture
    #[command(after_long_help = examples::BOARD)]
    Board(Board),
    /// Print the keys of positions, by which SQL finds them in data sets
    #[command(after_long_help = examples::KEY)]
    Key(Key),
    /// Write games as PGN or JSON Lines, or their positions as EPD
    #[command(after_long_help = examples::EXPORT)]
    Export(Export),
    /// Convert PGN files to clean PGN, without a database
    #[command(after_long_help = examples::CONVERT)]
    Convert(Convert),
    /// Convert PGN files, with faults mended and equal games left out
    ///
    /// This is `stamma convert --fix --unique --fill eco,opening`, with a report in numbers.
    #[command(after_long_help = examples::CLEAN)]
    Clean(Convert),
    /// Write Parquet files for DuckDB, Spark, ClickHouse and notebooks
    ///
    /// They hold games and, for each, its positions.
    #[cfg(feature = "dataset")]
    #[command(after_long_help = examples::DATASET)]
    Dataset(Dataset),
    /// Open PGN files or databases in the browser
    ///
    /// Files are imported into a database beside them, and the page is served from there.
    #[cfg(feature = "serve")]
    #[command(after_long_help = examples::OPEN)]
    Open(Open),
    /// Serve a page to explore databases, and an API for programs
    #[cfg(feature = "serve")]
    #[command(after_long_help = examples::SERVE)]
    Serve(Serve),
    /// Run SQL with functions for positions and games
    #[command(after_long_help = examples::SQL)]
    Sql(Sql),
    /// Write an opening book for chess programs, in Polyglot's format
    #[command(after_long_help = examples::BOOK)]
    Book(Book),
    /// Add evaluations of positions, as from Lichess, or list them
    #[command(after_long_help = examples::EVALUATIONS)]
    Evaluations(Evaluations),
    /// Evaluate the positions of games by a chess engine, each once
    #[command(after_long_help = examples::ANALYZE)]
    Analyze(Analyze),
    /// Write each position as a FEN into the table `position_fen`
    #[command(after_long_help = examples::MATERIALIZE)]
    Materialize(Materialize),
    /// Delete games
    #[command(after_long_help = examples::DELETE)]
    Delete(Delete),
    /// Find games that are in a database twice, and mark the copies
    #[command(after_long_help = examples::DEDUPE)]
    Dedupe(Dedupe),
    /// Join the spellings of one player, event or site to one name
    #[command(after_long_help = examples::NAMES)]
    Names(Names),
    /// Describe a database: sources, games, problems, and its size
    #[command(after_long_help = examples::INFO)]
    Info(Info),
    /// Choose the table that names openings
    #[command(after_long_help = examples::OPENINGS)]
    Openings(Openings),
    /// Compact the position index and the file after many changes
    #[command(after_long_help = examples::OPTIMIZE)]
    Optimize(Optimize),
    /// Remove everything that was imported from a file
    #[command(after_long_help = examples::FORGET)]
    Forget(Forget),
    /// Append the games of other databases to a database
    #[command(after_long_help = examples::MERGE)]
    Merge(Merge),
    /// Check the file, its rows and the position index for faults
    #[command(after_long_help = examples::CHECK)]
    Check(Check),
    /// Write shell completions for commands, options and values
    #[command(after_long_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Write manual pages
    #[command(after_long_help = examples::MAN)]
    Man(Man),
}

#[derive(Args, Debug)]
pub(super) struct Sql {
    /// The database
    database: PathBuf,
    /// Further databases, which are attached as db2, db3 and so on; then statements, separated by semicolons, or - for
    /// standard input
    #[arg(required = true, num_args = 1.., value_name = "DATABASE|SQL")]
    words: Vec<String>,
    /// The format of rows
    #[arg(long, value_enum, default_value_t = ListFormat::Table)]
    pub(super) format: ListFormat,
    #[command(flatten)]
    pub(super) csv_cells: CsvCells,
    /// Allow statements to change the database
    #[arg(long)]
    pub(super) write: bool,
    /// Print results and errors only
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl Sql {
    /// The databases, and the statements that follow the databases.
    ///
    /// # Errors
    /// When options contradict each other, or a pattern matches no file.
    pub(super) fn resolve(&self) -> Result<(Vec<PathBuf>, &str), Failure> {
        let (mut further, mut statements) = values::leading_databases(&self.words);

        // In `sql 'select 1' games.db`, the words are in the wrong order. The statement is treated as the path of a
        // database: opening it fails, and the error message has the right order.
        let is_statement = self.database.to_string_lossy().contains(' ') && !self.database.exists();
        if statements.is_empty() && is_statement {
            (further, statements) = further.split_at(further.len().saturating_sub(1));
        }

        self.csv_cells.check(self.format == ListFormat::Csv)?;
        let text = match statements {
            [text] => text,
            [] => {
                let advice = "give statements behind the databases, as one argument";
                return Err(UsageError::Contradiction(advice).into());
            }
            // The words of an unquoted statement are not joined, since the shell replaces `*` by the names of files.
            _ => {
                let advice = "give all statements as one argument, in quotes";
                return Err(UsageError::Contradiction(advice).into());
            }
        };

        usage::refuse_if(
            self.write && !further.is_empty(),
            "--write takes one database; ATTACH in SQL reaches others",
        )?;

        let first = self.database.as_path();
        let databases = std::iter::once(first).chain(further.iter().map(Path::new));
        Ok((values::databases(databases)?, text))
    }
}

#[derive(Args, Debug)]
pub(super) struct Book {
    /// The database
    pub(super) database: PathBuf,
    /// The output file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// The least number of games in which a move must have been played
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) min_games: u32,
    /// The number of half-moves of each game to include
    #[arg(long, value_name = "N", default_value_t = 40)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_ply: u32,
    /// With --player, --white or --black: include the moves of the opponents (default: the moves of these players only)
    #[arg(long)]
    pub(super) both_sides: bool,
    #[command(flatten)]
    pub(super) games: GameQuery,
}

#[derive(Args, Debug)]
pub(super) struct Materialize {
    /// The database
    pub(super) database: PathBuf,
    #[command(flatten)]
    pub(super) games: GameQuery,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        program().debug_assert();
    }

    #[test]
    fn a_file_needs_no_command() {
        for (word, expected) in [
            ("games.pgn", true),
            ("./games", true),
            ("import", false),
            ("no-such-file", false),
            ("--version", false),
            ("-.pgn", false),
        ] {
            assert_eq!(names_file(OsStr::new(word)), expected, "{word}");
        }
    }

    #[test]
    fn every_command_that_writes_csv_escapes_formulas() {
        for command in program().get_subcommands() {
            let mut has_csv = false;
            let mut escapes_formulas = false;
            for option in command.get_arguments() {
                match option.get_id().as_str() {
                    "format" => {
                        let formats = option.get_possible_values();
                        has_csv = formats.iter().any(|format| format.matches("csv", false));
                    }
                    "escape_formulas" => escapes_formulas = true,
                    _ => {}
                }
            }

            assert_eq!(escapes_formulas, has_csv, "{}", command.get_name());
        }
    }
}

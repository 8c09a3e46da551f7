//! The arguments of the command line.

mod analyze;
mod convert;
#[cfg(feature = "dataset")]
mod dataset;
mod drawing;
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
pub(super) mod values;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::printable::printable;
use super::say;
pub(super) use analyze::Analyze;
pub(super) use convert::Convert;
#[cfg(feature = "dataset")]
pub(super) use dataset::Dataset;
pub(super) use drawing::{Board, Show};
pub(super) use export::{Export, ExportFormat};
pub(super) use filters::Filters;
pub(super) use formats::{AnswerFormat, CsvCells, ListFormat, ReportFormat};
pub(super) use game_query::GameQuery;
pub(super) use head_to_head::HeadToHead;
pub(super) use import::Import;
pub(super) use key::{Key, KeyFormat};
pub(super) use names::{Applied, NameTagArguments, Names, NamesFormat, WhichNames};
pub(super) use novelties::{Novelties, NoveltyOrder};
#[cfg(feature = "serve")]
pub(super) use open::Open;
pub(super) use open::{database_beside, is_named_like_games};
pub(super) use opening::Opening;
pub(super) use patterns::Patterns;
pub(super) use player::Player;
pub(super) use prepare::{Prepare, PrepareFormat};
pub(super) use queries::{Moves, PositionArguments, Search, SearchFormat};
pub(super) use repertoire::{Repertoire, RepertoireFormat, RepertoireList, RepertoireOrder};
#[cfg(feature = "serve")]
pub(super) use serve::{Serve, ServedQuery};
pub(super) use shell::{Completions, Man};
use stamma::error::Result;
use stamma::query::ParseOpeningLineError;
pub(super) use tournaments::{Crosstable, CrosstableFormat, EventOrder, Events};
pub(super) use upkeep::{
    Check, Copy, Dedupe, Delete, Evaluations, Forget, Info, Merge, Openings, Optimize,
};
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

/// Arguments that request the version with details, in any order.
#[derive(Debug, Parser)]
#[command(disable_version_flag = true, disable_help_flag = true)]
struct VerboseVersion {
    #[arg(short = 'V', long, required = true)]
    version: bool,
    #[arg(short, long, required = true)]
    verbose: bool,
}

/// `true` for `--version --verbose` or `-vV`, which clap cannot handle: it prints the version as soon as it meets the
/// option.
pub(super) fn asks_for_verbose_version() -> bool {
    VerboseVersion::try_parse().is_ok_and(|flags| flags.version && flags.verbose)
}

/// The program's commands and options, with their help.
pub(super) fn program() -> clap::Command {
    help::with_help(Arguments::command())
}

impl Arguments {
    /// Parses the arguments of the program; prints an error and exits if they are invalid.
    pub(super) fn of_program() -> Arguments {
        let parsed = program().try_get_matches_from(words_of_program());
        let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
        let mut arguments =
            parsed.unwrap_or_else(|error| refuse(&tips::with_better_tip(error, program())));
        match &mut arguments.command {
            Command::Clean(clean) => clean.clean(),
            Command::Search(search) => search.find_databases(),
            Command::Moves(moves) => moves.find_databases(),
            Command::Sql(sql) => sql.find_databases(),
            _ => {}
        }
        let unread =
            arguments.read_lines().map(|(command, why)| (command, format!("--line: {why}")));
        let contradiction = || arguments.contradiction().map(|(at, why)| (at, why.to_owned()));
        if let Some((command, why)) = unread.or_else(contradiction) {
            let mut program = program();
            // Building the command creates names like `stamma search`, with which usage lines begin.
            program.build();
            let kind = ErrorKind::ArgumentConflict;
            match program.find_subcommand_mut(command) {
                Some(command) => refuse(&command.error(kind, why)),
                None => refuse(&program.error(kind, why)),
            }
        }
        if let Some(remark) = arguments.filters().and_then(|(_, filters)| filters.remark()) {
            say!("stamma: {remark}");
        }
        arguments
    }

    /// Parses moves that depend on other arguments; on failure, returns the error and the command.
    fn read_lines(&mut self) -> Option<(&'static str, ParseOpeningLineError)> {
        let readings = match &self.command {
            Command::Search(search) => search.position.readings(),
            Command::Moves(moves) => moves.position.readings(),
            _ => None,
        };
        let (command, filters) = self.filters()?;
        filters.read_line(readings.as_ref()).err().map(|why| (command, why))
    }

    /// The filters of a command that has some, with its name.
    fn filters(&mut self) -> Option<(&'static str, &mut Filters)> {
        let (command, games) = match &mut self.command {
            Command::Search(search) => ("search", &mut search.games),
            Command::Moves(moves) => ("moves", &mut moves.games),
            Command::Export(export) => ("export", &mut export.games),
            Command::Convert(convert) => ("convert", &mut convert.games),
            Command::Clean(clean) => ("clean", &mut clean.games),
            #[cfg(feature = "dataset")]
            Command::Dataset(dataset) => ("dataset", &mut dataset.games),
            Command::Book(book) => ("book", &mut book.games),
            Command::Analyze(analyze) => ("analyze", &mut analyze.games),
            Command::Materialize(materialize) => ("materialize", &mut materialize.games),
            Command::Delete(delete) => ("delete", &mut delete.games),
            Command::Import(import) => return Some(("import", &mut import.filters)),
            Command::Player(player) => return Some(("player", &mut player.filters)),
            Command::HeadToHead(pair) => return Some(("head-to-head", &mut pair.filters)),
            Command::Prepare(prepare) => return Some(("prepare", &mut prepare.filters)),
            Command::Events(events) => return Some(("events", &mut events.filters)),
            Command::Novelties(novelties) => {
                return Some(("novelties", &mut novelties.filters));
            }
            Command::Opening(opening) => return Some(("opening", &mut opening.filters)),
            Command::Repertoire(repertoire) => {
                return Some(("repertoire", &mut repertoire.filters));
            }
            _ => return None,
        };
        Some((command, &mut games.filters))
    }

    /// The command and how it writes cells, if it can write comma-separated values; and whether it is to write them.
    fn csv_cells(&self) -> Option<(&'static str, CsvCells, bool)> {
        let is_csv = |format: ListFormat| format == ListFormat::Csv;
        let is_csv_answer = |format: AnswerFormat| format == AnswerFormat::Csv;

        Some(match &self.command {
            Command::Search(search) => {
                ("search", search.csv_cells, search.format == SearchFormat::Csv)
            }
            Command::Moves(moves) => ("moves", moves.csv_cells, is_csv_answer(moves.format)),
            Command::Player(player) => ("player", player.csv_cells, is_csv_answer(player.format)),
            Command::Novelties(novelties) => {
                ("novelties", novelties.csv_cells, is_csv_answer(novelties.format))
            }
            Command::Repertoire(repertoire) => {
                ("repertoire", repertoire.csv_cells, repertoire.format == RepertoireFormat::Csv)
            }
            Command::Events(events) => ("events", events.csv_cells, is_csv_answer(events.format)),
            Command::HeadToHead(pair) => {
                ("head-to-head", pair.csv_cells, pair.format == CrosstableFormat::Csv)
            }
            Command::Crosstable(crosstable) => {
                ("crosstable", crosstable.csv_cells, crosstable.format == CrosstableFormat::Csv)
            }
            Command::Export(export) => {
                ("export", export.csv_cells, export.format == ExportFormat::Csv)
            }
            Command::Sql(sql) => ("sql", sql.csv_cells, is_csv(sql.format)),
            Command::Dedupe(dedupe) => {
                ("dedupe", dedupe.csv_cells, dedupe.format.is_some_and(is_csv))
            }
            _ => return None,
        })
    }

    /// The contradiction between arguments that are valid one by one, and the command.
    fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        if let Some((command, cells, is_csv)) = self.csv_cells()
            && let Some(why) = cells.contradiction(is_csv)
        {
            return Some((command, why));
        }

        let (command, why) = match &self.command {
            Command::Import(import) => ("import", import.contradiction()),
            Command::Search(search) => ("search", search.contradiction()),
            Command::Export(export) => ("export", export.contradiction()),
            Command::Moves(moves) => ("moves", moves.contradiction()),
            Command::Player(player) => ("player", player.contradiction()),
            Command::HeadToHead(pair) => ("head-to-head", pair.contradiction()),
            Command::Prepare(prepare) => ("prepare", prepare.contradiction()),
            Command::Novelties(novelties) => ("novelties", novelties.filters.contradiction()),
            Command::Opening(opening) => ("opening", opening.contradiction()),
            Command::Repertoire(repertoire) => ("repertoire", repertoire.contradiction()),
            Command::Events(events) => ("events", events.filters.contradiction()),
            Command::Crosstable(crosstable) => ("crosstable", crosstable.contradiction()),
            Command::Book(book) => ("book", book.games.contradiction()),
            Command::Analyze(analyze) => ("analyze", analyze.contradiction()),
            Command::Materialize(materialize) => ("materialize", materialize.games.contradiction()),
            Command::Delete(delete) => ("delete", delete.contradiction()),
            Command::Names(names) => ("names", names.contradiction()),
            Command::Board(board) => ("board", board.contradiction()),
            Command::Key(key) => ("key", key.contradiction()),
            Command::Convert(convert) => ("convert", convert.contradiction()),
            Command::Clean(clean) => ("clean", clean.contradiction()),
            #[cfg(feature = "dataset")]
            Command::Dataset(dataset) => ("dataset", dataset.contradiction()),
            Command::Sql(sql) => ("sql", sql.contradiction()),
            _ => return None,
        };
        Some((command, why?))
    }
}

/// The words of the command line. `stamma FILE` stands for `stamma open FILE`.
fn words_of_program() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let is_file = words.get(1).is_some_and(|word| names_file(word));
    if cfg!(feature = "serve") && is_file {
        words.insert(1, "open".into());
    }
    words
}

/// `true` for a word that is the path of a file or looks like one, and is no command.
fn names_file(word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    let is_command = program().get_subcommands().any(|command| command.get_name() == text);
    let looks_like_path = text.contains(['.', '/', std::path::MAIN_SEPARATOR]);
    !text.starts_with('-') && !is_command && (looks_like_path || Path::new(word).exists())
}

/// Exits with an argument error, or with the help. Arguments may contain file names that a shell has substituted for
/// patterns.
fn refuse(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    if text.lines().all(|line| matches!(printable(line), Cow::Borrowed(_))) {
        error.exit();
    }
    text.lines().for_each(|line| say!("{line}"));
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
    #[arg(skip)]
    more_databases: Vec<PathBuf>,
    /// Further databases, which are attached as db2, db3 and so on; then statements, separated by semicolons, or - for
    /// standard input
    #[arg(required = true, num_args = 1.., value_name = "DATABASE|SQL")]
    sql: Vec<String>,
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
    /// Tells databases from the statements that follow them.
    fn find_databases(&mut self) {
        let mut databases = values::leading_databases(&mut self.sql);

        // In `sql 'select 1' games.db`, the database that is missing has the words of a statement: opening it fails, and the
        // right order is told.
        let is_statement = self.database.to_string_lossy().contains(' ') && !self.database.exists();
        if self.sql.is_empty() && is_statement {
            let last = databases.pop();
            self.sql.extend(last.map(|path| path.to_string_lossy().into_owned()));
        }
        self.more_databases = databases;
    }

    /// The databases.
    ///
    /// # Errors
    /// When a pattern matches no file.
    pub(super) fn databases(&self) -> Result<Vec<PathBuf>> {
        values::databases(std::iter::once(&self.database).chain(&self.more_databases))
    }

    /// The statements.
    pub(super) fn sql(&self) -> &str {
        self.sql.first().map_or("", String::as_str)
    }

    /// The contradiction between arguments that are valid one by one.
    fn contradiction(&self) -> Option<&'static str> {
        match self.sql.len() {
            0 => Some("give statements behind the databases, as one argument"),
            1 if self.write && !self.more_databases.is_empty() => {
                Some("--write takes one database; ATTACH in SQL reaches others")
            }
            1 => None,
            _ => Some("give all statements as one argument, in quotes"),
        }
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
    fn every_command_that_writes_csv_escapes_formulas() {
        for command in program().get_subcommands() {
            let option = |id: &str| command.get_arguments().find(|option| option.get_id() == id);
            let formats = option("format").map(|format| format.get_possible_values());
            let has_csv =
                formats.unwrap_or_default().iter().any(|format| format.matches("csv", false));
            assert_eq!(option("escape_formulas").is_some(), has_csv, "{}", command.get_name());
        }
    }
}

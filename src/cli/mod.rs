//! The command line: arguments in, messages and exit codes out. The only room that prints.

mod activity;
mod advice;
mod analyze;
mod args;
mod board;
mod book;
mod changes;
mod check;
mod closed;
mod convert;
mod crosstable;
mod csv_writer;
#[cfg(feature = "dataset")]
mod dataset;
mod dedupe;
mod delete;
mod diagrams;
mod evaluation_line;
mod evaluations;
mod events;
mod export;
mod failure;
mod fen_list;
mod forget;
mod head_to_head;
mod import;
mod info;
mod intended_command;
mod key;
mod materialize;
mod merge;
mod moves;
mod name_tags;
mod names;
mod novelties;
#[cfg(feature = "serve")]
mod open;
mod opening;
mod openings;
mod optimize;
mod output;
mod pgn_options;
mod player;
mod prepare;
mod printable;
mod progress;
mod quoting;
mod read_from;
mod records;
mod remarks;
mod repertoire;
mod report;
mod run;
mod same_file;
mod search;
mod searches;
mod selection;
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod show;
mod split_names;
mod split_output;
mod sql;
mod stop;
mod suggestions;
mod table;
mod terminal;
mod terminal_text;
mod version;

use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use failure::Failure;
pub(crate) use run::run;
use stamma::error::{Error, Result};
use stamma::export::{DistinctPositions, Replaced, Unwritable};
use stamma::input::Encoding;
use stamma::query::Databases;
use stamma::report::{counted, grouped};
use stamma::storage::Database;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Success.
    Done,
    /// The command ran, but found problems in the data.
    DataProblems,
    /// The command failed.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        let code = match outcome {
            Outcome::Done => 0,
            Outcome::DataProblems => 1,
            Outcome::Failed => 2,
        };
        ExitCode::from(code)
    }
}

/// Prints a line on standard error. Errors of writing are ignored.
macro_rules! say {
    ($($format:tt)*) => {{
        use std::io::Write as _;
        // The line of `activity` would remain in front of the message.
        crate::cli::activity::end();
        let line = format!($($format)*);
        let _ = writeln!(std::io::stderr(), "{}", crate::cli::printable::printable(&line));
    }};
}
use say;

/// Reports the number of characters that an encoding lacks, and the first of them with its game.
fn report_replaced(replaced: &Replaced, encoding: Encoding) {
    let Some((letter, game)) = replaced.first else {
        return;
    };
    let letters = counted(replaced.count, "character is", "characters are");
    let name = encoding.name();
    say!("stamma: {letters} not in {name}, and written as ?; the first is {letter} in game {game}");
}

/// Reports the number of games that have no positions to write.
fn say_unplayed(games: u64) {
    let games = counted(games, "game", "games");
    say!("{games} skipped: unknown variant or start, so no positions");
}

/// Reports the number of positions that were left out as repeated.
fn say_repeated(distinct: &DistinctPositions) {
    let repeated = distinct.repeated();
    if repeated > 0 {
        let positions = counted(repeated, "repeated position", "repeated positions");
        say!("{positions} left out");
    }
}

/// Warns of positions that may be repeated, since the memory for known positions was full.
fn warn_of_unchecked(distinct: &DistinctPositions) {
    let unchecked = distinct.unchecked();
    if unchecked > 0 {
        let positions = counted(unchecked, "position", "positions");
        let max_known = grouped(distinct.max_known());
        say!(
            "stamma: {positions} may be repeated: only the first {max_known} different ones are remembered"
        );
    }
}

/// Adds a path to an I/O error, for `map_err`.
fn file_error(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::File {
        path: path.to_owned(),
        source,
    }
}

/// The error for a game that cannot be written, for `map_err`.
fn damaged(database: &Database, game: i64) -> impl FnOnce(Unwritable) -> Error {
    move |why| Error::Damaged {
        path: database.path().to_owned(),
        what: format!("game {game}: {why}"),
    }
}

/// Opens a database for position queries, and warns if answers may be incomplete.
fn open_for_positions(path: &Path) -> Result<Database> {
    let database = open_for_queries(path)?;
    say_unindexed(&database)?;
    Ok(database)
}

/// Opens databases for position queries with all SQL functions, and warns if answers may be incomplete.
fn open_all_for_positions(paths: &[PathBuf]) -> Result<Databases> {
    let databases = open_all_for_queries(paths)?;
    for database in &databases {
        say_unindexed(database)?;
    }
    Ok(databases)
}

/// Opens databases for queries, with all SQL functions.
fn open_all_for_queries(paths: &[PathBuf]) -> Result<Databases> {
    let databases = Databases::open(paths)?;
    for database in &databases {
        stamma::sql::register_in(database)?;
    }
    Ok(databases)
}

/// Warns about a database that was copied without its write-ahead log, and may lack games.
fn say_copied_without_log(database: &Database) -> Result<()> {
    if database.is_copy_without_log()? {
        let path = database.path().display();
        say!(
            "{path}: copied while a command wrote to the original, without the log beside that; games may be missing, \
             so copy the original again"
        );
    }
    Ok(())
}

/// Warns about games that are not indexed, which position queries do not find.
fn say_unindexed(database: &Database) -> Result<()> {
    say_copied_without_log(database)?;

    let unindexed = database.unindexed_games()?;
    if unindexed == 0 {
        return Ok(());
    }

    let path = database.path().display();
    let games = counted(unindexed, "game is", "games are");
    let why = if database.is_being_written() {
        "while an import is at work"
    } else {
        "since an import was interrupted; go on with it, or `stamma optimize`"
    };
    say!("{path}: {games} not indexed yet, {why}");
    Ok(())
}

/// Warns if a database does not index the positions of whole games, so that a query may miss games. Returns the last
/// half-move after which the database indexes positions; `None` if it indexes all.
fn say_indexed_plies(database: &Database) -> Result<Option<u32>> {
    let plies = database.indexed_plies()?;
    let Some(last) = plies.last() else {
        return Ok(None);
    };

    let path = database.path().display();
    say!("{path}: {plies}; games that reach a position later are not found by it");
    Ok(Some(last.get()))
}

/// Warns about each database that does not index the positions of whole games. Returns the last half-move after which
/// all of the databases index positions; `None` if they index all.
fn say_all_indexed_plies(databases: &Databases) -> Result<Option<u32>> {
    let mut lasts = Vec::new();
    for database in databases {
        lasts.extend(say_indexed_plies(database)?);
    }
    Ok(lasts.into_iter().min())
}

/// Opens a database for queries, with all SQL functions.
fn open_for_queries(path: &Path) -> Result<Database> {
    let database = Database::open(path)?;
    stamma::sql::register_in(&database)?;
    Ok(database)
}

/// A database that is open for changes. On drop, it is reported if some changes are still in the write-ahead log only.
struct WritableDatabase(Database);

impl WritableDatabase {
    /// Takes a database, and reports if its application id was restored.
    fn new(database: Database) -> WritableDatabase {
        say_restored(&database);
        WritableDatabase(database)
    }
}

impl Deref for WritableDatabase {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.0
    }
}

impl DerefMut for WritableDatabase {
    fn deref_mut(&mut self) -> &mut Database {
        &mut self.0
    }
}

impl Drop for WritableDatabase {
    fn drop(&mut self) {
        if self.has_unmerged_log() {
            let path = self.path().display();
            say!(
                "stamma: {path} is still being read, so a part of it is in {path}-wal; do not copy or move {path} before \
                 the readers end and {path}-wal is gone or empty"
            );
        }
    }
}

/// Opens a database for changes.
fn open_to_write(path: &Path) -> Result<WritableDatabase> {
    let database = Database::open_to_write(path)?;
    Ok(WritableDatabase::new(database))
}

/// Opens a database for changes of selected games, with all SQL functions.
fn open_to_change_games(path: &Path) -> Result<WritableDatabase> {
    let database = open_to_write(path)?;
    stamma::sql::register_in(&database)?;
    Ok(database)
}

/// Reports that a database was recognized by its tables, and its application id and version restored.
fn say_restored(database: &Database) {
    if database.is_restored() {
        let path = database.path().display();
        say!("{path}: recognized by its tables; application id and version restored");
    }
}

/// Prints an error on standard error.
fn complain(error: &Error) {
    say!("stamma: {}", advice::sentence(error));
}

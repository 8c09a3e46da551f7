//! The command line: arguments in, messages and exit codes out. The only room that prints.

mod advice;
mod args;
mod board;
mod book;
mod check;
mod closed;
mod convert;
mod delete;
mod diagrams;
mod export;
mod fen_list;
mod forget;
mod form;
mod import;
mod info;
mod materialize;
mod meant;
mod merge;
mod moves;
mod openings;
mod optimize;
mod output;
mod player;
mod printable;
mod progress;
mod read_from;
mod records;
mod remarks;
mod run;
mod same_file;
mod search;
mod selection;
mod shell;
mod show;
mod sql;
mod stop;
mod suggestions;
mod table;
mod terminal;
mod version;

use std::io;
use std::path::Path;
use std::process::ExitCode;

pub(crate) use run::run;
use stamma::error::{Error, Result};
use stamma::export::{Replaced, Unwritable};
use stamma::input::Encoding;
use stamma::storage::Database;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All is well.
    Done,
    /// It was carried out, and something was wrong with the data.
    DataProblems,
    /// It could not be carried out.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::DataProblems => 1,
            Outcome::Failed => 2,
        })
    }
}

/// Says a line on standard error; where nobody can hear it, nothing is lost by that.
macro_rules! say {
    ($($format:tt)*) => {{
        use std::io::Write as _;
        let line = format!($($format)*);
        let _ = writeln!(std::io::stderr(), "{}", crate::cli::printable::printable(&line));
    }};
}
use say;

/// Says how many characters could not be written in an encoding, and where the first is.
fn report_replaced(replaced: &Replaced, encoding: Encoding) {
    let Some((letter, game)) = replaced.first else { return };
    let letters = terminal::counted(replaced.count, "character is", "characters are");
    let name = encoding.name();
    say!("stamma: {letters} not in {name}, and written as ?; the first is {letter} in game {game}");
}

/// Says of how many games no position can be written.
fn say_unplayed(games: u64) {
    let games = terminal::counted(games, "game", "games");
    say!(
        "{games} passed over: the variant or the start is not known here, so there are no positions"
    );
}

/// For `map_err` on what is done to a file.
fn file_error(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::File { path: path.to_owned(), source }
}

/// For `map_err` on what makes text of a stored game.
fn damaged(database: &Database, game: i64) -> impl FnOnce(Unwritable) -> Error {
    move |why| Error::Damaged {
        path: database.path().to_owned(),
        what: format!("game {game}: {why}"),
    }
}

/// Opens a database to ask for positions, and says where answers cannot be whole.
fn open_for_positions(path: &Path) -> Result<Database> {
    let database = open_to_ask(path)?;
    say_unindexed(&database)?;
    Ok(database)
}

fn say_unindexed(database: &Database) -> Result<()> {
    let games = database.unindexed_games()?;
    if games > 0 {
        let games = terminal::counted(games, "game is", "games are");
        let why = match database.is_being_written() {
            true => "while an import is at work",
            false => "since an import was interrupted; go on with it, or `stamma optimize`",
        };
        say!("{}: {games} not indexed yet, {why}", database.path().display());
    }
    Ok(())
}

/// Opens a database to ask it, also by conditions in SQL with all functions.
fn open_to_ask(path: &Path) -> Result<Database> {
    let database = Database::open(path)?;
    stamma::sql::register_in(&database)?;
    Ok(database)
}

/// Opens a database to change it.
fn open_to_write(path: &Path) -> Result<Database> {
    Database::open_to_write(path).inspect(say_upgrade)
}

/// Opens a database to change games that are asked for, also by conditions in SQL with all functions.
fn open_to_change_games(path: &Path) -> Result<Database> {
    let database = open_to_write(path)?;
    stamma::sql::register_in(&database)?;
    Ok(database)
}

/// Says that a database of an earlier version has been brought to this one.
fn say_upgrade(database: &Database) {
    if database.is_restored() {
        let path = database.path().display();
        say!("{path}: recognized by its tables; its application id and version are restored");
    }
    if let Some(version) = database.upgraded_from() {
        let path = database.path().display();
        say!("{path}: brought up to date from version {version} of its tables");
    }
}

/// Says on standard error what is wrong.
fn complain(error: &Error) {
    say!("stamma: {}", advice::sentence(error));
}

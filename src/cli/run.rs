//! Dispatch from the arguments to a command, and from its outcome to an exit code.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use super::args::{self, Arguments, Command};
#[cfg(feature = "serve")]
use super::open;
use super::output::is_sqlite;
use super::quoting::quoted;
use super::{
    Failure, Outcome, activity, analyze, board, book, check, complain, convert, crosstable, dedupe,
    delete, evaluations, events, export, forget, head_to_head, import, info, key, materialize,
    merge, moves, names, novelties, opening, openings, optimize, player, prepare, repertoire, say,
    search, shell, show, sql, stop, version,
};
use stamma::error::{Error, Result};

/// Runs the command in the program's arguments.
pub(crate) fn run() -> ExitCode {
    // This comes before any output: without it, exceeding the file-size limit ends the program without a message.
    stop::survive_size_limits();
    silence_caught_panics();

    if args::requests_verbose_version() {
        let printed = print_version().map_err(Failure::from);
        return finish(printed).into();
    }

    let (name, command) = Arguments::of_program();
    activity::begin(name.clone());
    let result = run_command(command);

    // Contradicting arguments are reported with the usage, as clap reports invalid arguments.
    if let Err(Failure::Usage(why)) = &result {
        activity::end();
        args::exit_with_usage(&name, why);
    }

    let outcome = finish(result);
    activity::end();
    outcome.into()
}

/// Runs a command. The commands are grouped by the tasks of the help.
fn run_command(command: Command) -> Result<Outcome, Failure> {
    // Some commands have no errors except the library's; `?` converts their errors into failures.
    let outcome = match command {
        // Import and clean
        Command::Import(arguments) => import::run(&arguments)?,
        Command::Convert(arguments) => convert::run(&arguments)?,
        Command::Clean(arguments) => convert::clean(&arguments.cleaning())?,
        Command::Dedupe(arguments) => dedupe::run(&arguments)?,
        Command::Names(arguments) => names::run(&arguments)?,
        Command::Merge(arguments) => merge::run(&arguments)?,
        Command::Delete(arguments) => delete::run(&arguments)?,
        Command::Forget(arguments) => forget::run(&arguments)?,
        Command::Evaluations(arguments) => evaluations::run(&arguments)?,
        Command::Analyze(arguments) => analyze::run(&arguments)?,

        // Search
        Command::Search(arguments) => search::run(&arguments)?,
        Command::Moves(arguments) => moves::run(&arguments)?,
        Command::Show(arguments) => show::run(&arguments)?,
        Command::Board(arguments) => board::run(&arguments)?,
        Command::Key(arguments) => key::run(&arguments)?,
        Command::Sql(arguments) => sql::run(&arguments)?,

        // Study
        Command::Player(arguments) => player::run(&arguments)?,
        Command::HeadToHead(arguments) => head_to_head::run(&arguments)?,
        Command::Prepare(arguments) => prepare::run(&arguments)?,
        Command::Novelties(arguments) => novelties::run(&arguments)?,
        Command::Opening(arguments) => opening::run(&arguments)?,
        Command::Repertoire(arguments) => repertoire::run(&arguments)?,
        Command::Events(arguments) => events::run(&arguments)?,
        Command::Crosstable(arguments) => crosstable::run(&arguments)?,

        // Export
        Command::Export(arguments) => export::run(&arguments)?,
        Command::Book(arguments) => book::run(&arguments)?,
        #[cfg(feature = "dataset")]
        Command::Dataset(arguments) => super::dataset::run(&arguments)?,
        Command::Materialize(arguments) => materialize::run(&arguments)?,

        // Explore in the browser
        #[cfg(feature = "serve")]
        Command::Open(arguments) => open::run(&arguments)?,
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => super::serve::run(&arguments)?,

        // Maintain
        Command::Info(arguments) => info::run(&arguments)?,
        Command::Check(arguments) => check::run(&arguments)?,
        Command::Optimize(arguments) => optimize::run(&arguments)?,
        Command::Openings(arguments) => openings::run(&arguments)?,

        // Help
        Command::Completions(arguments) => shell::complete(&arguments)?,
        Command::Man(arguments) => shell::explain(&arguments)?,
    };
    Ok(outcome)
}

/// Suppresses the messages of panics that are caught and reported as a problem of a game or an error of a damaged file.
fn silence_caught_panics() {
    let default_hook = std::panic::take_hook();

    std::panic::set_hook(Box::new(move |panic| {
        if !stamma::bug::is_caught(panic) {
            default_hook(panic);
        }
    }));
}

/// Prints the version, with the versions of dependencies and the features.
fn print_version() -> Result<Outcome> {
    let description = version::description();
    io::stdout()
        .write_all(description.as_bytes())
        .map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// Prints an error, if there is one, and returns the outcome.
fn finish(result: Result<Outcome, Failure>) -> Outcome {
    match result {
        Ok(outcome) => outcome,
        // The reader of standard output has closed the pipe, as in `stamma export | head`.
        Err(Failure::Library(Error::Output(error)))
            if error.kind() == io::ErrorKind::BrokenPipe =>
        {
            Outcome::Done
        }
        Err(Failure::Library(error)) => {
            match with_database_first(&error) {
                Some(command) => say!("stamma: the database comes first: stamma {command}"),
                None => complain(&error),
            }
            Outcome::Failed
        }
        Err(failure) => {
            say!("stamma: {failure}");
            Outcome::Failed
        }
    }
}

/// The program's arguments with the databases in front of a word that was taken for a database, as in `player carlsen
/// games.db`; `None` if the error has another cause.
fn with_database_first(error: &Error) -> Option<String> {
    let (Error::NoDatabase(missing) | Error::NoMatch(missing)) = error else {
        return None;
    };
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();

    let is_database = |word: &OsString| is_sqlite(Path::new(word));
    let place = words.iter().position(|word| Path::new(word) == missing)?;
    let words_behind = &words[place + 1..];
    let distance = words_behind.iter().position(is_database)?;
    let first_database = place + 1 + distance;
    let count = words[first_database..]
        .iter()
        .take_while(|word| is_database(word))
        .count();

    // A word after an option is the value of the option.
    let word_before = &words[first_database - 1];
    if word_before.as_encoded_bytes().starts_with(b"-") {
        return None;
    }

    // All databases move in front of the word.
    words[place..first_database + count].rotate_right(count);
    let quoted_words: Vec<String> = words
        .iter()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    Some(quoted_words.join(" "))
}

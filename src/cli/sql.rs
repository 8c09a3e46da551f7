//! `stamma sql`: runs SQL statements.

mod output;

use std::io::{self, Read, Write};
use std::path::PathBuf;

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Connection};

use super::output::buffered_output;
use super::{Failure, Outcome, activity, args, say_indexed_plies};
use output::Output;
use stamma::error::{Error, NO_PARAMETERS, Result};
use stamma::sql;
use stamma::storage::Database;

/// SQLite's messages for a statement that writes without permission.
const NOT_READONLY: [&str; 2] = ["not authorized", "attempt to write a readonly database"];

pub(super) fn run(arguments: &args::Sql) -> Result<Outcome, Failure> {
    let (databases, argument) = arguments.resolve()?;
    let database = open(&databases, arguments.write)?;
    sql::register_in(&database)?;
    let text = match argument {
        "-" => standard_input()?,
        statements => statements.to_owned(),
    };

    // A query may miss games whose positions are not all indexed, which deserves a warning.
    if reads_position_index(&text) {
        say_indexed_plies(&database)?;
    }

    let connection = database.connection();
    let mut out = buffered_output()?;
    let mut output = Output::new(arguments.format, arguments.csv_cells, &mut out);
    let result = run_all(connection, &text, &mut output);

    // The output before an error is valid.
    out.flush().map_err(Error::Output)?;
    if !arguments.write {
        result.map_err(with_hint)?;
        return Ok(Outcome::Done);
    }

    result?;
    if !connection.is_autocommit() {
        let message = "BEGIN without COMMIT: nothing has been changed";
        return Err(Error::Sql(message.to_owned()).into());
    }
    Ok(Outcome::Done)
}

/// `true` if statements call a function that reads the position index.
fn reads_position_index(statements: &str) -> bool {
    ["position(", "opening_move("]
        .iter()
        .any(|call| statements.contains(call))
}

/// Replaces SQLite's error for a statement that writes without permission by a hint at `--write`.
fn with_hint(error: Error) -> Error {
    let Error::Sql(message) = &error else {
        return error;
    };
    if !NOT_READONLY.contains(&message.as_str()) {
        return error;
    }

    let hint = "without --write, statements may only read this database and use temporary tables";
    Error::Sql(hint.to_owned())
}

/// Opens a database for reading and writing, or several databases for reading only.
fn open(databases: &[PathBuf], is_written: bool) -> Result<Database> {
    match databases {
        [database] if is_written => Database::open_to_write(database),
        databases => Database::open_all_immutable(databases),
    }
}

/// Reads standard input to its end.
fn standard_input() -> Result<String> {
    // While the command waits for a user's input, no progress is shown.
    activity::end();

    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    read.map_err(Error::Input)?;
    Ok(text)
}

/// Runs statements one by one. Each statement is prepared after the previous one has run, so it sees its effects.
fn run_all(connection: &Connection, text: &str, output: &mut Output<'_>) -> Result<()> {
    let mut statements = Batch::new(connection, text);
    while let Some(mut statement) = statements.next().map_err(Error::sql)? {
        if statement.parameter_count() > 0 {
            return Err(Error::Sql(NO_PARAMETERS.to_owned()));
        }
        output.write(&mut statement)?;
    }
    Ok(())
}

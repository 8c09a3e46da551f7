//! `stamma sql`

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

/// SQLite's error for a statement that the authorizer rejects.
const NO_READING: [&str; 2] = ["not authorized", "attempt to write a readonly database"];

pub(super) fn run(arguments: &args::Sql) -> Result<Outcome, Failure> {
    let (databases, text) = arguments.resolve()?;
    let database = open(&databases, arguments.write)?;
    sql::register_in(&database)?;
    let text = match text {
        "-" => standard_input()?,
        text => text.to_owned(),
    };
    // These functions ask the position index.
    if ["position", "opening_move"]
        .iter()
        .any(|name| text.contains(&format!("{name}(")))
    {
        say_indexed_plies(&database)?;
    }
    let mut out = buffered_output()?;
    let mut output = Output::new(arguments.format, arguments.csv_cells, &mut out);
    let outcome = run_all(database.connection(), &text, &mut output);
    let outcome = match outcome {
        Ok(()) if arguments.write && !database.connection().is_autocommit() => Err(Error::Sql(
            "BEGIN without COMMIT: nothing has been changed".to_owned(),
        )),
        other => other,
    };
    // Output before an error is valid, too.
    out.flush().map_err(Error::Output)?;
    if arguments.write {
        outcome?;
    } else {
        outcome.map_err(with_a_way_out)?;
    }
    Ok(Outcome::Done)
}

/// Adds a hint to an error of a statement that may not write.
fn with_a_way_out(error: Error) -> Error {
    match error {
        Error::Sql(said) if NO_READING.contains(&said.as_str()) => Error::Sql(
            "without --write, statements may only read this database and use temporary tables"
                .to_owned(),
        ),
        other => other,
    }
}

fn open(databases: &[PathBuf], is_written: bool) -> Result<Database> {
    match databases {
        [database] if is_written => Database::open_to_write(database),
        databases => Database::open_all_immutable(databases),
    }
}

fn standard_input() -> Result<String> {
    activity::end();
    let mut text = String::new();
    io::stdin()
        .lock()
        .read_to_string(&mut text)
        .map_err(Error::Input)?;
    Ok(text)
}

/// Runs statements one by one; each sees the effects of those before it.
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

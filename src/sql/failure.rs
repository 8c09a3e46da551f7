//! The errors of SQL functions, and the checks of their calls.

use std::fmt::Display;

use rusqlite::types::Value;
use rusqlite::{Connection, Error, ErrorCode, Result};

use crate::error::StoreError;
use crate::storage::GameId;

/// An error whose message in SQL is exactly `sentence`, without a prefix.
pub(super) fn failure(sentence: impl Display) -> Error {
    let text = sentence.to_string();

    // A C string ends at its first zero byte.
    let without_zeros = text.replace('\0', " ");
    Error::ModuleError(without_zeros)
}

/// An error of the tables as an error of SQL.
pub(super) fn store_failure(error: StoreError) -> Error {
    match error {
        StoreError::Sqlite(error) => error,
        fault => failure(fault),
    }
}

/// The game of a call whose only argument is the number of a game.
///
/// # Errors
/// The message `needs` for other arguments, and as for [`expect_database`].
pub(super) fn game_argument(
    connection: &Connection,
    arguments: &[Value],
    needs: &str,
) -> Result<GameId> {
    let [Value::Integer(game)] = arguments else {
        return Err(failure(needs));
    };

    expect_database(connection)?;
    Ok(GameId::new(*game))
}

/// Fails if a database lacks Stamma's tables, or has the tables of an unreleased version.
pub(super) fn expect_database(connection: &Connection) -> Result<()> {
    let known = "SELECT 1 FROM game, movetext, position_segment, position_block";
    expect_tables(connection, known, "not a Stamma database")?;

    // Databases of unreleased versions lack this table.
    let unreleased =
        "this database was made by an unreleased Stamma; import its sources into a new one";
    expect_tables(connection, "SELECT 1 FROM duplicate_search", unreleased)
}

/// Fails with the message `or_else` if a statement names a table that does not exist. Any other error is returned
/// unchanged.
fn expect_tables(connection: &Connection, sql: &str, or_else: &str) -> Result<()> {
    match connection.prepare_cached(sql) {
        Ok(_) => Ok(()),
        // SQLite's code for a missing table is the generic SQLITE_ERROR.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => {
            Err(failure(or_else))
        }
        Err(error) => Err(error),
    }
}

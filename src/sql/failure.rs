//! What functions of SQL refuse, and how they say it.

use std::fmt::Display;

use rusqlite::{Connection, Error, ErrorCode, Result};

/// An error that says this in SQL, and nothing else.
pub(super) fn failure(sentence: impl Display) -> Error {
    // A message of C ends at its first zero byte.
    Error::ModuleError(sentence.to_string().replace('\0', " "))
}

/// Refuses a database that has not the tables of Stamma, or not all that this version asks for.
pub(super) fn expect_database(connection: &Connection) -> Result<()> {
    let known = "SELECT 1 FROM game, movetext, position_segment, position_block";
    expect(connection, known, "this is no Stamma database; `stamma import` makes one")?;
    let earlier =
        "an earlier Stamma has written this database; `stamma optimize` brings it up to date";
    expect(connection, "SELECT 1 FROM stale_game, game_column, row_checksum", earlier)
}

fn expect(connection: &Connection, sql: &str, or_else: &str) -> Result<()> {
    match connection.prepare_cached(sql) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => {
            Err(failure(or_else))
        }
        other => other.map(drop),
    }
}

//! Errors of SQL functions.

use std::fmt::Display;

use rusqlite::{Connection, Error, ErrorCode, Result};

use crate::error::StoreError;

/// An error whose message in SQL is exactly this sentence.
pub(super) fn failure(sentence: impl Display) -> Error {
    // A C string ends at its first zero byte.
    Error::ModuleError(sentence.to_string().replace('\0', " "))
}

/// An error of tables as one of SQL.
pub(super) fn store_failure(error: StoreError) -> Error {
    match error {
        StoreError::Sqlite(error) => error,
        fault => failure(fault),
    }
}

/// Fails if a database lacks Stamma's tables, or has those of an unreleased version.
pub(super) fn expect_database(connection: &Connection) -> Result<()> {
    let known = "SELECT 1 FROM game, movetext, position_segment, position_block";
    expect(connection, known, "not a Stamma database")?;
    let unreleased =
        "this database was made by an unreleased Stamma; import its sources into a new one";
    expect(connection, "SELECT 1 FROM duplicate_search", unreleased)
}

fn expect(connection: &Connection, sql: &str, or_else: &str) -> Result<()> {
    match connection.prepare_cached(sql) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => {
            Err(failure(or_else))
        }
        other => other.map(drop),
    }
}

//! Stamma's questions as functions of SQL, for any connection.
//!
//! Functions that give a table look positions and games up in the database of the connection that
//! calls them. Scalar functions know chess alone, and work in every database.

mod board_svg;
mod board_text;
mod fen_after;
mod fen_normalize;
mod game_comment;
mod game_position;
mod opening_move;
mod position;
mod position_like;
mod san_to_uci;
mod scalar;
mod table;

use std::fmt::Display;

use rusqlite::{Connection, Error, ErrorCode, Result};

use crate::storage::Database;

/// Adds all functions to a connection, those that give a table also when its database has nothing
/// for them to find.
///
/// ```
/// let connection = rusqlite::Connection::open_in_memory()?;
/// stamma::sql::register(&connection)?;
/// let uci = connection.query_row("SELECT san_to_uci('e4 c5 Nf3')", [], |row| row.get(0));
/// assert_eq!(uci, Ok("e2e4 c7c5 g1f3".to_owned()));
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// # Errors
/// When SQLite does not take them.
pub fn register(connection: &Connection) -> Result<()> {
    table::register::<position::PositionFunction>(connection)?;
    table::register::<game_comment::GameComment>(connection)?;
    table::register::<game_position::GamePositionFunction>(connection)?;
    table::register::<opening_move::OpeningMove>(connection)?;
    table::register::<position_like::PositionLike>(connection)?;
    board_svg::register(connection)?;
    board_text::register(connection)?;
    fen_after::register(connection)?;
    fen_normalize::register(connection)?;
    san_to_uci::register(connection)
}

/// Adds all functions to the connection of an open database.
///
/// # Errors
/// As for [`register`].
pub fn register_in(database: &Database) -> crate::error::Result<()> {
    register(&database.connection).map_err(|e| database.error(e))
}

/// An error that says this in SQL, and nothing else.
fn failure(sentence: impl Display) -> Error {
    // A message of C ends at its first zero byte.
    Error::ModuleError(sentence.to_string().replace('\0', " "))
}

/// Refuses a database that has not the tables of Stamma, or not all that this version asks for.
fn expect_database(connection: &Connection) -> Result<()> {
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

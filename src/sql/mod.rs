//! The SQL functions that Stamma adds to an SQLite connection.
//!
//! Table-valued functions look up positions and games in the database of the calling connection. Scalar functions use
//! chess rules only, and work in every database.

mod board_svg;
mod board_text;
mod evaluation;
mod event_standing;
mod failure;
mod fen_after;
mod fen_normalize;
mod game_comment;
mod game_position;
mod game_quality;
mod novelty;
mod opening;
mod opening_move;
mod position;
mod position_like;
mod san_to_uci;
mod scalar;
mod table;

use rusqlite::{Connection, Result};

use crate::storage::{Database, InDatabase};

/// Adds all functions to a connection. Table-valued functions are added even if the connection's database is not
/// Stamma's.
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
/// When SQLite rejects a function.
pub fn register(connection: &Connection) -> Result<()> {
    // These functions read the database, and check at each call that it is Stamma's.
    table::register::<position::PositionFunction>(connection)?;
    table::register::<game_comment::GameComment>(connection)?;
    table::register::<game_position::GamePositionFunction>(connection)?;
    table::register::<game_quality::GameQualityFunction>(connection)?;
    table::register::<event_standing::EventStanding>(connection)?;
    table::register::<novelty::NoveltyFunction>(connection)?;
    table::register::<opening_move::OpeningMove>(connection)?;
    table::register::<position_like::PositionLike>(connection)?;

    board_svg::register(connection)?;
    board_text::register(connection)?;
    evaluation::register(connection)?;
    fen_after::register(connection)?;
    fen_normalize::register(connection)?;
    opening::register(connection)?;
    san_to_uci::register(connection)
}

/// Adds all functions to the connection of an open database.
///
/// # Errors
/// As for [`register`].
pub fn register_in(database: &Database) -> crate::error::Result<()> {
    register(&database.connection).in_database(database)
}

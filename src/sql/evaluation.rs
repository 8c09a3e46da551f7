//! `evaluation(fen)` and `position_key(fen)`: the evaluation of a position, and the key under which the view `evaluation`
//! has it.

use rusqlite::{Connection, Result};

use super::failure::{expect_database, failure};
use super::scalar::{self, Arguments};
use crate::board::Position;
use crate::game::Variant;
use crate::replay::PositionKey;
use crate::storage::evaluation_of;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register_reading(connection, "evaluation", 1..=1, evaluation)?;
    scalar::register(connection, "position_key", 1..=1, position_key)
}

/// The evaluation as in comments of games: `0.35` or `#-3`.
fn evaluation(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(position) = position(arguments, "evaluation(fen) needs a FEN")? else {
        return Ok(None);
    };

    let connection = arguments.connection()?;
    expect_database(&connection)?;
    let evaluation = evaluation_of(&connection, &position)?;
    Ok(evaluation.map(|evaluation| evaluation.score.to_string()))
}

fn position_key(arguments: &Arguments<'_>) -> Result<Option<i64>> {
    let Some(position) = position(arguments, "position_key(fen) needs a FEN")? else {
        return Ok(None);
    };

    let key = PositionKey::new(&position, Variant::Standard);
    // SQLite has no unsigned integers.
    Ok(Some(key.0.cast_signed()))
}

fn position(arguments: &Arguments<'_>, needs: &str) -> Result<Option<Position>> {
    match arguments.text(0, needs)? {
        Some(fen) => Ok(Some(Position::from_fen(fen).map_err(failure)?)),
        None => Ok(None),
    }
}

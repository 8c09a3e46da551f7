//! `evaluation(fen)` and `position_key(fen)`: the evaluation of a position, and the key of the position in the view
//! `evaluation`.

use rusqlite::{Connection, Result};

use super::failure::expect_database;
use super::scalar::{self, Arguments};
use crate::game::Variant;
use crate::replay::PositionKey;
use crate::storage::evaluation_of;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register_reading(connection, "evaluation", 1..=1, evaluation)?;
    scalar::register(connection, "position_key", 1..=1, position_key)
}

/// The evaluation as in comments of games: `0.35` or `#-3`.
fn evaluation(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(position) = arguments.position(0, "evaluation(fen) needs a FEN")? else {
        return Ok(None);
    };

    let connection = arguments.connection()?;
    expect_database(&connection)?;

    let evaluation = evaluation_of(&connection, &position)?;
    let score = evaluation.map(|evaluation| evaluation.score.to_string());
    Ok(score)
}

fn position_key(arguments: &Arguments<'_>) -> Result<Option<i64>> {
    let Some(position) = arguments.position(0, "position_key(fen) needs a FEN")? else {
        return Ok(None);
    };

    let key = PositionKey::new(&position, Variant::Standard);

    // SQLite has no unsigned integers.
    let signed_key = key.0.cast_signed();
    Ok(Some(signed_key))
}

//! `fen_normalize(fen)`: the FEN as Stamma writes it.

use rusqlite::{Connection, Result};

use super::failure::failure;
use super::scalar::{self, Arguments};
use crate::board::Position;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "fen_normalize", 1..=1, fen_normalize)
}

fn fen_normalize(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(fen) = arguments.text(0, "fen_normalize(fen) needs a FEN")? else {
        return Ok(None);
    };

    let position = Position::from_fen(fen).map_err(failure)?;
    Ok(Some(position.fen()))
}

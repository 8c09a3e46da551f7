//! `board_text(fen)`: the position as a diagram with figurines.

use rusqlite::{Connection, Result};

use super::failure::failure;
use super::scalar::{self, Arguments};
use crate::board::Position;
use crate::notation::diagram;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "board_text", 1..=1, board_text)
}

fn board_text(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(fen) = arguments.text(0, "board_text(fen) needs a FEN")? else {
        return Ok(None);
    };

    let position = Position::from_fen(fen).map_err(failure)?;
    Ok(Some(diagram(&position)))
}

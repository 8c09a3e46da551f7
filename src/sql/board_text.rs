//! `board_text(fen)`: the position as a diagram with figurines.

use rusqlite::{Connection, Result};

use super::scalar::{self, Arguments};
use crate::notation::diagram;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "board_text", 1..=1, board_text)
}

fn board_text(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(position) = arguments.position(0, "board_text(fen) needs a FEN")? else {
        return Ok(None);
    };

    let text = diagram(&position);
    Ok(Some(text))
}

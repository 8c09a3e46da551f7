//! `fen_normalize(fen)`: the FEN as Stamma writes it.

use rusqlite::{Connection, Result};

use super::scalar::{self, Arguments};

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "fen_normalize", 1..=1, fen_normalize)
}

fn fen_normalize(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(position) = arguments.position(0, "fen_normalize(fen) needs a FEN")? else {
        return Ok(None);
    };

    // A position drops the en passant square of its FEN if no pawn can capture there.
    let fen = position.fen();
    Ok(Some(fen))
}

//! `fen_after(moves, ply)`, `fen_after(moves, ply, fen)`: the position after `ply` half-moves.
//!
//! NULL for the start means the standard position, as in the column `games.fen`.

use rusqlite::{Connection, Result};

use super::failure::failure;
use super::scalar::{self, Arguments};
use crate::replay::Mainline;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "fen_after", 2..=3, fen_after)
}

fn fen_after(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let moves = arguments.text(0, "fen_after(moves, ply) needs moves in SAN")?;
    let ply = arguments.number(1, "fen_after(moves, ply) needs a number of half-moves")?;
    let start = arguments.text(2, "fen_after(moves, ply, fen) needs a FEN")?;
    let (Some(moves), Some(ply)) = (moves, ply) else {
        return Ok(None);
    };

    let mut line = Mainline::new(start, moves).map_err(failure)?;
    while i64::from(line.ply().get()) < ply {
        match line.next().map_err(failure)? {
            Some((_, mv)) => line.play(mv),
            // The line has fewer than `ply` half-moves.
            None => return Ok(None),
        }
    }

    // No position has a negative number. An invalid start FEN has been reported above nevertheless.
    if ply < 0 {
        return Ok(None);
    }
    let fen = line.position().fen();
    Ok(Some(fen))
}

//! `san_to_uci(moves)`, `san_to_uci(moves, fen)`: moves in the notation of engines.
//!
//! NULL for the start means the standard position, as in the column `games.fen`.

use rusqlite::{Connection, Result};

use super::failure::failure;
use super::scalar::{self, Arguments};
use crate::notation::Uci;
use crate::replay::Mainline;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "san_to_uci", 1..=2, san_to_uci)
}

fn san_to_uci(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let moves = arguments.text(0, "san_to_uci(moves) needs moves in SAN")?;
    let start = arguments.text(1, "san_to_uci(moves, fen) needs a FEN")?;
    let Some(moves) = moves else { return Ok(None) };

    let mut line = Mainline::new(start, moves).map_err(failure)?;

    // From a position of Chess960, castling is written as king takes rook.
    let uci = Uci::of(line.position());

    // UCI has four letters where SAN often has two or three.
    let mut text = String::with_capacity(moves.len() + moves.len() / 2);
    while let Some((_, mv)) = line.next().map_err(failure)? {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&uci.text(mv));
        line.play(mv);
    }

    Ok(Some(text))
}

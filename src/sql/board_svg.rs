//! `board_svg(fen)`: the position as a picture.

use rusqlite::{Connection, Result};

use super::scalar::{self, Arguments};
use crate::export::SvgBoard;
use crate::notation::Diagram;

/// The width and the height of the picture in pixels, unless a style sheet sets another size.
const PICTURE_PIXELS: u32 = 400;

pub(super) fn register(connection: &Connection) -> Result<()> {
    scalar::register(connection, "board_svg", 1..=1, board_svg)
}

fn board_svg(arguments: &Arguments<'_>) -> Result<Option<String>> {
    let Some(position) = arguments.position(0, "board_svg(fen) needs a FEN")? else {
        return Ok(None);
    };

    let setup = position.setup();
    let board = SvgBoard {
        diagram: Diagram::of(&setup),
        size: PICTURE_PIXELS,
        // Each value is a separate picture, so the ids of its shapes need no prefix.
        ids: "",
    };
    Ok(Some(board.to_string()))
}

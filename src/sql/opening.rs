//! `opening(fen)` and `opening_eco(fen)`: the name of a position and its ECO code.

use rusqlite::{Connection, Result};

use super::failure::failure;
use super::scalar::{self, Arguments};
use crate::board::Position;
use crate::openings::{Opening, Openings};
use crate::storage::OpeningTable;

pub(super) fn register(connection: &Connection) -> Result<()> {
    // The database of a connection need not be one of Stamma.
    let table = OpeningTable::read(connection).unwrap_or(OpeningTable::Standard);

    let names = table.clone();
    scalar::register(connection, "opening", 1..=1, move |arguments| {
        let opening = opening(&names, arguments, "opening(fen) needs a FEN")?;
        Ok(opening.map(|opening| opening.name.to_owned()))
    })?;

    scalar::register(connection, "opening_eco", 1..=1, move |arguments| {
        let opening = opening(&table, arguments, "opening_eco(fen) needs a FEN")?;
        Ok(opening.map(|opening| opening.eco.to_owned()))
    })
}

fn opening<'t>(
    table: &'t Openings,
    arguments: &Arguments<'_>,
    needs: &str,
) -> Result<Option<Opening<'t>>> {
    let Some(fen) = arguments.text(0, needs)? else {
        return Ok(None);
    };

    let position = Position::from_fen(fen).map_err(failure)?;
    let id = table.of_position(&position);
    Ok(id.map(|id| table.get(id)))
}

//! `opening(fen)` and `opening_eco(fen)`: the name of a position and its ECO code.

use rusqlite::{Connection, Result};

use super::scalar::{self, Arguments};
use crate::openings::{Opening, Openings};
use crate::storage::OpeningTable;

pub(super) fn register(connection: &Connection) -> Result<()> {
    // A database that is not Stamma's has no table of openings.
    let table_of_names = OpeningTable::read(connection).unwrap_or(OpeningTable::Standard);
    let table_of_codes = table_of_names.clone();

    scalar::register(connection, "opening", 1..=1, move |arguments| {
        let found = opening(&table_of_names, arguments, "opening(fen) needs a FEN")?;
        let name = found.map(|opening| opening.name.to_owned());
        Ok(name)
    })?;

    scalar::register(connection, "opening_eco", 1..=1, move |arguments| {
        let found = opening(&table_of_codes, arguments, "opening_eco(fen) needs a FEN")?;
        let code = found.map(|opening| opening.eco.to_owned());
        Ok(code)
    })
}

/// The opening of the position in the first argument; `None` for NULL and for a position without a name.
fn opening<'t>(
    table: &'t Openings,
    arguments: &Arguments<'_>,
    needs: &str,
) -> Result<Option<Opening<'t>>> {
    let Some(position) = arguments.position(0, needs)? else {
        return Ok(None);
    };

    let id = table.of_position(&position);
    let opening = id.map(|id| table.get(id));
    Ok(opening)
}

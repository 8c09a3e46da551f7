//! `novelty(game_id)`: where a game first reaches a position that no earlier game had.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::{game_argument, store_failure};
use super::table::{RowList, TableFunction};
use crate::storage::{GameId, san_at};
use crate::study::novelty::{Novelties, Novelty};

pub(super) struct NoveltyFunction;

impl TableFunction for NoveltyFunction {
    const NAME: &'static str = "novelty";
    const SCHEMA: &'static CStr = c"CREATE TABLE x(ply INTEGER, san TEXT, games_before INTEGER,
        last_game INTEGER, games_after INTEGER, wanted_game INTEGER HIDDEN)";
    const COLUMNS: usize = 5;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "novelty(game_id) needs the number of a game";
    const ASCENDS: bool = false;
    const FINDS_ONE: bool = false;
    const EXPECTED_ROWS: u32 = 1;
    /// All positions up to the novelty are looked up, and the dates of all games are read.
    const ROW_COST: f64 = 10_000.0;
    type Rows = RowList;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        _first: Option<&Value>,
    ) -> Result<RowList> {
        let game = game_argument(connection, arguments, Self::NEEDS)?;
        let found = Novelties::of_game(connection, game).map_err(store_failure)?;
        let rows = match found {
            Some(novelty) => vec![row(connection, game, &novelty)?],
            None => Vec::new(),
        };
        Ok(rows.into_iter())
    }
}

/// The row of a novelty, a value for each column.
fn row(connection: &Connection, game: GameId, novelty: &Novelty) -> Result<Vec<Value>> {
    // `ply` counts the novelty itself, which is played in the position one half-move earlier.
    let san = san_at(connection, game, novelty.ply.before())?;
    let games_before = Value::Integer(novelty.before.cast_signed());
    let games_after = Value::Integer(novelty.after.cast_signed());

    Ok(vec![
        novelty.ply.get().into(),
        san.into(),
        games_before,
        novelty.last.map(GameId::get).into(),
        games_after,
    ])
}

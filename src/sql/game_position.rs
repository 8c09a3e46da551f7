//! `game_position(game_id)`: every position of one game, from its start to its end.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::game_argument;
use super::table::{RowList, TableFunction};
use crate::notation::Uci;
use crate::storage::{IndexedLines, PlayedGame};

pub(super) struct GamePositionFunction;

impl TableFunction for GamePositionFunction {
    const NAME: &'static str = "game_position";
    const SCHEMA: &'static CStr =
        c"CREATE TABLE x(ply INTEGER, fen TEXT, san TEXT, uci TEXT, wanted_game INTEGER HIDDEN)";
    const COLUMNS: usize = 4;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "game_position(game_id) needs the number of a game";
    const ASCENDS: bool = true;
    const FINDS_ONE: bool = false;
    const EXPECTED_ROWS: u32 = 80;
    const ROW_COST: f64 = 2.0;
    type Rows = RowList;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        _first: Option<&Value>,
    ) -> Result<RowList> {
        let id = game_argument(connection, arguments, Self::NEEDS)?;
        // A game is short, so all rows are made at once.
        let rows = match PlayedGame::read(connection, id, IndexedLines::Mainline)? {
            Some(game) => position_rows(&game),
            None => Vec::new(),
        };
        Ok(rows.into_iter())
    }
}

/// A row for each position of the mainline, from the start position on; none if the game cannot be replayed.
fn position_rows(game: &PlayedGame) -> Vec<Vec<Value>> {
    let Some(mut line) = game.mainline() else {
        return Vec::new();
    };

    let uci = Uci::of(line.position());
    let mut rows = Vec::new();
    loop {
        let next = line.step();
        let san = next.map(|(san, _)| san.to_owned());
        let uci_text = next.map(|(_, mv)| uci.text(mv));
        let fen = line.position().fen();
        rows.push(vec![
            line.ply().get().into(),
            fen.into(),
            san.into(),
            uci_text.into(),
        ]);

        // The last position has no next move.
        match next {
            Some((_, mv)) => line.play(mv),
            None => return rows,
        }
    }
}

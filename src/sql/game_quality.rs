//! `game_quality(game_id)`: the accuracy and the bad moves of each player, from the evaluations and clock times in the
//! comments of the game.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::game_argument;
use super::table::{RowList, TableFunction};
use crate::columns::{Column, Entry, blunder_times, current_entry, judgements, of_players};

pub(super) struct GameQualityFunction;

impl TableFunction for GameQualityFunction {
    const NAME: &'static str = "game_quality";
    const SCHEMA: &'static CStr = c"CREATE TABLE x(color TEXT, accuracy REAL, centipawn_loss REAL,
        inaccuracies INTEGER, mistakes INTEGER, blunders INTEGER, blunder_seconds REAL,
        wanted_game INTEGER HIDDEN)";
    const COLUMNS: usize = 7;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "game_quality(game_id) needs the number of a game";
    const ASCENDS: bool = false;
    const FINDS_ONE: bool = false;
    const EXPECTED_ROWS: u32 = 2;
    /// The comments of the game are read.
    const ROW_COST: f64 = 20.0;
    type Rows = RowList;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        _first: Option<&Value>,
    ) -> Result<RowList> {
        let game = game_argument(connection, arguments, Self::NEEDS)?;
        let rows = match current_entry(connection, game)? {
            Some(entry) => rows(&entry),
            None => Vec::new(),
        };
        Ok(rows.into_iter())
    }
}

/// A row for White and a row for Black; none if the game has no judged move.
fn rows(entry: &Entry) -> Vec<Vec<Value>> {
    // The entry is the greatest change of the evaluation by a move, plus 1. It is 0 only without a judged move.
    if entry.get(Column::Swing) == 0 {
        return Vec::new();
    }

    let accuracies = of_players(entry.get(Column::Accuracy));
    let losses = of_players(entry.get(Column::CentipawnLoss));
    let bad_moves = judgements(entry.get(Column::Judgements));
    let times = blunder_times(entry.get(Column::BlunderTime));

    let mut rows = Vec::with_capacity(2);
    for (player, color) in ["white", "black"].into_iter().enumerate() {
        // The columns count in hundredths of per cent, tenths of centipawns and tenths of seconds.
        let accuracy = accuracies.map(|both| both[player] as f64 / 100.0);
        let centipawn_loss = losses.map(|both| both[player] as f64 / 10.0);
        let blunder_seconds = times[player].map(|tenths| tenths as f64 / 10.0);

        let counts = bad_moves[player];
        let [inaccuracies, mistakes, blunders] =
            counts.map(|count| Value::Integer(count.cast_signed()));

        rows.push(vec![
            Value::Text(color.to_owned()),
            accuracy.into(),
            centipawn_loss.into(),
            inaccuracies,
            mistakes,
            blunders,
            blunder_seconds.into(),
        ]);
    }
    rows
}

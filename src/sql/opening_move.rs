//! `opening_move(fen)`: the moves that were played in a position, with the counts of their games.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::{expect_database, failure, store_failure};
use super::table::{RowList, TableFunction};
use crate::notation::uci;
use crate::query::{MoveCount, PositionSearch, read_positions};

pub(super) struct OpeningMove;

impl TableFunction for OpeningMove {
    const NAME: &'static str = "opening_move";
    const SCHEMA: &'static CStr =
        c"CREATE TABLE x(san TEXT, uci TEXT, games INTEGER, white INTEGER,
        draws INTEGER, black INTEGER, average_elo INTEGER, performance INTEGER, first_year INTEGER,
        last_year INTEGER, wanted_fen TEXT HIDDEN)";
    const COLUMNS: usize = 10;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "opening_move(fen) needs a FEN";
    const ASCENDS: bool = false;
    const FINDS_ONE: bool = false;
    const EXPECTED_ROWS: u32 = 10;
    /// A single look-up returns all rows.
    const ROW_COST: f64 = 10.0;
    type Rows = RowList;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        _first: Option<&Value>,
    ) -> Result<RowList> {
        let [Value::Text(fen)] = arguments else {
            return Err(failure(Self::NEEDS));
        };
        // A FEN without its trailing fields matches several positions.
        let positions = read_positions(fen, None).map_err(failure)?;
        expect_database(connection)?;

        let search = PositionSearch::new(connection).map_err(store_failure)?;
        let moves = search
            .moves(connection, &positions)
            .map_err(store_failure)?;
        // The moves, the most played first.
        let rows: Vec<Vec<Value>> = moves.into_iter().map(row).collect();
        Ok(rows.into_iter())
    }
}

/// The row of a move, a value for each column.
fn row(counted: MoveCount) -> Vec<Value> {
    let average = counted.average_elo();
    let performance = counted.performance();
    let counts = counted.counts;
    let (first_year, last_year) = counts.years.unzip();

    // The row of the games that ended in the position has no move: both columns are NULL.
    let (san, mv) = counted.played.unzip();
    let uci_text = mv.map(uci);

    vec![
        san.into(),
        uci_text.into(),
        integer(counts.all_games()),
        integer(counts.white),
        integer(counts.draws),
        integer(counts.black),
        rounded(average),
        rounded(performance),
        first_year.into(),
        last_year.into(),
    ]
}

/// A count as an SQL integer.
fn integer(count: u64) -> Value {
    Value::Integer(count.cast_signed())
}

/// Rating points, rounded to an SQL integer; NULL if they are unknown.
fn rounded(points: Option<f64>) -> Value {
    let whole_points = points.map(|points| points.round() as i64);
    whole_points.into()
}

//! `position(fen)`: the games that reach a position, each with its first visit.
//!
//! For a single game, a replay decides whether it reaches the position, so that two positions can be joined by game.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::{expect_database, failure, store_failure};
use super::table::{Rows, TableFunction};
use crate::board::Position;
use crate::notation::uci;
use crate::query::{PositionSearch, Visited, VisitsOf, first_visit, read_positions};
use crate::storage::{GameId, IndexedLines, IndexedPlies};

pub(super) struct PositionFunction;

impl TableFunction for PositionFunction {
    const NAME: &'static str = "position";
    const SCHEMA: &'static CStr =
        c"CREATE TABLE x(game_id INTEGER, ply INTEGER, san TEXT, uci TEXT,
        in_variation INTEGER, wanted_fen TEXT HIDDEN)";
    const COLUMNS: usize = 5;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "position(fen) needs a FEN";
    const ASCENDS: bool = true;
    const FINDS_ONE: bool = true;
    const EXPECTED_ROWS: u32 = 1000;
    /// Each row is a game that is looked up and replayed.
    const ROW_COST: f64 = 20.0;
    type Rows = PositionRows;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        first: Option<&Value>,
    ) -> Result<PositionRows> {
        let [Value::Text(fen)] = arguments else {
            return Err(failure(Self::NEEDS));
        };
        // A FEN without its trailing fields matches several positions.
        let positions = read_positions(fen, None).map_err(failure)?;
        expect_database(connection)?;

        // A join by game calls the function for each row. Reading all games of the position each time would be
        // quadratic.
        if let Some(Value::Integer(game)) = first {
            let visited = visit_of_game(connection, GameId::new(*game), &positions)?;
            return Ok(PositionRows::One(visited));
        }

        let search = PositionSearch::new(connection).map_err(store_failure)?;
        let visits = search
            .visits_of(connection, &positions)
            .map_err(store_failure)?;
        Ok(PositionRows::All(visits))
    }
}

/// A game's first visit to any of some positions, as [`PositionSearch::visit`] finds it. Preparing a search would read
/// the segments of the index, which a single game does not need.
fn visit_of_game(
    connection: &Connection,
    game: GameId,
    positions: &[Position],
) -> Result<Option<Visited>> {
    let plies = IndexedPlies::of(connection)?;
    plies.check().map_err(store_failure)?;

    let lines = IndexedLines::of(connection)?;
    first_visit(connection, game, lines, plies, positions)
}

/// The rows of a call: the visits of all games, or of a single game.
pub(super) enum PositionRows {
    All(VisitsOf),
    One(Option<Visited>),
}

/// The row of a visit, a value for each column.
fn row(visited: Visited) -> Vec<Value> {
    // The next move is NULL if the game ends in the position, or reaches it in a variation.
    let (san, mv) = visited.next.unzip();
    let uci_text = mv.map(uci);

    vec![
        visited.game.get().into(),
        visited.ply.get().into(),
        san.into(),
        uci_text.into(),
        visited.in_variation.into(),
    ]
}

impl Rows for PositionRows {
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>> {
        let visited = match self {
            PositionRows::All(visits) => visits.next(connection).map_err(store_failure)?,
            PositionRows::One(visited) => visited.take(),
        };
        Ok(visited.map(row))
    }
}

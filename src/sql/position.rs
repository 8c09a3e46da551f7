//! `position(fen)`: the games that reach a position, each with its first visit.
//!
//! Whether one game reaches it is told by a replay, so that two positions can be joined by their games.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::table::{Rows, TableFunction};
use super::{expect_database, failure};
use crate::board::Position;
use crate::notation::uci;
use crate::query::{PositionSearch, Visited, Visits, positions_meant, visit_of};
use crate::storage::PlayedGame;

pub(super) struct PositionFunction;

impl TableFunction for PositionFunction {
    const NAME: &'static str = "position";
    const SCHEMA: &'static CStr =
        c"CREATE TABLE x(game_id INTEGER, ply INTEGER, san TEXT, uci TEXT, wanted_fen TEXT HIDDEN)";
    const COLUMNS: usize = 4;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "position(fen) needs a FEN";
    const ASCENDS: bool = true;
    const FINDS_ONE: bool = true;
    const USUAL_ROWS: u32 = 1000;
    /// A game is looked up and replayed for each.
    const ROW_COST: f64 = 20.0;
    type Rows = PositionRows;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        first: Option<&Value>,
    ) -> Result<PositionRows> {
        let [Value::Text(fen)] = arguments else { return Err(failure(Self::NEEDS)) };
        let meant = positions_meant(fen).map_err(failure)?;
        expect_database(connection)?;
        let lists = match first {
            Some(Value::Integer(game)) => in_one_game(connection, *game, &meant)?,
            _ => in_all_games(connection, &meant)?,
        };
        Ok(PositionRows { lists })
    }
}

fn in_all_games(connection: &Connection, meant: &[Position]) -> Result<Vec<List>> {
    let search = PositionSearch::new(connection)?;
    let visits = meant.iter().map(|position| search.visits(connection, position));
    visits.map(|visits| Ok(List { visits: Some(visits?), head: None })).collect()
}

fn in_one_game(connection: &Connection, game: i64, meant: &[Position]) -> Result<Vec<List>> {
    let Some(game) = PlayedGame::read(connection, game)? else { return Ok(Vec::new()) };
    let visits = meant.iter().filter_map(|position| visit_of(&game, position));
    Ok(visits.map(|visited| List { visits: None, head: Some(visited) }).collect())
}

/// The games of all positions that a FEN means, merged in the order of their numbers.
pub(super) struct PositionRows {
    lists: Vec<List>,
}

/// The games of one position, in the order of their numbers.
struct List {
    /// What has not been asked for, nothing at the end.
    visits: Option<Visits>,
    /// The next game, as far as it is known.
    head: Option<Visited>,
}

impl List {
    fn peek(&mut self, connection: &Connection) -> Result<Option<&Visited>> {
        if self.head.is_none()
            && let Some(visits) = &mut self.visits
        {
            self.head = visits.next(connection)?;
            if self.head.is_none() {
                self.visits = None;
            }
        }
        Ok(self.head.as_ref())
    }

    /// Takes the next game, if it is this one.
    fn take(&mut self, game: i64) -> Option<Visited> {
        self.head.take_if(|visited| visited.game == game)
    }
}

fn row(visited: Visited) -> Vec<Value> {
    let (san, mv) = visited.next.unzip();
    vec![visited.game.into(), visited.ply.into(), san.into(), mv.map(uci).into()]
}

impl Rows for PositionRows {
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>> {
        let mut game = i64::MAX;
        for list in &mut self.lists {
            game = list.peek(connection)?.map_or(game, |visited| visited.game.min(game));
        }
        let visits = self.lists.iter_mut().filter_map(|list| list.take(game));
        Ok(visits.min_by_key(|visited| visited.ply).map(row))
    }
}

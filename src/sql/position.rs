//! `position(fen)`: the games that reach a position, each with its first visit.
//!
//! Whether one game reaches it is told by a replay, so that two positions can be joined by their games.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::table::{Rows, TableFunction};
use super::visits::{Visited, Visits};
use super::{expect_database, failure};
use crate::notation::Uci;
use crate::query::positions_meant;

pub(super) struct PositionFunction;

impl TableFunction for PositionFunction {
    const NAME: &'static str = "position";
    const SCHEMA: &'static CStr =
        c"CREATE TABLE x(game_id INTEGER, ply INTEGER, san TEXT, uci TEXT, fen TEXT HIDDEN)";
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
        let lists = meant.iter().map(|position| {
            let visits = match first {
                Some(Value::Integer(game)) => Visits::in_game(*game, position),
                _ => Visits::in_all_games(connection, position)?,
            };
            Ok(List { visits, uci: Uci::of(position), head: Head::Unknown })
        });
        Ok(PositionRows { lists: lists.collect::<Result<Vec<List>>>()? })
    }
}

/// The games of all positions that a FEN means, merged in the order of their numbers.
pub(super) struct PositionRows {
    lists: Vec<List>,
}

/// The games of one position, in the order of their numbers.
struct List {
    visits: Visits,
    uci: Uci,
    head: Head,
}

/// What is known of the next game of a list.
enum Head {
    Unknown,
    Known(Visited),
    End,
}

impl List {
    fn peek(&mut self, connection: &Connection) -> Result<Option<&Visited>> {
        if let Head::Unknown = self.head {
            self.head = self.visits.next(connection)?.map_or(Head::End, Head::Known);
        }
        Ok(match &self.head {
            Head::Known(visited) => Some(visited),
            _ => None,
        })
    }

    /// Takes the next game as a row, if it is this one.
    fn take(&mut self, game: i64) -> Option<Vec<Value>> {
        match std::mem::replace(&mut self.head, Head::Unknown) {
            Head::Known(visited) if visited.game == game => Some(row(visited, self.uci)),
            other => {
                self.head = other;
                None
            }
        }
    }
}

fn row(visited: Visited, uci: Uci) -> Vec<Value> {
    let (san, mv) = visited.next.unzip();
    let uci = mv.map(|mv| uci.text(mv));
    vec![visited.game.into(), visited.ply.into(), san.into(), uci.into()]
}

impl Rows for PositionRows {
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>> {
        let mut first: Option<(i64, u32, usize)> = None;
        for (i, list) in self.lists.iter_mut().enumerate() {
            if let Some(visited) = list.peek(connection)? {
                let this = (visited.game, visited.ply, i);
                first = Some(first.map_or(this, |first| first.min(this)));
            }
        }
        let Some((game, _, first)) = first else { return Ok(None) };
        let mut found = None;
        for (i, list) in self.lists.iter_mut().enumerate() {
            let row = list.take(game);
            if i == first {
                found = row;
            }
        }
        Ok(found)
    }
}

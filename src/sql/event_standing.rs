//! `event_standing(event_id)`: the standings of the tournaments of an event.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::{expect_database, failure, store_failure};
use super::table::{RowList, TableFunction};
use crate::study::tournament::{Crosstable, Standing, Tournament, Tournaments};

pub(super) struct EventStanding;

impl TableFunction for EventStanding {
    const NAME: &'static str = "event_standing";
    const SCHEMA: &'static CStr = c"CREATE TABLE x(site TEXT, first_date TEXT, rank INTEGER,
        player TEXT, elo INTEGER, points REAL, games INTEGER, wins INTEGER, draws INTEGER,
        losses INTEGER, sonneborn_berger REAL, buchholz REAL, performance INTEGER,
        wanted_event INTEGER HIDDEN)";
    const COLUMNS: usize = 13;
    const ARGUMENTS: usize = 1;
    const NEEDS: &'static str = "event_standing(event_id) needs the number of an event";
    const ASCENDS: bool = false;
    const FINDS_ONE: bool = false;
    const EXPECTED_ROWS: u32 = 20;
    /// All games of the event are read.
    const ROW_COST: f64 = 1000.0;
    type Rows = RowList;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        _first: Option<&Value>,
    ) -> Result<RowList> {
        let [Value::Integer(event)] = arguments else {
            return Err(failure(Self::NEEDS));
        };
        expect_database(connection)?;

        // An event is a name: tournaments of several years and sites may share it.
        let tournaments = Tournaments::of_event(connection, *event).map_err(store_failure)?;

        // The players, tournament by tournament, in the order of places.
        let mut rows = Vec::new();
        for tournament in tournaments.list {
            let crosstable = Crosstable::of(&[connection], &tournament).map_err(store_failure)?;
            for standing in crosstable.standings {
                rows.push(row(&tournament, standing));
            }
        }
        Ok(rows.into_iter())
    }
}

/// The row of a player, a value for each column.
fn row(tournament: &Tournament, standing: Standing) -> Vec<Value> {
    let first_date = tournament.first.map(|date| date.to_string());
    let performance = standing
        .performance()
        .map(|performance| performance.round() as i64);

    vec![
        tournament.site.clone().into(),
        first_date.into(),
        standing.rank.into(),
        standing.name.clone().into(),
        standing.elo.map(u16::from).into(),
        standing.points().into(),
        standing.all_games().into(),
        standing.won.into(),
        standing.drawn.into(),
        standing.lost.into(),
        standing.sonneborn_berger_points().into(),
        standing.buchholz_points().into(),
        performance.into(),
    ]
}

//! `position_like(pattern, material, moves, flip)`: the games that match a pattern query.

use std::ffi::CStr;

use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use super::failure::{expect_database, failure, store_failure};
use super::table::{Rows, TableFunction};
use crate::columns::{ColumnStore, GameFlags};
use crate::query::{
    BoardPattern, Flip, Material, MoveSequence, ParsePatternError, PatternCursor, PatternHit,
    PositionParts, PositionQuery, scan,
};
use crate::storage::{GameId, GameSet};

pub(super) struct PositionLike;

impl TableFunction for PositionLike {
    const NAME: &'static str = "position_like";
    const SCHEMA: &'static CStr =
        c"CREATE TABLE x(game_id INTEGER, ply INTEGER, wanted_pattern TEXT HIDDEN,
        wanted_material TEXT HIDDEN, wanted_moves TEXT HIDDEN, wanted_flip TEXT HIDDEN)";
    const COLUMNS: usize = 2;
    const ARGUMENTS: usize = 4;
    const NEEDS: &'static str =
        "position_like(pattern, material, moves, flip) needs four texts, '' for what is not asked";
    const ASCENDS: bool = true;
    const FINDS_ONE: bool = true;
    const EXPECTED_ROWS: u32 = 1000;
    /// Many games are replayed for each match.
    const ROW_COST: f64 = 100.0;
    type Rows = Holding;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        first: Option<&Value>,
    ) -> Result<Holding> {
        let [
            Value::Text(pattern),
            Value::Text(material),
            Value::Text(moves),
            Value::Text(flip),
        ] = arguments
        else {
            return Err(failure(Self::NEEDS));
        };
        let query = parse_query([pattern, material, moves, flip]).map_err(failure)?;
        expect_database(connection)?;

        let (column_store, games) = match first {
            Some(&Value::Integer(game)) => {
                let game = GameId::new(game);
                let column_store = ColumnStore::of_game(connection, game)?;
                (column_store, GameSet::from_iter([game]))
            }
            _ => {
                let column_store = ColumnStore::new(connection)?;
                let games = column_store
                    .games(GameFlags::has_boards)
                    .map_err(store_failure)?;
                (column_store, games)
            }
        };

        let candidates = query
            .candidates(&column_store, games)
            .map_err(store_failure)?;
        Ok(Holding(PatternCursor::new(query, candidates)))
    }
}

/// The query; an empty text is a missing part.
fn parse_query(
    [pattern, material, moves, flip]: [&String; 4],
) -> std::result::Result<PositionQuery, ParsePatternError> {
    fn read<T>(
        text: &str,
        parse: impl Fn(&str) -> std::result::Result<T, ParsePatternError>,
    ) -> std::result::Result<Option<T>, ParsePatternError> {
        if text.is_empty() {
            Ok(None)
        } else {
            parse(text).map(Some)
        }
    }

    Ok(PositionQuery::new(&PositionParts {
        pattern: read(pattern, BoardPattern::parse)?,
        material: read(material, Material::parse)?,
        through: read(moves, MoveSequence::parse)?,
        flip: read(flip, Flip::parse)?.unwrap_or_default(),
        ..PositionParts::default()
    }))
}

/// The games that match, by number.
pub(super) struct Holding(PatternCursor);

impl Rows for Holding {
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>> {
        let hit = self
            .0
            .next(|query, candidates| scan(connection, query, candidates, usize::MAX, |_| {}))?;
        match hit {
            Some(PatternHit { game, ply }) => Ok(Some(vec![game.get().into(), ply.get().into()])),
            None => Ok(None),
        }
    }
}

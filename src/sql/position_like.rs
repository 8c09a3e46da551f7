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
    type Rows = PatternRows;

    fn call(
        connection: &Connection,
        arguments: &[Value],
        first: Option<&Value>,
    ) -> Result<PatternRows> {
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
            Some(&Value::Integer(game)) => one_game(connection, GameId::new(game))?,
            _ => all_games(connection)?,
        };
        let candidates = query
            .candidates(&column_store, games)
            .map_err(store_failure)?;

        let cursor = PatternCursor::new(query, candidates);
        Ok(PatternRows(cursor))
    }
}

/// The column store for a single game of a join, and the game. If games have changed since their columns were written,
/// only the columns of this game are computed again.
fn one_game(connection: &Connection, game: GameId) -> Result<(ColumnStore<'_>, GameSet)> {
    let column_store = ColumnStore::of_game(connection, game)?;
    let games = GameSet::from_iter([game]);
    Ok((column_store, games))
}

/// The column store, and all games that have positions.
fn all_games(connection: &Connection) -> Result<(ColumnStore<'_>, GameSet)> {
    let column_store = ColumnStore::new(connection)?;
    let games = column_store
        .games(GameFlags::has_boards)
        .map_err(store_failure)?;
    Ok((column_store, games))
}

/// The query of the arguments. An empty text adds no condition.
fn parse_query(
    [pattern, material, moves, flip]: [&String; 4],
) -> std::result::Result<PositionQuery, ParsePatternError> {
    let parts = PositionParts {
        pattern: parse_part(pattern, BoardPattern::parse)?,
        material: parse_part(material, Material::parse)?,
        through: parse_part(moves, MoveSequence::parse)?,
        flip: parse_part(flip, Flip::parse)?.unwrap_or_default(),
        ..PositionParts::default()
    };
    Ok(PositionQuery::new(&parts))
}

/// The parsed part; `None` if the text is empty.
fn parse_part<T>(
    text: &str,
    parse: impl Fn(&str) -> std::result::Result<T, ParsePatternError>,
) -> std::result::Result<Option<T>, ParsePatternError> {
    if text.is_empty() {
        return Ok(None);
    }

    let part = parse(text)?;
    Ok(Some(part))
}

/// The games that match, by number.
pub(super) struct PatternRows(PatternCursor);

impl Rows for PatternRows {
    fn next(&mut self, connection: &Connection) -> Result<Option<Vec<Value>>> {
        let PatternRows(cursor) = self;
        let hit = cursor
            .next(|query, candidates| scan(connection, query, candidates, usize::MAX, |_| {}))?;
        let Some(PatternHit { game, ply }) = hit else {
            return Ok(None);
        };

        let row = vec![game.get().into(), ply.get().into()];
        Ok(Some(row))
    }
}

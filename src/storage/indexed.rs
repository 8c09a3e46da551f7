//! Input of the position index: the counted facts of games, and which games have changed.

use rusqlite::{Connection, Row, params};

use super::cell::unsigned_cell;
use super::{Database, GameId, IndexedLines, PlayedGame, facts_of_row};
use crate::error::Result;
use crate::game::GameFacts;

/// The change of a game since it was indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// The game is unchanged.
    Fresh,
    /// The counted facts of the game (result, ratings, year) have changed, and its positions have not.
    FactsChanged,
    /// The positions of the game have changed, or the game was deleted.
    PositionsChanged,
}

/// A game with the facts that were counted when it was indexed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedFacts {
    pub(crate) id: i64,
    pub(crate) facts: GameFacts,
    pub(crate) freshness: Freshness,
}

impl IndexedFacts {
    /// Calls `visit` with the games from `first` to `last`, including deleted games. For a changed game, the current
    /// facts come before the indexed ones.
    pub(crate) fn each(
        connection: &Connection,
        (first, last): (i64, i64),
        mut visit: impl FnMut(IndexedFacts),
    ) -> rusqlite::Result<()> {
        let current = "SELECT id, result, white_elo, black_elo, date FROM game
            WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
        let mut select_current = connection.prepare_cached(current)?;
        let mut rows = select_current.query(params![first, last])?;
        while let Some(row) = rows.next()? {
            visit(IndexedFacts::of_row(row, Freshness::Fresh)?);
        }

        let stale = "SELECT id, result, white_elo, black_elo, date, moved FROM stale_game
            WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
        let mut select_stale = connection.prepare_cached(stale)?;
        let mut stale_rows = select_stale.query(params![first, last])?;
        while let Some(row) = stale_rows.next()? {
            let has_moved: bool = row.get(5)?;
            let freshness = if has_moved {
                Freshness::PositionsChanged
            } else {
                Freshness::FactsChanged
            };
            visit(IndexedFacts::of_row(row, freshness)?);
        }
        Ok(())
    }

    /// Reads a row of a game.
    fn of_row(row: &Row<'_>, freshness: Freshness) -> rusqlite::Result<IndexedFacts> {
        Ok(IndexedFacts {
            id: row.get(0)?,
            facts: facts_of_row(row, 1)?,
            freshness,
        })
    }
}

/// The number of games with positions that are in no segment, and the first of them.
pub(crate) fn not_indexed(connection: &Connection) -> rusqlite::Result<Option<(u64, i64)>> {
    let sql = "SELECT count(*), min(id) FROM game WHERE final_key IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM position_segment WHERE game.id BETWEEN first_game AND last_game)
        AND NOT EXISTS (SELECT 1 FROM stale_game WHERE stale_game.id = game.id AND moved)";
    connection.query_row(sql, [], |row| {
        let count = unsigned_cell(row, 0)?;
        let first: Option<i64> = row.get(1)?;
        Ok(first.map(|first| (count, first)))
    })
}

impl Database {
    /// `true` if an imported game has changed since it was indexed and described.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn has_changed_games(&self) -> Result<bool> {
        // Imports assign positive numbers only.
        let exists = self.ask("SELECT EXISTS (SELECT 1 FROM stale_game WHERE id > 0)")?;
        Ok(exists != 0)
    }

    /// The number of games with positions after all segments. An interrupted import has stored such games without
    /// indexing them.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unindexed_games(&self) -> Result<u64> {
        let sql = "SELECT count(*) FROM game WHERE final_key IS NOT NULL
            AND id > (SELECT coalesce(max(last_game), 0) FROM position_segment)
            AND NOT EXISTS (SELECT 1 FROM stale_game WHERE stale_game.id = game.id AND moved)";
        self.ask_unsigned(sql)
    }
}

/// The games with positions among these numbers.
pub(crate) fn played_games(
    connection: &Connection,
    ids: &[GameId],
    lines: IndexedLines,
) -> rusqlite::Result<Vec<PlayedGame>> {
    let mut games = Vec::with_capacity(ids.len());
    for &id in ids {
        games.extend(PlayedGame::read(connection, id, lines)?);
    }
    Ok(games)
}

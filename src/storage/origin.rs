//! The origins of stored games and problems: their sources, with the places of games there.

use std::ops::Range;

use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::cell::unsigned_cell;
use super::{Database, InDatabase};
use crate::error::Result;

/// The stored values of a game beside its tags and text.
#[derive(Clone, Debug)]
pub(crate) struct StoredOrigin {
    /// The number of the source.
    pub(crate) source: i64,
    /// The bytes of the game in the source.
    pub(crate) bytes: Range<u64>,
    /// The hash of the start and the moves.
    pub(crate) moves_hash: u64,
    /// The opening that the moves lead to: the ECO code and the name.
    pub(crate) opening: Option<(String, String)>,
    /// The number of problems of the game.
    pub(crate) problems: u32,
}

/// Reads the origins of games.
pub(crate) struct OriginReader<'d> {
    database: &'d Database,
    select: Statement<'d>,
}

impl<'d> OriginReader<'d> {
    /// Prepares the statement.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn new(database: &'d Database) -> Result<OriginReader<'d>> {
        let sql =
            "SELECT source_id, byte_offset, byte_length, moves_hash, opening.eco, opening.name,
            (SELECT count(*) FROM problem WHERE game_id = game.id)
            FROM game LEFT JOIN opening ON opening.id = game.opening_id WHERE game.id = ?1";
        let select = database.connection.prepare(sql).in_database(database)?;
        Ok(OriginReader { database, select })
    }

    /// The origin of the game with a number, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn origin(&mut self, game: i64) -> Result<Option<StoredOrigin>> {
        let found = self.select.query_row([game], stored_origin).optional();
        found.in_database(self.database)
    }
}

/// Reads a row of a game.
fn stored_origin(row: &Row<'_>) -> rusqlite::Result<StoredOrigin> {
    let start = unsigned_cell(row, 1)?;
    let length = unsigned_cell(row, 2)?;
    let eco: Option<String> = row.get(4)?;
    let name: Option<String> = row.get(5)?;

    Ok(StoredOrigin {
        source: row.get(0)?,
        bytes: start..start.saturating_add(length),
        moves_hash: unsigned_cell(row, 3)?,
        opening: eco.zip(name),
        problems: row.get(6)?,
    })
}

/// A source with the values by which its games are identified.
#[derive(Clone, Debug)]
pub(crate) struct StoredSource {
    pub(crate) id: i64,
    pub(crate) path: String,
    pub(crate) bytes: u64,
    /// The BLAKE3 hash of the first bytes.
    pub(crate) head_hash: Vec<u8>,
    /// The source that this source continues.
    pub(crate) continues: Option<i64>,
}

/// A stored problem.
#[derive(Clone, Debug)]
pub(crate) struct StoredProblem {
    pub(crate) source: i64,
    pub(crate) game: Option<i64>,
    pub(crate) kind: String,
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    pub(crate) ply: Option<u32>,
    pub(crate) text: String,
    pub(crate) message: String,
}

impl Database {
    /// All sources by number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn stored_sources(&self) -> Result<Vec<StoredSource>> {
        stored_sources(&self.connection).in_database(self)
    }

    /// The numbers of the first and the last game; `None` without games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn first_and_last_game(&self) -> Result<Option<(i64, i64)>> {
        let sql = "SELECT min(id), max(id) FROM game";
        let ends = self.connection.query_row(sql, [], |row| {
            let first: Option<i64> = row.get(0)?;
            let last: Option<i64> = row.get(1)?;
            Ok(first.zip(last))
        });
        ends.in_database(self)
    }

    /// Up to `limit` problems after the problem `after`, in the order of their numbers, and the number of the last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn problems_behind(
        &self,
        after: i64,
        limit: i64,
    ) -> Result<(Vec<StoredProblem>, Option<i64>)> {
        let sql = "SELECT id, source_id, game_id, kind, byte_offset, byte_length, ply, text,
            message FROM problem WHERE id > ?1 ORDER BY id LIMIT ?2";
        let read = || -> rusqlite::Result<_> {
            let mut select = self.connection.prepare_cached(sql)?;
            let mut rows = select.query(params![after, limit])?;

            let mut problems = Vec::new();
            let mut last = None;
            while let Some(row) = rows.next()? {
                last = Some(row.get(0)?);
                problems.push(stored_problem(row)?);
            }
            Ok((problems, last))
        };
        read().in_database(self)
    }
}

/// Reads a row of a problem.
fn stored_problem(row: &Row<'_>) -> rusqlite::Result<StoredProblem> {
    Ok(StoredProblem {
        source: row.get(1)?,
        game: row.get(2)?,
        kind: row.get(3)?,
        byte_offset: unsigned_cell(row, 4)?,
        byte_length: unsigned_cell(row, 5)?,
        ply: row.get(6)?,
        text: row.get(7)?,
        message: row.get(8)?,
    })
}

/// All sources by number.
fn stored_sources(connection: &Connection) -> rusqlite::Result<Vec<StoredSource>> {
    let sql = "SELECT id, path, bytes, head_hash, continues FROM source ORDER BY id";
    let source = |row: &Row<'_>| {
        Ok(StoredSource {
            id: row.get(0)?,
            path: row.get(1)?,
            bytes: unsigned_cell(row, 2)?,
            head_hash: row.get(3)?,
            continues: row.get(4)?,
        })
    };

    let mut select = connection.prepare(sql)?;
    select.query_map([], source)?.collect()
}

//! Problems as lists show them, and the duplicates of one game.

use rusqlite::{Row, params};

use super::cell::{owned_text_cell, unsigned_cell};
use super::statistics::name_and_count;
use super::{Database, GameId, InDatabase, number_cell};
use crate::error::Result;

/// A problem of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedProblem {
    /// The number of the problem.
    pub id: i64,
    /// The game, unless the problem is between games.
    pub game: Option<GameId>,
    /// The kind of the problem, as [`ProblemKind`](crate::replay::ProblemKind) names it.
    pub kind: String,
    /// The problem as a sentence.
    pub message: String,
    /// The path of the source.
    pub source: String,
    /// The line in the source, from 1.
    pub line: i64,
    /// The half-moves played before the problem.
    pub ply: Option<i64>,
}

const SQL: &str = "SELECT problem.id, problem.game_id, problem.kind, problem.message, source.path,
    problem.line, problem.ply FROM problem LEFT JOIN source ON source.id = problem.source_id WHERE ";

impl Database {
    /// The problems of a game, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn problems_of(&self, game: GameId) -> Result<Vec<ReportedProblem>> {
        let sql = format!("{SQL} problem.game_id = ?1 ORDER BY problem.id");
        self.problem_rows(&sql, params![game])
    }

    /// The first `limit` problems after the problem with the number `after`: of one kind, or of all kinds.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn problems(
        &self,
        kind: Option<&str>,
        after: i64,
        limit: usize,
    ) -> Result<Vec<ReportedProblem>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!(
            "{SQL} problem.id > ?1 AND (?2 IS NULL OR problem.kind = ?2) ORDER BY problem.id LIMIT ?3"
        );

        self.problem_rows(&sql, params![after, kind, limit])
    }

    /// The problems that a query selects.
    fn problem_rows(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
    ) -> Result<Vec<ReportedProblem>> {
        let read = || -> rusqlite::Result<Vec<ReportedProblem>> {
            let mut select = self.connection.prepare_cached(sql)?;
            let problems = select.query_map(values, problem_of_row)?;
            problems.collect()
        };
        read().in_database(self)
    }

    /// The number of problems of each kind, by descending number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn problem_counts(&self) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT kind, count(*) FROM problem GROUP BY kind ORDER BY 2 DESC, 1";
        self.rows(sql, name_and_count)
    }

    /// The sources whose import has not ended, each with the bytes that were read and its size.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn unfinished_sources(&self) -> Result<Vec<(String, u64, u64)>> {
        let sql = "SELECT path, coalesce(known_bytes, 0), bytes FROM source
            WHERE unfinished IS NOT NULL ORDER BY id";
        self.rows(sql, |row| {
            Ok((row.get(0)?, unsigned_cell(row, 1)?, unsigned_cell(row, 2)?))
        })
    }

    /// The other games of the group of duplicates that `stamma dedupe` has found for this game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn twins_of(&self, game: GameId) -> Result<Vec<GameId>> {
        let sql = "WITH kept AS (SELECT coalesce((SELECT kept_id FROM duplicate_of WHERE game_id = ?1), ?1) AS id)
            SELECT id FROM kept WHERE id <> ?1
            UNION ALL SELECT game_id FROM (SELECT game_id FROM duplicate_of, kept
                WHERE kept_id = kept.id AND game_id <> ?1 ORDER BY place)";
        let read = || -> rusqlite::Result<Vec<GameId>> {
            let mut select = self.connection.prepare_cached(sql)?;
            select.query_map([game], |row| row.get(0))?.collect()
        };
        read().in_database(self)
    }
}

/// Reads a row of a problem.
fn problem_of_row(row: &Row<'_>) -> rusqlite::Result<ReportedProblem> {
    let text = |at| -> rusqlite::Result<String> {
        let text = owned_text_cell(row, at)?;
        Ok(text.unwrap_or_default())
    };

    Ok(ReportedProblem {
        id: row.get(0)?,
        game: number_cell(row, 1)?.map(GameId::new),
        kind: text(2)?,
        message: text(3)?,
        source: text(4)?,
        line: number_cell(row, 5)?.unwrap_or_default(),
        ply: number_cell(row, 6)?,
    })
}

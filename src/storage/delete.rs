//! Games out of the database.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};

use super::chosen::IS_CHOSEN;
use super::{CHANGE_CACHE_BYTES, Database};
use crate::error::Result;

/// What [`Database::delete_games`] has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deletion {
    /// The games that are gone.
    pub games: u64,
    /// The first numbers of those ranges in which there was no game at all.
    pub missing: Vec<i64>,
}

impl Database {
    /// Deletes the games that stand in one of the ranges of numbers and for which the condition holds,
    /// all of them or none, and the names that no game has afterwards. No ranges are all games, as no condition is.
    ///
    /// The condition is SQL over the columns of the view `games`.
    ///
    /// # Errors
    /// When the condition is none, or the database cannot be written; it is then as it was before.
    pub fn delete_games(
        &self,
        ranges: &[RangeInclusive<i64>],
        condition: Option<&str>,
    ) -> Result<Deletion> {
        self.change(CHANGE_CACHE_BYTES, || {
            if let Some(condition) = condition {
                self.choose_games(condition)?;
            }
            let deletion = delete(&self.connection, ranges, condition.map(|_| IS_CHOSEN))
                .map_err(|e| self.error(e))?;
            if deletion.games > 0 {
                self.remove_unused_names()?;
            }
            Ok(deletion)
        })
    }
}

fn delete(
    connection: &Connection,
    ranges: &[RangeInclusive<i64>],
    condition: Option<&str>,
) -> rusqlite::Result<Deletion> {
    let exists = "SELECT EXISTS (SELECT 1 FROM game WHERE id BETWEEN ?1 AND ?2)";
    let mut exists = connection.prepare(exists)?;
    let mut deletion = Deletion::default();
    for range in ranges {
        if !exists.query_row(params![range.start(), range.end()], |row| row.get::<_, bool>(0))? {
            deletion.missing.push(*range.start());
        }
    }
    let condition = condition.unwrap_or("true");
    let sql = format!("DELETE FROM game WHERE id BETWEEN ?1 AND ?2 AND {condition}");
    let mut delete = connection.prepare(&sql)?;
    let everything = [i64::MIN..=i64::MAX];
    for range in if ranges.is_empty() { &everything[..] } else { ranges } {
        deletion.games += delete.execute(params![range.start(), range.end()])? as u64;
    }
    Ok(deletion)
}

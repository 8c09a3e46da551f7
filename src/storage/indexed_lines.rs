//! The settings of a database for its position index: the indexed lines, and the number of half-moves of each line.

use std::fmt;

use rusqlite::{Connection, OptionalExtension};

use super::{Database, InDatabase};
use crate::error::{Error, Result};
use crate::game::Ply;
use crate::replay::Visit;
use crate::store_fault::{StoreFault, StoreResult};

/// The lines of games whose positions are indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IndexedLines {
    /// The mainline only.
    #[default]
    Mainline,
    /// The mainline and all variations.
    All,
}

impl IndexedLines {
    /// The setting of a database.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<IndexedLines> {
        let sql =
            "SELECT EXISTS (SELECT 1 FROM counter WHERE name = 'index_variations' AND value = 1)";
        let all: bool = connection
            .prepare_cached(sql)?
            .query_row([], |row| row.get(0))?;

        if all {
            Ok(IndexedLines::All)
        } else {
            Ok(IndexedLines::Mainline)
        }
    }
}

/// The maximum number of half-moves before an indexed position, or no limit.
///
/// The first occurrence of a position on the mainline counts, or else its first occurrence in a variation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexedPlies(Option<Ply>);

impl IndexedPlies {
    /// Positions up to a number of half-moves; with 0, no position is indexed.
    pub fn up_to(plies: Ply) -> IndexedPlies {
        IndexedPlies(Some(plies))
    }

    /// The setting of a database.
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<IndexedPlies> {
        let sql = "SELECT value FROM counter WHERE name = 'index_plies'";
        let found = connection
            .prepare_cached(sql)?
            .query_row([], |row| row.get(0))
            .optional()?;

        // A number that no game can have is no limit.
        let plies = found.and_then(|plies: i64| u32::try_from(plies).ok());
        let last = plies.map(Ply::new);
        Ok(IndexedPlies(last))
    }

    /// The half-moves that all of some databases index.
    pub(crate) fn of_all(databases: &[&Database]) -> Result<IndexedPlies> {
        let mut fewest: Option<Ply> = None;
        for database in databases {
            if let Some(last) = database.indexed_plies()?.last() {
                fewest = Some(fewest.map_or(last, |fewest| fewest.min(last)));
            }
        }
        Ok(IndexedPlies(fewest))
    }

    /// The last half-move; `None` without a limit.
    pub fn last(self) -> Option<Ply> {
        self.0
    }

    /// `true` if no position is indexed.
    pub fn are_none(self) -> bool {
        self.0 == Some(Ply::START)
    }

    /// `true` if a position that first occurs after this number of half-moves is indexed.
    pub(crate) fn include(self, ply: Ply) -> bool {
        !self.are_none() && self.0.is_none_or(|last| ply <= last)
    }

    /// Drops the positions that are not indexed.
    pub(crate) fn retain(self, visits: &mut Vec<Visit>) {
        if self.0.is_some() {
            visits.retain(|visit| self.include(Ply::new(visit.ply.into())));
        }
    }

    /// The number of indexed positions among the first `plies` positions of a line.
    pub(crate) fn of_line(self, plies: usize) -> usize {
        match self.0 {
            None => plies,
            Some(_) if self.are_none() => 0,
            Some(last) => plies.min(last.get() as usize + 1),
        }
    }

    /// Fails unless all positions are indexed.
    pub(crate) fn check_all(self) -> StoreResult<()> {
        match self.0 {
            None => Ok(()),
            Some(last) => Err(StoreFault::NotAllPositions(last.get()).into()),
        }
    }

    /// Fails if no position is indexed.
    pub(crate) fn check(self) -> StoreResult<()> {
        if self.are_none() {
            return Err(StoreFault::NoPositions.into());
        }
        Ok(())
    }
}

/// Formats a sentence on the positions that are not indexed; empty if all are.
impl fmt::Display for IndexedPlies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(_) if self.are_none() => f.write_str("positions are not indexed"),
            Some(last) => write!(f, "positions after half-move {last} are not indexed"),
        }
    }
}

impl Database {
    /// The half-moves of games whose positions are indexed.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn indexed_plies(&self) -> Result<IndexedPlies> {
        IndexedPlies::of(&self.connection).in_database(self)
    }

    /// Indexes positions up to a number of half-moves from now on.
    ///
    /// # Errors
    /// When the database has games that are indexed up to another number.
    pub(crate) fn index_plies(&self, plies: IndexedPlies) -> Result<()> {
        let known = self.indexed_plies()?;
        if known == plies {
            return Ok(());
        }
        if self.ask("SELECT EXISTS (SELECT 1 FROM game)")? != 0 {
            return Err(Error::OtherPlies {
                path: self.path.clone(),
                known: known.last().map(Ply::get),
            });
        }

        // Both statements have one parameter.
        let sql = match plies.0 {
            Some(_) => "INSERT OR REPLACE INTO counter VALUES ('index_plies', ?1)",
            None => "DELETE FROM counter WHERE name = 'index_plies' AND ?1 IS NULL",
        };
        let last = plies.0.map(Ply::get);
        let written = self.connection.execute(sql, [last]);
        written.in_database(self)?;
        Ok(())
    }

    /// The lines that are indexed.
    pub(crate) fn indexed_lines(&self) -> Result<IndexedLines> {
        IndexedLines::of(&self.connection).in_database(self)
    }

    /// Indexes all lines of games from now on.
    ///
    /// # Errors
    /// When the database has games whose mainline alone is indexed.
    pub(crate) fn index_variations(&self) -> Result<()> {
        if self.indexed_lines()? == IndexedLines::All {
            return Ok(());
        }
        if self.ask("SELECT EXISTS (SELECT 1 FROM game)")? != 0 {
            return Err(Error::MainlinesIndexed(self.path.clone()));
        }

        let sql = "INSERT OR REPLACE INTO counter VALUES ('index_variations', 1)";
        self.connection.execute(sql, []).in_database(self)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_included_and_none_means_no_position() {
        let includes =
            |indexed: IndexedPlies| [0, 1, 2, 3].map(|ply| indexed.include(Ply::new(ply)));
        assert_eq!(includes(IndexedPlies::default()), [true; 4]);
        assert_eq!(
            includes(IndexedPlies::up_to(Ply::new(2))),
            [true, true, true, false]
        );
        assert_eq!(includes(IndexedPlies::up_to(Ply::START)), [false; 4]);

        let of_line = |plies| IndexedPlies::up_to(Ply::new(plies)).of_line(10);
        assert_eq!(
            [of_line(0), of_line(1), of_line(9), of_line(20)],
            [0, 2, 10, 10]
        );
    }
}

//! Names with the number of their games, for suggestions while somebody types.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::NameQuery;
use crate::columns::{Column, ColumnStore, GameFlags, NameKind};
use crate::error::Result;
use crate::storage::{Database, InDatabase};
use crate::store_fault::StoreResult;

/// A tag whose values are suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameField {
    /// White and Black.
    Player,
    /// Event.
    Event,
    /// Site.
    Site,
    /// The opening, by the moves.
    Opening,
}

impl NameField {
    const fn kind(self) -> NameKind {
        match self {
            NameField::Player => NameKind::Player,
            NameField::Event => NameKind::Event,
            NameField::Site => NameKind::Site,
            NameField::Opening => NameKind::Opening,
        }
    }
}

/// The number of games with each name of a field, in memory.
#[derive(Debug)]
pub struct NameCounts {
    field: NameField,
    games: HashMap<u64, u64, foldhash::fast::RandomState>,
}

impl NameCounts {
    /// Counts the games of all names of a field.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(database: &Database, field: NameField) -> Result<NameCounts> {
        let columns = match field {
            NameField::Player => [Column::White, Column::Black],
            NameField::Event => [Column::Event, Column::GameFlags],
            NameField::Site => [Column::Site, Column::GameFlags],
            NameField::Opening => [Column::Opening, Column::GameFlags],
        };
        let names = if field == NameField::Player { 2 } else { 1 };
        let mut counts = NameCounts {
            field,
            games: HashMap::default(),
        };
        let count = || -> StoreResult<NameCounts> {
            let column_store = ColumnStore::new(&database.connection)?;
            let all = column_store.games(GameFlags::exists)?;
            column_store.each_of(&all, columns, |_, values| {
                for &name in values[..names].iter().filter(|&&name| name > 0) {
                    *counts.games.entry(name).or_default() += 1;
                }
            })?;
            Ok(counts)
        };
        count().in_database(database)
    }

    /// The names that have words with the prefixes of a text, each with its games, the most frequent first; all names
    /// for an empty text.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn suggest(
        &self,
        database: &Database,
        text: &str,
        limit: usize,
    ) -> Result<Vec<(String, u64)>> {
        let suggest = || -> rusqlite::Result<Vec<(String, u64)>> {
            let mut found = self.matching(database, text)?;
            found.sort_unstable_by_key(|&(name, games)| (Reverse(games), name));
            found.truncate(limit);
            let sql = format!(
                "SELECT name FROM {} WHERE id = ?1",
                self.field.kind().table()
            );
            let mut select = database.connection.prepare_cached(&sql)?;
            let named = found.into_iter().map(|(name, games)| {
                Ok((
                    select.query_row([name.cast_signed()], |row| row.get(0))?,
                    games,
                ))
            });
            named.collect()
        };
        suggest().in_database(database)
    }

    /// The number of games with a name, 0 if the database does not have it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of_name(&self, database: &Database, name: &str) -> Result<u64> {
        let exact = NameQuery {
            text: name.to_owned(),
            is_exact: true,
        };
        let numbers = exact
            .numbers(&database.connection, self.field.kind())
            .in_database(database)?;
        Ok(numbers
            .into_iter()
            .filter_map(|name| self.games.get(&name))
            .sum())
    }

    fn matching(&self, database: &Database, text: &str) -> rusqlite::Result<Vec<(u64, u64)>> {
        if !text.contains(char::is_alphanumeric) {
            return Ok(self
                .games
                .iter()
                .map(|(&name, &games)| (name, games))
                .collect());
        }
        let numbers = NameQuery::from(text).numbers(&database.connection, self.field.kind())?;
        let with_games = |name| self.games.get(&name).map(|&games| (name, games));
        Ok(numbers.into_iter().filter_map(with_games).collect())
    }
}

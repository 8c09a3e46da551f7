//! Names with the number of their games, for suggestions while somebody types.

use std::cmp::Reverse;
use std::collections::HashMap;

use rusqlite::Connection;

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
    /// The table of the names of this field.
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
        NameCounts::count(&database.connection, field).in_database(database)
    }

    /// Counts the games of all names of a field, by one scan of the column store.
    fn count(connection: &Connection, field: NameField) -> StoreResult<NameCounts> {
        // Only players have two columns. Other names have one, so the flags fill the second place and are ignored.
        let (columns, name_columns) = match field {
            NameField::Player => ([Column::White, Column::Black], 2),
            NameField::Event => ([Column::Event, Column::GameFlags], 1),
            NameField::Site => ([Column::Site, Column::GameFlags], 1),
            NameField::Opening => ([Column::Opening, Column::GameFlags], 1),
        };

        let mut counts = NameCounts {
            field,
            games: HashMap::default(),
        };
        let column_store = ColumnStore::new(connection)?;
        let all = column_store.games(GameFlags::exists)?;
        column_store.each_of(&all, columns, |_, values| {
            for &name in &values[..name_columns] {
                // 0 means that the game has no such name.
                if name > 0 {
                    *counts.games.entry(name).or_default() += 1;
                }
            }
        })?;
        Ok(counts)
    }

    /// The names that have words with the prefixes of a text, each with its games, the most frequent first. An empty
    /// text suggests all names.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn suggest(
        &self,
        database: &Database,
        text: &str,
        limit: usize,
    ) -> Result<Vec<(String, u64)>> {
        let suggested = self.most_frequent(&database.connection, text, limit);
        suggested.in_database(database)
    }

    /// The names that match a text, with their games, the most frequent first, up to `limit`.
    fn most_frequent(
        &self,
        connection: &Connection,
        text: &str,
        limit: usize,
    ) -> rusqlite::Result<Vec<(String, u64)>> {
        let mut numbers = self.matching(connection, text)?;
        numbers.sort_unstable_by_key(|&(number, games)| (Reverse(games), number));
        numbers.truncate(limit);

        // Names are looked up last, for the few that are suggested.
        let table = self.field.kind().table();
        let sql = format!("SELECT name FROM {table} WHERE id = ?1");
        let mut select = connection.prepare_cached(&sql)?;

        let mut names = Vec::with_capacity(numbers.len());
        for (number, games) in numbers {
            let id = number.cast_signed();
            let name: String = select.query_row([id], |row| row.get(0))?;
            names.push((name, games));
        }
        Ok(names)
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
        let found = exact.numbers(&database.connection, self.field.kind());
        let numbers = found.in_database(database)?;

        let mut games = 0;
        for number in numbers {
            games += self.games.get(&number).copied().unwrap_or(0);
        }
        Ok(games)
    }

    /// The numbers of the names that match a text, each with its games.
    fn matching(&self, connection: &Connection, text: &str) -> rusqlite::Result<Vec<(u64, u64)>> {
        if !text.contains(char::is_alphanumeric) {
            let all = self.games.iter().map(|(&number, &games)| (number, games));
            return Ok(all.collect());
        }

        let query = NameQuery::from(text);
        let mut matching = Vec::new();
        for number in query.numbers(connection, self.field.kind())? {
            // A name without games is not suggested.
            if let Some(&games) = self.games.get(&number) {
                matching.push((number, games));
            }
        }
        Ok(matching)
    }
}

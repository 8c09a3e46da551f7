//! The sides that a filter names: in games of `--player tal`, the side that Tal plays.

use super::Filter;
use crate::columns::{Column, ColumnStore, GameFlags, NameKind};
use crate::error::Result;
use crate::storage::{Database, GameSet};

/// The games in which White, and those in which Black, is a player that a filter names.
#[derive(Clone, Debug)]
pub struct NamedSides {
    /// White is named.
    pub white: GameSet,
    /// Black is named.
    pub black: GameSet,
}

impl Filter {
    /// The sides that the filter names by a player of either colour, by White's or by Black's name; `None` if it names
    /// nobody.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn named_sides(&self, database: &Database) -> Result<Option<NamedSides>> {
        if self.players.is_empty() && self.white.is_empty() && self.black.is_empty() {
            return Ok(None);
        }
        let found = self.find_named_sides(database);
        found.map(Some).map_err(|error| database.error(error))
    }

    fn find_named_sides(&self, database: &Database) -> rusqlite::Result<NamedSides> {
        let connection = &database.connection;
        let column_store = ColumnStore::new(connection)?;
        let mut sides = NamedSides { white: GameSet::default(), black: GameSet::default() };

        for (column, queries, named) in [
            (Column::White, &self.white, &mut sides.white),
            (Column::Black, &self.black, &mut sides.black),
        ] {
            for query in self.players.iter().chain(queries) {
                let numbers = query.numbers(connection, NameKind::Player)?;
                let mut games = column_store.games(GameFlags::exists)?;
                column_store.retain(&mut games, [column], |[number]| numbers.contains(&number))?;
                games.iter().for_each(|game| named.insert(game));
            }
        }
        Ok(sides)
    }
}

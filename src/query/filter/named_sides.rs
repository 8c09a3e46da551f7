//! The sides that a filter names: in games of `--player tal`, the side that Tal plays.

use super::{Filter, NameNumbers};
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::error::Result;
use crate::query::Watch;
use crate::query::persons::Persons;
use crate::storage::{Database, GameSet, InDatabase};
use crate::store_fault::StoreResult;

/// The games in which White is a player that a filter names, and the games in which Black is. If the names of several
/// players match, only the player that a [`PlayerRecord`](crate::query::player::PlayerRecord) counts is named.
#[derive(Clone, Debug, Default)]
pub struct NamedSides {
    /// White is named.
    pub white: GameSet,
    /// Black is named.
    pub black: GameSet,
    /// The other players whose names match, with their games in the database, the most frequent first.
    pub others: Vec<(String, u64)>,
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

        let watch = Watch::new();
        let mut sides = NamedSides::default();
        for (queries, columns) in [
            (&self.players, &[Column::White, Column::Black][..]),
            (&self.white, &[Column::White]),
            (&self.black, &[Column::Black]),
        ] {
            for query in queries {
                let persons = Persons::read(database, query, &watch)?;
                let added = sides.add_games(database, &persons.best.numbers, columns);
                added.in_database(database)?;
                sides.others.extend(persons.others_with_games());
            }
        }
        let by_games = |(_, games): &(String, u64)| std::cmp::Reverse(*games);
        sides.others.sort_by_key(by_games);
        Ok(Some(sides))
    }
}

impl NamedSides {
    /// Adds the games that have one of `names` in one of `columns`: games with the name of White to `white`, games with
    /// the name of Black to `black`.
    fn add_games(
        &mut self,
        database: &Database,
        names: &NameNumbers,
        columns: &[Column],
    ) -> StoreResult<()> {
        let column_store = ColumnStore::new(&database.connection)?;
        for &column in columns {
            let mut games = column_store.games(GameFlags::exists)?;
            column_store.retain(&mut games, [column], |[number]| names.contains(&number))?;

            let side = if column == Column::White {
                &mut self.white
            } else {
                &mut self.black
            };
            for game in games.iter() {
                side.insert(game);
            }
        }
        Ok(())
    }
}

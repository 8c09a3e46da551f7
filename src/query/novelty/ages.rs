//! The ages of games: their places in the order of dates.

use crate::columns::{Column, ColumnStore};
use crate::storage::GameSet;

/// The places of games in the order of dates, the earliest first. Games of one date are in the order of their numbers,
/// and games without a date come last.
#[derive(Debug, Default)]
pub(super) struct Ages {
    /// The games by number.
    games: Vec<i64>,
    /// The age of each.
    ages: Vec<u32>,
    /// The games by age.
    by_age: Vec<i64>,
}

impl Ages {
    pub(super) fn new(column_store: &ColumnStore<'_>, games: &GameSet) -> rusqlite::Result<Ages> {
        let mut dated: Vec<(u32, i64)> = Vec::new();
        column_store.each(games.iter(), [Column::Date], |game, [date]| {
            // An unknown date is 0, and becomes the greatest.
            dated.push(((date as u32).wrapping_sub(1), game));
        })?;
        let games: Vec<i64> = dated.iter().map(|(_, game)| *game).collect();
        dated.sort_unstable();
        let by_age: Vec<i64> = dated.into_iter().map(|(_, game)| game).collect();
        let mut ages = Ages { ages: vec![0; games.len()], games, by_age };
        for (age, game) in ages.by_age.iter().enumerate() {
            if let Ok(at) = ages.games.binary_search(game) {
                ages.ages[at] = age as u32;
            }
        }
        Ok(ages)
    }

    /// The number of games.
    pub(super) fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// The age of a game; `None` for one that is not compared.
    pub(super) fn of(&self, game: i64) -> Option<u32> {
        self.games.binary_search(&game).ok().map(|at| self.ages[at])
    }

    /// The game of an age.
    pub(super) fn game(&self, age: u32) -> Option<i64> {
        self.by_age.get(age as usize).copied()
    }
}
